// Small windows and large text: what shrinks, and what does not.
#include <algorithm>
#include <fstream>
#include <sstream>

#include "core/schedules/registry.h"
#include "pages/walk/walk_page.h"
#include "session/lesson/lesson_file.h"
#include "tests/ui/headless.h"
#include "ui/panels/walk/code_panel.h"
#include "view/pages.h"

using namespace tilewalk;
using tilewalk::test::give_recorded_check;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;
using tilewalk::test::use_fonts;

namespace {

Document long_title() {
  Document d = picture_document();
  d.problem.shape.heads = 4;
  d.problem.shape.kv_heads = 2;
  d.problem.numerics.dtype = DType::Fp16;
  return d;
}

// Where the walk scrolls, the schedules are its last panel.
void scroll_to_end(Headless& head) {
  if (!is_compact(head.layout) || !flows(*find_panel("schedules"), head.layout)) return;
  inject_mouse(head.layout.page.x1 - 4, head.layout.flow.y0 + 20, false);
  head.frames(2);
  for (int i = 0; i < 12; ++i) inject_wheel(-5), head.frames(3);
  CHECK(test::within(head.rect("schedules/panel"), head.layout.flow));
}

}  // namespace

TEST_CASE("header and strip have room for pages, call, schedules and problem, also in small windows with large text") {
  for (const auto& [w, h, text] : {std::tuple{1600, 900, 1.0}, std::tuple{1280, 720, 1.0}, std::tuple{1280, 720, 1.5},
                                   std::tuple{1024, 640, 1.3}, std::tuple{1280, 720, 2.5}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = long_title();
    document.view.text_scale = text;
    Headless head(document, w, h);
    give_recorded_check(head);
    head.frames(2);
    const auto stands = [&](const std::string& id, const draw::Rect& in) {
      const auto r = head.ui.rects.find(id);
      INFO(id);
      if (r) CHECK(test::within(*r, in));
      return r.has_value();
    };
    const draw::Rect &header = head.layout.header, &strip = head.layout.schedules;
    for (const char* id : {"Walk", "call", "call n-q", "badge", "more", "keys"})
      CHECK(stands("header/" + std::string(id), header));
    CHECK(head.click("header/call") == Commands{Action::EditCallDialog});
    head.session->dispatch(Action::CloseDialog);
    CHECK(stands("schedules/problem", strip));
    scroll_to_end(head);
    CHECK(head.click("schedules/problem") == Commands{Action::EditProblem});
    head.session->dispatch(Action::CloseDialog);
    head.frames(2);
    // In the list of further commands, if there is no space.
    if (!head.ui.rects.find("schedules/presets")) head.click("header/more");
    const bool listed = head.ui.rects.find("header/presets").has_value();
    CHECK(head.click(listed ? "header/presets" : "schedules/presets") == Commands{Action::ShowPresets});
    head.session->dispatch(Action::CloseDialog);
    CHECK(head.click("header/keys") == Commands{Action::ShowKeys});
    head.session->dispatch(Action::CloseDialog);
    head.frames(2);

    // Tabs, or a list instead of them.
    const bool tabs = !head.ui.rects.find("schedules/schedules");
    for (const ScheduleKind kind : all_schedules())
      CHECK(bool(head.ui.rects.find("schedules/" + std::string(name_of(kind)))) == tabs);
    if (text == 1.0 && w >= 1280) CHECK(tabs);
    // Pages whose tab does not fit are in a list after the tabs, which says how many they are.
    int unseen = 0;
    for (const PageRow& page : pages()) unseen += !head.ui.rects.find(std::string("header/") + page.title);
    CHECK(stands("header/more pages", header) == (unseen > 0));
    for (const PageRow& page : pages()) {
      const std::string id = std::string("header/") + page.title;
      if (!head.ui.rects.find(id)) {
        CHECK(text > 1.0);
        head.click("header/more pages");
        head.frames(1);
      }
      CHECK(head.ui.rects.find(id));
      head.press(Key::Escape);
      head.frames(1);
    }
  }
}

TEST_CASE("the tab of the page on screen is always there") {
  Document document = picture_document();
  document.view.text_scale = 2.5;
  Headless head(document, 1280, 720, true);
  for (const PageRow& page : pages()) {
    head.session->dispatch(ShowPage{page.page});
    head.frames(2);
    const auto tab = head.ui.rects.find(std::string("header/") + page.title);
    INFO(page.title);
    REQUIRE(tab);
    CHECK(test::within(*tab, head.layout.header));
  }
}

TEST_CASE("the header does not move when the badge changes or another page opens") {
  for (const auto& [w, h] : {std::pair{1280, 720}, std::pair{1600, 900}, std::pair{1920, 1080}}) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h, true);
    head.frames(2);
    const auto places = [&] {
      std::vector<draw::Rect> out;
      for (const char* id : {"header/learn", "header/Race", "header/call", "header/more", "header/keys"})
        out.push_back(head.rect(id));
      return out;
    };
    const auto same = [](const std::vector<draw::Rect>& a, const std::vector<draw::Rect>& b) {
      return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                        [](const draw::Rect& x, const draw::Rect& y) { return x.x0 == y.x0 && x.x1 == y.x1; });
    };
    const auto before = places();
    give_recorded_check(head);
    head.frames(2);
    CHECK(same(places(), before));
    for (const PageRow& page : pages()) {
      head.session->dispatch(ShowPage{page.page});
      head.frames(2);
      CHECK(same(places(), before));
    }
  }
}

