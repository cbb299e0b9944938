// The last card: its keys and buttons, and its parts in windows from small to large, in large text too.
#include <algorithm>
#include <string>
#include <vector>

#include "base/replace_all.h"
#include "core/schedules/registry.h"
#include "pages/walk/walk_page.h"
#include "session/lesson/lesson_file.h"
#include "tests/ui/headless.h"
#include "ui/panels/export_panel.h"

using namespace tilewalk;
using tilewalk::test::finite;
using tilewalk::test::give_recorded_check;
using tilewalk::test::Headless;
using tilewalk::test::holds;
using tilewalk::test::picture_document;
using tilewalk::test::within;

namespace {

Document finished(ScheduleKind kind = ScheduleKind::FlashV2, double text = 1) {
  Document document = picture_document();
  document.problem.schedule = kind;
  document.problem.machine.sram_bytes = 1 << 16;
  document.view.text_scale = text;
  document.cursor = 1 << 30;
  return document;
}

// The parts of the card from the top down.
const char* const kParts[] = {"card/moved", "card/check", "card/never existed", "card/back", "card/save"};

}  // namespace

TEST_CASE("the end shows the card instead of the matrix and the column; Esc and a click close it") {
  Headless head(finished(), 1600, 900, true);
  head.frames(2);
  CHECK(head.ui.rects.find("card/check"));
  CHECK_FALSE(head.ui.rects.find("scores/matrix"));
  CHECK(head.press(Key::Escape) == Commands{Action::CloseLastCard});
  head.frames(2);
  CHECK_FALSE(head.ui.rects.find("card/check"));
  CHECK(head.ui.rects.find("scores/matrix"));
  head.press(Key::End, false, true);
  CHECK(head.ui.rects.find("card/check"));
  CHECK(head.click("card/close") == Commands{Action::CloseLastCard});
  CHECK(head.ui.rects.find("scores/matrix"));
  head.press(Key::Left);
  head.press(Key::End);
  CHECK(head.ui.rects.find("card/check"));
}

TEST_CASE("the card has bars of the bytes and of the time of both ways, as wide as the same scale makes them") {
  Document large = finished();
  large.problem.shape.n_q = large.problem.shape.n_kv = 8192;
  large.problem.shape.d = 64;
  large.problem.shape.heads = 16;
  large.problem.numerics.dtype = DType::Bf16;
  large.problem.tiling.br = large.problem.tiling.bc = 64;
  large.problem.machine.sram_bytes = 1 << 17;
  for (const bool is_large : {false, true}) {
    Headless head(is_large ? large : finished());
    head.frames(2);
    for (const char* bar : {"bar FA-2", "bar Naive"}) CHECK(head.ui.rects.find(std::string("card/") + bar));
    CHECK(head.ui.rects.find("card/time FA-2").has_value() == is_large);
    CHECK(head.ui.rects.find("card/time Naive").has_value() == is_large);
    const WalkPage page = head.models<WalkPage>();
    const LastCard& card = *page.last_card;
    CHECK_FALSE(card.times.title.empty());
    if (!is_large) continue;
    REQUIRE(card.times.bars.size() == 2);
    CHECK(card.times.bars[0].share < card.times.bars[1].share);
    CHECK(card.times.bars[1].share == 1);
  }
}

TEST_CASE("rows and columns of a large result and heads beside a long walk have few numbers, in equal steps") {
  Document large = finished();
  large.problem.shape = {.batch = 2, .heads = 32, .kv_heads = 32, .n_q = 1024, .n_kv = 1024, .d = 64};
  large.problem.tiling.br = large.problem.tiling.bc = 64;
  large.problem.machine.sram_bytes = 1 << 17;
  {
    Headless head(large, 1280, 720, true);
    head.frames(3);
    for (const std::string before : {"card/row number ", "card/column number ", "transport/group "}) {
      std::vector<std::int64_t> at;
      for (const auto& [place, r] : head.ui.rects.all()) {
        if (!place.starts_with(before)) continue;
        std::string number = place.substr(before.size());
        replace_all(number, ",", "");
        at.push_back(std::stoll(number));
      }
      std::sort(at.begin(), at.end());
      INFO(before << at.size());
      REQUIRE(at.size() > 3);
      CHECK(at.size() < 13);
      for (std::size_t i = 0; i < at.size(); ++i) CHECK(at[i] == std::int64_t(i) * at[1]);
    }
  }
  large.problem.shape.n_q = large.problem.shape.n_kv = 4096;  // 64 tiles each way
  large.cursor = 0;
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}}) {
    Headless start(large, w, h, true);
    start.frames(3);
    for (const char* const heads : {"scores/row head ", "scores/column head "}) {
      std::size_t named = 0;
      for (const auto& [place, r] : start.ui.rects.all()) named += place.starts_with(heads);
      INFO(w << "x" << h << ", " << heads << named);
      CHECK((named > 3 && named < 13));
    }
  }
}

