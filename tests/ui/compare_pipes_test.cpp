// Two walks, one pipe: opened and closed by key, mouse and command; widths in proportion; nothing outside its place.
#include <fmt/format.h>

#include "base/units.h"
#include "core/schedules/registry.h"
#include "pages/compare/compare_page.h"
#include "tests/ui/compare_page.h"

using namespace tilewalk;
using tilewalk::test::finite;
using tilewalk::test::Headless;
using tilewalk::test::holds;
using tilewalk::test::picture_document;
using tilewalk::test::within;

namespace {

Document real_size(ScheduleKind kind, double text = 1) {
  Document document = picture_document();
  Problem& p = document.problem;
  p.schedule = kind;
  p.shape.n_q = p.shape.n_kv = 4096;
  p.shape.d = 64;
  p.tiling.br = p.tiling.bc = 64;
  p.numerics.dtype = DType::Fp16;
  p.machine.sram_bytes = 227 * 1024;
  document.view.page = Page::Compare;
  document.view.filling = Filling::Pipes;
  document.view.pace = Pace::Byte;
  document.view.text_scale = text;
  document.pinned.schedule = kind == ScheduleKind::Standard ? ScheduleKind::FlashV2 : ScheduleKind::Standard;
  document.cursor = 3000;
  return document;
}

constexpr std::tuple<int, int, double> kSizes[] = {
    {1280, 720, 1.0}, {1600, 900, 1.0}, {1280, 720, 1.5}, {1600, 900, 1.5}};

}  // namespace

TEST_CASE("Shift+C and a click open the pipes, and again the lanes") {
  Headless head(picture_document(), 1600, 900, true);
  head.frames(2);
  CHECK(head.press(Key::C, false, true) == Commands{Action::ShowPipes});
  CHECK(head.session->page() == Page::Compare);
  CHECK(head.ui.rects.find("pipes/track 1"));
  CHECK_FALSE(head.ui.rects.find("compare/bytes"));
  CHECK(head.click("pipes/pipes") == Commands{Action::ShowPipes});
  CHECK_FALSE(head.ui.rects.find("pipes/track 1"));
  CHECK(head.click("lanes/pipes") == Commands{Action::ShowPipes});
  CHECK(head.ui.rects.find("pipes/track 1"));
  CHECK(head.click("pipes/pace") == Commands{Action::NextPace});
  CHECK(head.click("pipes/play") == Commands{Action::PlayPause});
  CHECK(head.click("pipes/forward") == Commands{Action::TileForward});
}

TEST_CASE("a pipe with a label says how many bytes it moves, below its words where it is narrow") {
  int narrow = 0;
  for (const auto& [w, h, text] : kSizes)
    for (const ScheduleKind pinned : {ScheduleKind::FlashV1, ScheduleKind::FlashV2}) {
      Document document = real_size(ScheduleKind::Standard, text);
      document.pinned.schedule = pinned;
      document.problem.shape.n_q = document.problem.shape.n_kv = 8192;
      document.problem.shape.heads = document.problem.shape.kv_heads = 32;
      Headless head(document, w, h, true);
      head.frames(3);
      const Font& font = head.theme.fonts.tiny;
      INFO(w << "x" << h << ", text " << text);
      for (const auto& [name, pipe] : head.ui.rects.all())  // the words about SRAM give way
        if (name.starts_with("pipes/pipe ")) CHECK(pipe.height() >= 95 * head.theme.s);
      for (const auto& [name, label] : head.ui.rects.all()) {
        if (!name.starts_with("pipes/label of pipe ")) continue;
        INFO(name);
        const draw::Rect pipe = head.rect("pipes/" + name.substr(std::string("pipes/label of ").size()));
        CHECK(within(label, pipe));
        const bool whole = label.width() >= draw::text_width(font, "pass 1, read");
        // The bytes alone, where the direction does not fit beside the dots or in the width.
        const bool low = pipe.height() < 5 * draw::leading(font),
                   thin = pipe.width() - 6 * head.theme.s < draw::text_width(font, "written");
        CHECK(label.height() >= (low || thin ? 0.9f : 1.9f) * draw::leading(font));
        narrow += !whole;
      }
    }
  CHECK(narrow > 0);
}