TEST_CASE("a list of the schedules replaces tabs that do not fit, and Esc closes only the list") {
  Document document = picture_document();
  document.view.text_scale = 2.5;
  Headless head(document, 1280, 720, true);
  head.session->dispatch(SelectCell{});
  REQUIRE(head.session->walk().selection());
  head.frames(2);
  scroll_to_end(head);
  const auto open = [&] {
    head.click("schedules/schedules");
    REQUIRE(head.ui.drop_down);
  };
  open();
  head.press(Key::Escape);
  CHECK_FALSE(head.ui.drop_down);
  CHECK(head.session->walk().selection());
  open();
  head.click("schedules/" + std::string(name_of(all_schedules().front())));
  CHECK(head.session->problem().schedule == all_schedules().front());
  CHECK_FALSE(head.ui.drop_down);
}

TEST_CASE("the source shows at least four lines from the first step on where the column need not scroll") {
  for (const ScheduleKind kind : all_schedules())
    for (const auto& [high, tile, text] :
         {std::tuple{720, 4, 0.8}, std::tuple{720, 4, 1.0}, std::tuple{800, 8, 0.8}, std::tuple{800, 8, 1.0}}) {
      INFO(name_of(kind) << ", tiles of " << tile << ", text " << text);
      Document document = picture_document();
      document.problem.schedule = kind;
      document.problem.machine.sram_bytes = 1 << 16;
      document.problem.tiling.br = document.problem.tiling.bc = tile;
      document.cursor = 0;
      document.view.text_scale = text;
      Headless head(document, 1280, high, true);
      for (std::int64_t k = 1; k <= head.session->schedule().step_count(); ++k) {
        INFO("step " << k);
        head.session->dispatch(GoToStep{k});
        head.frames(2);
        REQUIRE(head.ui.of<CodeUi>().lines >= 4);
      }
    }
}

TEST_CASE("the switch hides the source and shows it again; in a lesson it is off until asked for") {
  Headless head(picture_document(), 1600, 900, true, [](SessionSetup& setup) {
    setup.load_lessons = [] { return load_lessons(TILEWALK_SOURCE_DIR "/assets/lessons"); };
    setup.presets = *load_presets(TILEWALK_SOURCE_DIR);
  });
  const auto shows = [&] {
    head.ui.of<CodeUi>().lines = 0;
    head.frames(2);
    return head.ui.of<CodeUi>().lines >= 4;
  };
  CHECK(shows());
  head.click("side/code switch");
  CHECK_FALSE(shows());
  head.click("side/code switch");
  CHECK(shows());
  CHECK(head.press(Key::K, false, true) == Commands{Action::ToggleCode});
  CHECK_FALSE(shows());
  head.session->dispatch(Action::ToggleCode);
  head.session->dispatch(OpenLesson{7, 2});
  while (head.session->busy()) head.session->dispatch(Work{64});
  CHECK_FALSE(shows());
  head.session->dispatch(Action::ToggleCode);
  CHECK(shows());
  head.session->dispatch(OpenLesson{6, 1});
  CHECK_FALSE(shows());
  head.session->dispatch(Action::LeaveLesson);
  head.session->dispatch(GoToStep{1});
  CHECK(shows());
}