TEST_CASE("the heading of the card of a long walk is whole at every size") {
  Document large = finished();
  large.problem.schedule = ScheduleKind::FlashV3;
  large.problem.shape.n_q = large.problem.shape.n_kv = 8192;
  large.problem.shape.d = 64;
  large.problem.shape.batch = 2, large.problem.shape.heads = large.problem.shape.kv_heads = 32;
  large.problem.numerics.dtype = DType::Bf16;
  large.problem.tiling.br = large.problem.tiling.bc = 128;
  large.problem.machine.sram_bytes = 1 << 18;
  large.problem.shape.mask.kind = MaskKind::Causal;  // the heading has the skipped tiles too
  for (const auto& [w, h] : {std::pair(1280, 720), std::pair(1600, 900)}) {
    Headless head(large, w, h);
    head.frames(2);
    REQUIRE(head.ui.rects.find("card/heading"));
    INFO(w << "x" << h);
    CHECK(head.rect("card/heading").x1 <= head.rect("card/close").x0);
  }
}

TEST_CASE("each way on from the card gives its commands") {
  Headless head(finished());
  head.frames(2);
  CHECK(head.click("card/back") == Commands{RunToTile{0, 0}});
  CHECK(head.click("card/break") == Commands{Action::ShowFaults});
  CHECK(head.click("card/lesson") == Commands{OpenLesson{7}});
  CHECK(holds(head.click("card/compare"), PinSchedule{ScheduleKind::Standard}));
  CHECK(head.click("card/save") == Commands{Action::ShowExport});
  CHECK(head.ui.of<ExportUi>().kind == ExportKind::Picture);
  CHECK(head.ui.of<ExportUi>().square);
  CHECK(head.ui.of<ExportUi>().path == "post.png");
}

TEST_CASE("the way back plays backwards to the first tile") {
  Headless head(finished());
  head.session->dispatch(RunToTile{0, 0});
  CHECK(head.session->walk().playback().playing);
  CHECK(head.session->walk().playback().direction == -1);
}

TEST_CASE("Enter takes the way that is drawn as the first, unless a dialog or keyboard navigation has the keys") {
  {
    Headless head(finished());
    head.frames(2);
    CHECK(head.press(Key::Enter) == Commands{OpenLesson{7}});
  }
  {
    Headless head(finished());
    head.frames(2);
    head.session->dispatch(Action::ShowFaults);
    head.frames(2);
    CHECK_FALSE(holds(head.press(Key::Enter), OpenLesson{7}));
  }
  {
    Headless head(finished());
    head.frames(2);
    head.press(Key::Tab);
    CHECK_FALSE(holds(head.press(Key::Enter), OpenLesson{7}));
  }
}

TEST_CASE("nothing on the card is cut off or drawn over, from small windows to large ones, in large text too") {
  for (const auto& [w, h, text] :
       {std::tuple{1280, 720, 1.0}, std::tuple{1600, 900, 1.0}, std::tuple{3840, 2160, 1.0}, std::tuple{1280, 720, 1.5},
        std::tuple{1600, 900, 1.5}, std::tuple{3840, 2160, 1.5}}) {
    INFO(w << "x" << h << ", text " << text);
    Headless head(finished(ScheduleKind::FlashV2, text), w, h);
    give_recorded_check(head);
    CHECK(head.frames(3).empty());
    CHECK(finite(*ImGui::GetDrawData()));
    const draw::Rect card = head.layout.scores.joined(head.layout.side);
    float above = card.y0;
    for (const char* part : kParts) {
      INFO(part);
      const draw::Rect r = head.rect(part);
      CHECK(within(r, card));
      CHECK(r.y0 >= above - 1);
      above = r.y1;
    }
    const draw::Rect cells = head.rect("card/cells O");
    CHECK(within(cells, card));
    CHECK(cells.x1 <= head.rect("card/check").x0);
    CHECK_FALSE(head.ui.rects.find("traffic/panel"));  // the card has its bytes
    CHECK(head.rect("transport/panel").x1 == Approx(head.layout.page.x1));
    if (w > 1280) CHECK(within(head.rect("card/bar FA-2"), card));
    CHECK(head.ui.rects.find("card/numbers"));
    // The ways on do not touch each other.
    for (const auto& [a, b] : {std::pair{"card/lesson", "card/break"}, std::pair{"card/compare", "card/back"}}) {
      const draw::Rect one = head.rect(a), other = head.rect(b);
      CHECK((one.x1 <= other.x0 || one.y1 <= other.y0));
    }
    CHECK(head.rect("card/ratio").x1 <= card.x1);
    CHECK((head.rect("card/ratio").x0 >= head.rect("card/moved").x1 ||
           head.rect("card/ratio").y0 >= head.rect("card/moved").y1 - 1));
  }
}