TEST_CASE("no unit is on a line of its own: a caption says which unit the numbers of narrow pipes have") {
  int alone = 0;
  for (const bool presents : {false, true})
    for (const auto& [w, h, text] : kSizes) {
      Document document = real_size(ScheduleKind::FlashV2, text);
      document.problem.shape.n_q = document.problem.shape.n_kv = 8192;
      document.problem.shape.heads = document.problem.shape.kv_heads = 32;
      Headless head(document, w, h, true);
      if (presents) head.session->dispatch(Action::Present);
      head.frames(3);
      INFO(w << "x" << h << ", text " << text << ", presented " << presents);
      const PipesModel m = *head.models<ComparePage>().pipes;
      CHECK(m.unit == "GiB");
      for (std::size_t side = 0; side < 2; ++side) {
        bool any = false;
        for (const Pipe& pipe : m.sides[side].pipes) {
          const auto label =
              head.ui.rects.find(fmt::format("pipes/label of pipe {} {} {} {}", side, name_of(pipe.tensor),
                                             pipe.section, pipe.write ? "write" : "read"));
          if (!label) continue;
          const Font& font = head.theme.fonts.tiny;
          const std::string bytes = format_bytes(pipe.bytes);
          any |= label->width() > draw::text_width(font, pipe.number) && label->width() < draw::text_width(font, bytes);
        }
        if (any) CHECK(head.ui.rects.find(fmt::format("pipes/unit {}", side)));
        alone += any;
      }
    }
  CHECK(alone >= 3);
}

TEST_CASE("where bytes cross, dots are in sight at both ends of a pipe's label") {
  int labels = 0;
  for (const auto& [w, h, text] : kSizes) {
    Document document = picture_document();
    document.view.text_scale = text;
    document.cursor = 44;
    Headless head(document, w, h);
    for (const Command& command : head.session->opening(Page::Compare)) head.session->dispatch(command);
    head.frames(3);
    const PipesModel m = *head.models<ComparePage>().pipes;
    for (std::size_t side = 0; side < 2; ++side)
      for (const Pipe& pipe : m.sides[side].pipes) {
        if (pipe.state != PipeState::Now) continue;
        const std::string id =
            fmt::format("pipe {} {} {} {}", side, name_of(pipe.tensor), pipe.section, pipe.write ? "write" : "read");
        const auto label = head.ui.rects.find("pipes/label of " + id);
        if (!label) continue;
        INFO(w << "x" << h << ", text " << text << ", " << id);
        CHECK(head.rect("pipes/" + id).height() - label->height() >= 20 * head.theme.s);
        ++labels;
      }
  }
  CHECK(labels >= 4);
}

// The words beside the bytes moved are all of them, or a part that ends at a separator, and none is elided.
static bool is_whole(const Headless& head, int side, const PipeSide& m) {
  const Fonts& fonts = head.theme.fonts;
  const float wide = head.rect("pipes/moved " + std::to_string(side)).width(), gap = 10 * head.theme.s;
  std::string brief = m.of;
  const std::string ways = ", read and written";
  if (const std::size_t at = brief.find(ways); at != std::string::npos) brief.erase(at, ways.size());
  for (const std::string& of : {m.of, brief})
    for (const std::size_t end : {of.size(), of.find(" · "), of.find(", ")}) {
      const float words = draw::text_width(fonts.body, of.substr(0, end));
      if (std::fabs(wide - draw::text_width(fonts.title, m.moved) - gap - words) < 2) return true;
    }
  return false;
}

TEST_CASE("the win is the largest figure of the page at every size of text, and about 80 pixels high at 1600x900") {
  for (const auto& [w, h, text] : kSizes)
    for (const bool dark : {true, false}) {
      INFO(w << "x" << h << ", text " << text);
      Document document = picture_document();
      document.view.dark = dark;
      document.view.text_scale = text;
      Headless head(document, w, h);
      for (const Command& command : head.session->opening(Page::Compare)) head.session->dispatch(command);
      head.frames(3);
      const PipesModel m = *head.models<ComparePage>().pipes;
      const draw::Rect ratio = head.rect("pipes/ratio");
      CHECK(m.ratio == "5.9×");
      CHECK(ratio.height() > 1.3f * head.theme.fonts.figure.size);
      for (int i = 0; i < 2; ++i)
        CHECK(head.rect("pipes/share " + std::to_string(i)).height() == Approx(head.theme.fonts.figure.size));
      CHECK(ratio.x0 >= head.rect("pipes/pipe 1 L 0 write").x1);
      CHECK(within(ratio, {head.layout.page.x0, head.rect("pipes/area 1 S").y1, head.layout.page.x1,
                           head.rect("pipes/sram 1").y0}));
      if (w == 1600 && text == 1) CHECK(head.theme.fonts.win.em == Approx(80).epsilon(0.01));
      if (w == 1600 && text == 1) CHECK(ratio.height() >= 80);
      for (int i = 0; i < 2; ++i) CHECK(is_whole(head, i, m.sides[i]));
    }
}

TEST_CASE("in very large text the words beside the bytes moved are fewer, and whole") {
  for (const ScheduleKind kind : {ScheduleKind::FlashV2, ScheduleKind::Standard}) {
    Headless head(real_size(kind, 2), 1280, 720);
    head.frames(3);
    const PipesModel m = *head.models<ComparePage>().pipes;
    for (int i = 0; i < 2; ++i) CHECK(is_whole(head, i, m.sides[i]));
  }
}

