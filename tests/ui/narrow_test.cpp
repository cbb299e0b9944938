// Small windows and large text: what gives way, and what does not.
#include <algorithm>

#include "core/schedules/registry.h"
#include "tests/ui/headless.h"

using namespace tilewalk;
using tilewalk::test::give_recorded_check;
using tilewalk::test::Headless;
using tilewalk::test::holds;
using tilewalk::test::picture_document;

namespace {

Document long_title() {
  Document d = picture_document();
  d.problem.shape.heads = 4;
  d.problem.shape.kv_heads = 2;
  d.problem.numerics.dtype = DType::Fp16;
  return d;
}

// What a click somewhere along the header does, each thing once.
Commands along_header(Headless& head) {
  const draw::Rect& r = head.layout.header;
  Commands all;
  for (float x = r.x0 + 4; x < r.x1; x += 18 * head.theme.s)
    for (Command& c : head.click(x, (r.y0 + r.y1) / 2))
      if (std::find(all.begin(), all.end(), c) == all.end()) all.push_back(std::move(c));
  return all;
}

}  // namespace

TEST_CASE("the header has room for the problem, the schedules and the buttons, also in small windows with large text") {
  for (const auto& [w, h, text] : {std::tuple{1600, 900, 1.0}, std::tuple{1280, 720, 1.0}, std::tuple{1280, 720, 1.5},
                                   std::tuple{1024, 640, 1.3}, std::tuple{1280, 720, 2.5}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = long_title();
    document.view.text_scale = text;
    Headless head(document, w, h);
    give_recorded_check(head);
    head.frames(2);
    const Commands made = along_header(head);
    for (const Action action :
         {Action::EditProblem, Action::ShowRace, Action::ShowCompare, Action::ShowKeys}) {
      INFO("command " << int(action));
      CHECK(holds(made, action));
    }
    const auto tabs = std::count_if(made.begin(), made.end(),
                                    [](const Command& c) { return std::holds_alternative<SetSchedule>(c); });
    CHECK((tabs == 0 || tabs == std::int64_t(all_schedules().size()) - 1));  // a list in place of them, or all
    if (text == 1.0) {
      CHECK(tabs > 0);
      CHECK(holds(made, Action::ShowPresets));
    }
  }
}

TEST_CASE("where the tabs do not fit, a list of the schedules stands in their place, and Esc closes it alone") {
  Document document = picture_document();
  document.view.text_scale = 2.5;
  Headless head(document, 1280, 720, true);
  head.session->dispatch(SelectCell{});
  REQUIRE(head.session->walk().selection());
  head.frames(2);
  const float s = head.theme.s, y = (head.layout.header.y0 + head.layout.header.y1) / 2;
  const auto open = [&] {
    for (float x = head.layout.header.x0; x < head.layout.header.x1 && !head.ui.drop_down; x += 18 * s)
      head.click(x, y);
    REQUIRE(head.ui.drop_down);
  };
  for (float x = head.layout.header.x0; x < 430 && !head.ui.drop_down; x += 18 * s) head.click(x, y);
  REQUIRE(head.ui.drop_down);
  head.press(Key::Escape);
  CHECK_FALSE(head.ui.drop_down);
  CHECK(head.session->walk().selection());
  open();
  const float top = y + 15 * s + 4 * s + head.theme.pad();
  head.click(head.layout.header.x0 + 140 * s, top + 13 * s);  // the first of them
  CHECK(head.session->problem().schedule == all_schedules().front());
  CHECK_FALSE(head.ui.drop_down);
}

TEST_CASE("the source keeps four lines at every step where the column need not scroll") {
  for (const ScheduleKind kind : all_schedules())
    for (const double text : {0.8, 1.0, 1.15}) {
      INFO(name_of(kind) << ", text " << text);
      Document document = picture_document();
      document.problem.schedule = kind;
      document.problem.machine.sram_bytes = 1 << 16;
      document.problem.tiling.br = document.problem.tiling.bc = 8;
      document.cursor = 0;
      document.view.text_scale = text;
      Headless head(document, 1280, 720, true);
      for (std::int64_t k = 0; k <= head.session->schedule().step_count(); ++k) {
        INFO("step " << k);
        head.session->dispatch(GoToStep{k});
        head.frames(2);
        REQUIRE(head.ui.code_lines >= 4);
      }
    }
}

TEST_CASE("the source opens where the walk begins, follows the step, and stays where a step lights nothing") {
  std::string text = "__global__ void walk() {\n";
  for (int i = 0; i < 120; ++i) text += i == 60 ? "  // [Scores]\n" : i == 62 ? "\n" : "  x;\n";
  Headless head(picture_document());
  head.builder = ViewBuilder({{ScheduleKind::FlashV2, parse_kernel("two.cu", text)},
                              {ScheduleKind::FlashV1, parse_kernel("one.cu", text)}});
  const auto top_after = [&](std::int64_t cursor) {
    head.session->dispatch(GoToStep{cursor});
    head.frames(3);
    return head.ui.code_top;
  };
  REQUIRE(head.session->schedule().step(2).phase == Phase::Scores);
  const int opened = top_after(0);
  CHECK(opened > 40);
  CHECK(opened < 62);
  const int lit = top_after(3);
  CHECK(lit > 40);
  CHECK(lit < 62);
  CHECK(top_after(4) == lit);
  head.session->dispatch(SetSchedule{ScheduleKind::FlashV1});
  head.frames(3);
  CHECK(head.ui.code_top > 40);
  CHECK(head.ui.code_top < 62);
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
    load_fonts(head.theme, automatic_scale(w, h) * float(scale));
    build_atlas(*ImGui::GetIO().Fonts);
    apply_style(head.theme);
    head.frames(4);
    CHECK(head.ui.code_top <= 91);
    CHECK(head.ui.code_last >= 92);
  }
}