TEST_CASE("the card draws every schedule's results, large ones as colours, in both themes") {
  for (const ScheduleKind kind : all_schedules())
    for (const bool dark : {true, false}) {
      INFO(name_of(kind));
      Document document = finished(kind);
      document.view.dark = dark;
      Headless head(document, 1280, 720);
      CHECK(head.frames(3).empty());
      CHECK(finite(*ImGui::GetDrawData()));
      CHECK(head.ui.rects.find(is_backward(kind) ? "card/cells dV" : "card/cells O"));
    }
  Document large = finished();
  large.problem.shape.n_q = large.problem.shape.n_kv = 512;
  large.problem.shape.d = 64;
  large.problem.tiling.br = large.problem.tiling.bc = 64;
  large.problem.machine.sram_bytes = 1 << 20;
  Headless head(large);
  head.frames(2);
  CHECK(head.ui.rects.find("card/colours"));
  CHECK(ImGui::GetDrawData()->TotalVtxCount < 90000);
}

TEST_CASE("a lesson has no last card") {
  Headless head(picture_document(), 1600, 900, true, [](SessionSetup& setup) {
    setup.load_lessons = [] { return load_lessons(TILEWALK_SOURCE_DIR "/assets/lessons"); };
    setup.presets = *load_presets(TILEWALK_SOURCE_DIR);
  });
  head.session->dispatch(OpenLesson{7, 3});
  head.session->dispatch(Action::Last);
  head.frames(3);
  CHECK(head.session->walk().at_end());
  CHECK_FALSE(head.ui.rects.find("card/check"));
  CHECK(head.ui.rects.find("scores/matrix"));
}

TEST_CASE("in large text the last card has the page above the buttons, and scrolls in it") {
  for (const double text : {2.0, 3.0}) {
    Document document = picture_document();
    document.view.text_scale = text;
    Headless head(document, 1600, 900, true);
    head.session->dispatch(Action::LastCard);
    head.frames(4);
    const draw::Rect card = head.rect("card/panel");
    CHECK(within(card, head.layout.page));
    CHECK(card.width() > 0.9f * head.layout.page.width());
    CHECK(card.y1 <= head.layout.transport.y0);
    CHECK_FALSE(head.ui.rects.find("memory/panel"));
    CHECK_FALSE(head.ui.rects.find("traffic/panel"));
  }
}

TEST_CASE("at 150 % text all of SRAM is in view beside the last card") {
  for (const auto& [w, h] : {std::pair{1600, 900}, {1920, 1080}}) {
    INFO(w << "x" << h);
    Headless head(finished(ScheduleKind::FlashV2, 1.5), w, h, true);
    head.session->dispatch(Action::LastCard);
    head.frames(4);
    CHECK(within(head.rect("memory/sram title"), head.layout.memory));
  }
}

TEST_CASE("a wrong result's row is drawn as it is above the row as it should be, at every size") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, {1600, 900, 1.0}, {1600, 900, 1.5}, {3840, 2160, 1.0}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = finished(ScheduleKind::FlashV2, text);
    document.problem.fault = Fault::ForgetRescaleO;
    Headless head(document, w, h);
    CheckReport report;
    report.verdict = Verdict::Diverged;
    report.against = CheckAgainst::Recording;
    report.first = Divergence{};
    head.session->dispatch(ReportCheck{report, head.session->problem_revision()});
    head.frames(3);
    const draw::Rect wrong = head.rect("card/wrong row"), right = head.rect("card/right row");
    CHECK(wrong.y0 >= head.rect("card/check").y1);
    CHECK(right.y0 >= wrong.y1);
    CHECK(right.y1 <= head.rect("card/never existed").y0);
    CHECK(right.x0 == wrong.x0);
    CHECK(right.x1 <= head.rect("card/check").x1);
  }
}

TEST_CASE("a square card for a post is filled: O beside the matrix that was never stored, down to the edge") {
  for (const ScheduleKind kind : {ScheduleKind::FlashV2, ScheduleKind::Standard, ScheduleKind::Backward})
    for (const int side : {720, 1200}) {
      INFO(int(kind) << " at " << side);
      Headless head(finished(kind), side, side, false);
      head.post = true;
      head.frames(3);
      const draw::Rect picture = head.rect("card/scores picture"), words = head.rect("card/never existed"),
                       check = head.rect("card/check"), window{0, 0, float(side), float(side)};
      CHECK(within(words, window));
      CHECK(within(picture, words));
      CHECK(picture.width() > 0.28f * float(side));
      CHECK(picture.width() == Approx(picture.height()));
      CHECK(words.y0 > check.y1);
      CHECK(words.y1 > 0.95f * float(side));
      CHECK(words.x1 == Approx(check.x1));
      CHECK(head.rect(kind == ScheduleKind::Backward ? "card/cells dV" : "card/cells O").x1 < words.x0);
    }
}