TEST_CASE("naive is at the left of the pipes whether it is the pinned side or the one that is stepped") {
  for (const ScheduleKind kind : {ScheduleKind::FlashV2, ScheduleKind::Standard}) {
    Headless head(real_size(kind), 1600, 900);
    head.frames(3);
    const std::string naive = kind == ScheduleKind::Standard ? "1" : "0", other = naive == "1" ? "0" : "1";
    CHECK(head.rect("pipes/sram " + naive).x1 < head.rect("pipes/sram " + other).x0);
    CHECK(head.rect("pipes/share " + naive).x1 < head.rect("pipes/share " + other).x0);
    CHECK(head.rect("pipes/track " + naive).y1 < head.rect("pipes/track " + other).y0);
  }
}

TEST_CASE("the picture of the matrix is drawn on both sides with its legend, or on neither") {
  int with = 0, without = 0;
  for (const auto& [w, h, text] : kSizes) {
    INFO(w << "x" << h << ", text " << text);
    Headless head(real_size(ScheduleKind::FlashV2, text), w, h);
    head.frames(3);
    const bool drawn = head.ui.rects.find("pipes/matrix 0").has_value();
    CHECK(head.ui.rects.find("pipes/matrix 1").has_value() == drawn);
    (drawn ? with : without) += 1;
    for (const char* side : {"0", "1"}) {
      const std::optional<draw::Rect> legend = head.ui.rects.find("pipes/legend " + std::string(side));
      CHECK(legend.has_value() == drawn);
      if (!drawn) continue;
      CHECK(within(*legend, head.rect("pipes/sram " + std::string(side))));
      CHECK(within(head.rect("pipes/matrix " + std::string(side)), head.rect("pipes/sram " + std::string(side))));
    }
  }
  CHECK(with > 0);
  CHECK(without > 0);
}

TEST_CASE("the lanes get back the pace that the pipes replaced, and keep one that was chosen") {
  Headless head(picture_document(), 1600, 900, true);
  const auto pace_after = [&](std::initializer_list<Action> actions) {
    for (const Action action : actions) head.session->dispatch(action);
    return head.session->document().view.pace;
  };
  CHECK(pace_after({Action::ShowPipes}) == Pace::Byte);
  CHECK(pace_after({Action::ShowPipes}) == Pace::Tile);
  head.session->dispatch(SetPace{Pace::Byte});  // chosen among the lanes
  CHECK(pace_after({Action::ShowPipes, Action::ShowPipes}) == Pace::Byte);
  head.session->dispatch(SetPace{Pace::Tile});  // chosen in the pipes, all the way round
  CHECK(pace_after({Action::ShowPipes}) == Pace::Byte);
  CHECK(pace_after({Action::NextPace, Action::NextPace, Action::NextPace, Action::NextPace}) == Pace::Byte);
  CHECK(pace_after({Action::ShowPipes}) == Pace::Byte);
}

TEST_CASE("a click on the lower track goes to the step that has moved so many bytes") {
  Headless head(real_size(ScheduleKind::Standard), 1600, 900, true);
  head.frames(2);
  const draw::Rect track = head.rect("pipes/track 1");
  head.click(track.x0 + track.width() / 2, (track.y0 + track.y1) / 2);
  const PipeSide side = head.models<ComparePage>().pipes->sides[1];
  CHECK(double(side.bytes) / double(side.of_bytes) == Approx(0.5).margin(0.01));
}

TEST_CASE("pipes are as wide as their bytes a visit on one scale, and stand within their side") {
  for (const ScheduleKind kind : {ScheduleKind::FlashV2, ScheduleKind::Standard})
    for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, std::tuple{1600, 900, 1.0},
                                     std::tuple{3840, 2160, 1.0}, std::tuple{1280, 720, 1.5}}) {
      INFO(name_of(kind) << ", " << w << "x" << h << ", text " << text);
      Headless head(real_size(kind, text), w, h);
      CHECK(head.frames(3).empty());
      CHECK(finite(*ImGui::GetDrawData()));
      CHECK(ImGui::GetDrawData()->TotalVtxCount < 90000);
      const PipesModel m = *head.models<ComparePage>().pipes;
      double scale = 0;
      for (int i = 0; i < 2; ++i) {
        float end = 0;
        for (const Pipe& pipe : m.sides[i].pipes) {
          const draw::Rect r = head.rect("pipes/pipe " + std::to_string(i) + " " + name_of(pipe.tensor) + " " +
                                         std::to_string(pipe.section) + (pipe.write ? " write" : " read"));
          CHECK(within(r, head.layout.page));
          CHECK(r.x0 >= end);  // side by side
          end = r.x1;
          if (r.width() < 8) continue;  // the least width of any pipe
          if (scale == 0) scale = double(r.width()) / pipe.visit_bytes;
          CHECK(double(r.width()) == Approx(scale * pipe.visit_bytes).epsilon(0.01));
        }
      }
      CHECK(scale > 0);
      for (const char* part : {"pipes/ratio", "pipes/moved 0", "pipes/moved 1"}) {
        INFO(part);
        CHECK(within(head.rect(part), head.layout.page));
      }
      const auto moved = [&](int side) { return head.rect("pipes/moved " + std::to_string(side)); };
      CHECK(moved(m.left).x1 <= moved(1 - m.left).x0);
    }
}