TEST_CASE("at 1280 by 720 the source shows code of the phase at every step, and no comment") {
  std::ifstream file(TILEWALK_SOURCE_DIR "/kernels/03_flash_v2.cu");
  std::stringstream text;
  text << file.rdbuf();
  Headless head(picture_document(), 1280, 720, true);
  head.builder = ViewBuilder({{ScheduleKind::FlashV2, parse_kernel("03_flash_v2.cu", text.str())}});
  for (std::int64_t k = 1; k < head.session->schedule().step_count(); ++k) {  // the last card has no source
    head.session->dispatch(GoToStep{k});
    head.frames(3);
    const CodeModel m = head.models<WalkPage>().code;
    const CodeUi& ui = head.ui.of<CodeUi>();
    INFO("step " << k << ", lines " << ui.top + 1 << " to " << ui.last + 1);
    bool seen = false;
    for (std::size_t i = 0; i < m.lit.size(); ++i)
      seen |= m.lit[i] && m.text->code.numbers[i] >= ui.top && m.text->code.numbers[i] <= ui.last;
    CHECK(seen);
  }
}

TEST_CASE(
    "the source opens at the first step of the walk, follows the step, and does not move at a step without lines") {
  std::string text = "__global__ void walk() {\n";
  for (int i = 0; i < 120; ++i) text += i == 60 ? "  // [Scores]\n" : i == 62 ? "\n" : "  x;\n";
  Headless head(picture_document());
  head.builder = ViewBuilder(
      {{ScheduleKind::FlashV2, parse_kernel("two.cu", text)}, {ScheduleKind::FlashV1, parse_kernel("one.cu", text)}});
  const auto top_after = [&](std::int64_t cursor) {
    head.session->dispatch(GoToStep{cursor});
    head.frames(3);
    return head.ui.of<CodeUi>().top;
  };
  REQUIRE(head.session->schedule().step(2).phase == Phase::Scores);
  const int opened = top_after(1);
  CHECK(opened > 40);
  CHECK(opened < 62);
  const int lit = top_after(3);
  CHECK(lit > 40);
  CHECK(lit < 62);
  CHECK(top_after(4) == lit);
  head.session->dispatch(SetSchedule{ScheduleKind::FlashV1});
  head.frames(3);
  CHECK(head.ui.of<CodeUi>().top > 40);
  CHECK(head.ui.of<CodeUi>().top < 62);
  head.session->dispatch(SetSchedule{ScheduleKind::FlashV2});
  CHECK(top_after(3) == lit);
}

TEST_CASE("the source shows the phase's lines after any change of the text's or the window's size") {
  std::string text = "__global__ void walk() {\n";
  for (int i = 0; i < 200; ++i)
    text += i == 90 ? "  // [Scores]\n" : i == 92 ? "\n" : i % 3 ? "  x;\n" : "  " + std::string(70, 'y') + " z;\n";
  Headless head(picture_document());
  head.builder = ViewBuilder({{ScheduleKind::FlashV2, parse_kernel("two.cu", text)}});
  head.session->dispatch(GoToStep{3});
  head.frames(3);
  for (const auto& [w, h, scale] :
       {std::tuple{1600, 900, 1.0}, std::tuple{1600, 900, 1.4}, std::tuple{1600, 900, 2.0}, std::tuple{1600, 900, 0.8},
        std::tuple{1280, 720, 1.5}, std::tuple{1280, 720, 1.0}, std::tuple{3840, 2160, 1.0}}) {
    INFO(w << "x" << h << ", text " << scale);
    head.resize(w, h);
    use_fonts(head.theme, automatic_scale(w, h) * float(scale));
    apply_style(head.theme);
    head.frames(4);
    CHECK(head.ui.of<CodeUi>().top <= 91);
    CHECK(head.ui.of<CodeUi>().last >= 92);
  }
}