TEST_CASE("the names above small areas of a side stand on one line") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(real_size(ScheduleKind::Standard), w, h);
    head.frames(2);
    const PipesModel m = *head.models<ComparePage>().pipes;
    for (int i = 0; i < 2; ++i) {
      const draw::Rect q = head.rect("pipes/name " + std::to_string(i) + " Q");
      for (const PipeArea& area : m.sides[i].areas)
        if (const auto name = head.ui.rects.find("pipes/name " + std::to_string(i) + " " + name_of(area.tensor));
            name && head.rect("pipes/area " + std::to_string(i) + " " + name_of(area.tensor)).height() < q.height())
          CHECK(name->y0 == Approx(q.y0));
    }
  }
}

TEST_CASE("areas in HBM are to scale") {
  Headless head(real_size(ScheduleKind::Standard), 1600, 900);
  head.frames(2);
  const PipesModel m = *head.models<ComparePage>().pipes;
  double scale = 0;
  for (int i = 0; i < 2; ++i)
    for (const PipeArea& area : m.sides[i].areas) {
      if (area.over) {  // it is in the area of the tensor that it replaces
        CHECK_FALSE(head.ui.rects.find("pipes/area " + std::to_string(i) + " " + name_of(area.tensor)));
        continue;
      }
      const draw::Rect r = head.rect("pipes/area " + std::to_string(i) + " " + name_of(area.tensor));
      const double pixels = double(r.width()) * double(r.height());
      if (pixels < 30) continue;  // the least size of any area
      if (scale == 0) scale = pixels / double(area.bytes);
      CHECK(pixels == Approx(scale * double(area.bytes)).epsilon(0.02));
    }
  CHECK(scale > 0);
}

TEST_CASE("the pipes of every pair of schedules can be drawn, in both themes") {
  for (const ScheduleKind kind : all_schedules())
    for (const bool dark : {true, false}) {
      INFO(name_of(kind));
      Document document = test::with_schedule(kind);
      document.view.dark = dark;
      document.view.page = Page::Compare;
      document.view.filling = Filling::Pipes;
      Headless head(document, 1280, 720, true);
      CHECK(head.frames(3).empty());
      CHECK(finite(*ImGui::GetDrawData()));
      head.session->dispatch(Action::Last);
      CHECK(head.frames(3).empty());
      CHECK(head.models<ComparePage>().pipes);
    }
}

TEST_CASE("the two stills are one click away, from either side") {
  for (const ScheduleKind kind : {ScheduleKind::FlashV2, ScheduleKind::Standard}) {
    INFO(name_of(kind));
    Headless head(real_size(kind), 1600, 900, true);
    head.frames(2);
    head.click("pipes/still 0");
    head.frames(2);
    const auto pipes = [&] { return *head.models<ComparePage>().pipes; };
    const PipesModel ended = pipes();
    REQUIRE(ended.lighter == 1);
    CHECK(ended.sides[1].title == "FA-2");
    CHECK(ended.sides[1].bytes == ended.sides[1].of_bytes);
    const double share = double(ended.sides[0].bytes) / double(ended.sides[0].of_bytes);
    CHECK(share == Approx(double(ended.sides[1].of_bytes) / double(ended.sides[0].of_bytes)).margin(0.01));
    head.click("pipes/still 1");
    head.frames(2);
    const PipesModel second = pipes();
    CHECK(second.sides[1].title == "Naive");
    CHECK(second.sides[1].heading.find("pass 2 of 3") != std::string::npos);
    CHECK(second.sides[0].bytes == second.sides[0].of_bytes);
  }
}

TEST_CASE("beside nothing pinned, the pipes show naive attention, and the lanes the schedule before") {
  Headless head(picture_document(), 1600, 900, true);
  head.session->dispatch(Action::ShowPipes);
  CHECK(head.session->compare().baseline().schedule == ScheduleKind::Standard);
  head.session->dispatch(Action::ShowPipes);
  CHECK(head.session->compare().baseline().schedule == ScheduleKind::FlashV1);
}
