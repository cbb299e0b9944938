// Large text and windows of other shapes: nothing that a walk needs disappears. Panels shrink, scroll or restack; only
// then are digits shortened.
#include <algorithm>

#include "pages/race/race_model.h"
#include "pages/tree/tree_model.h"
#include "pages/walk/walk_page.h"
#include "session/lesson/lesson_file.h"
#include "tests/ui/headless.h"
#include "ui/panels/walk/code_panel.h"
#include "view/pages.h"

using namespace tilewalk;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;
using tilewalk::test::within;

TEST_CASE("everything that a walk needs is visible at text up to 200 %, also in 16:10, 4:3 and ultra-wide windows") {
  for (const auto& [w, h, text] :
       {std::tuple{1600, 900, 1.0}, std::tuple{1600, 900, 1.4}, std::tuple{1600, 900, 2.0}, std::tuple{1280, 720, 1.0},
        std::tuple{1280, 720, 1.5}, std::tuple{1440, 900, 1.5}, std::tuple{1280, 800, 1.3}, std::tuple{1600, 1200, 1.5},
        std::tuple{1024, 768, 1.2}, std::tuple{2560, 1080, 1.5}, std::tuple{3440, 1440, 2.0},
        std::tuple{3840, 2160, 1.85}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = picture_document();
    document.view.text_scale = text;
    Headless head(document, w, h);
    head.frames(3);
    REQUIRE(head.session->state().step.in_visit());
    const auto stands = [&](const char* place, const draw::Rect& panel) {
      INFO(place);
      const auto found = head.ui.rects.find(place);
      REQUIRE(found);
      CHECK(within(*found, panel));
    };
    stands("scores/numbers", head.layout.scores);
    stands("schedules/problem", head.layout.schedules);
    stands("header/call", head.layout.header);
    stands("header/call n-q", head.layout.header);
    stands("transport/play", head.layout.transport);
    stands("transport/timeline", head.layout.transport);
    for (const char* words : {"transport/visit", "transport/phase", "transport/step"})
      stands(words, head.layout.transport);
    if (is_compact(head.layout))
      stands("traffic/accuracy", head.layout.traffic);
    else
      stands("transport/accuracy", head.layout.transport);
    for (const char* entry : {"done", "now", "masked", "skipped", "to do"})
      stands(("scores/legend " + std::string(entry)).c_str(), head.layout.scores);
    stands("scores/title", head.layout.scores);
    stands("scores/formula", head.layout.scores);
    stands("scores/scale", head.layout.scores);
    stands("side/tiles", head.layout.side);
    for (const TrafficBar& bar : head.builder.build(*head.session, room_of(head.layout, head.theme)).traffic.bars)
      stands(("traffic/bar " + bar.label).c_str(), head.layout.traffic);
    for (const char* column : {"side/m", "side/tile max", "side/m new", "side/α", "side/ℓ", "side/ℓ new"})
      stands(column, head.layout.side);
    bool unit = false;
    for (const char* name : {"transport/by phase", "transport/by tile", "transport/by Q tile"})
      if (const auto r = head.ui.rects.find(name)) unit |= within(*r, head.layout.transport);
    CHECK(unit);
    const draw::Rect rows = head.rect("side/softmax rows");
    CHECK(rows.height() >= 4 * 19 * head.theme.s - 1);
    CHECK(rows.y1 <= head.layout.side.y1);
  }
}

// Sizes and texts at which space is short; with a lesson beside the page, and without.
TEST_CASE("in large text, with a lesson or without, step, numbers and names are not truncated") {
  for (const auto& [w, h, text] : {std::tuple{3840, 2160, 1.5}, std::tuple{1600, 900, 2.0}, std::tuple{1280, 720, 1.5}})
    for (const bool lesson_panel : {false, true}) {
      INFO(w << "x" << h << ", text " << text << (lesson_panel ? ", with a lesson" : ""));
      Document document = picture_document();
      document.view.text_scale = text;
      Headless head(document, w, h, false, [](SessionSetup& setup) {
        setup.load_lessons = [] { return load_lessons(TILEWALK_SOURCE_DIR "/assets/lessons"); };
        setup.presets = *load_presets(TILEWALK_SOURCE_DIR);
      });
      if (lesson_panel) head.session->dispatch(OpenLesson{7, 3});
      while (head.session->busy()) head.session->dispatch(Work{64});
      head.frames(4);
      REQUIRE(head.session->state().step.in_visit());
      CHECK((head.layout.lesson_panel.width() > 0) == lesson_panel);
      const auto stands = [&](const std::string& place, const draw::Rect& panel) {
        INFO(place);
        const auto found = head.ui.rects.find(place);
        REQUIRE(found);
        CHECK(found->x0 >= panel.x0 - 1);
        CHECK(found->x1 <= panel.x1 + 1);
      };
      stands("transport/phase", head.layout.transport);
      for (const char* column : {"side/m", "side/tile max", "side/m new", "side/α", "side/ℓ", "side/ℓ new"})
        stands(column, head.layout.side);
      stands("scores/numbers", head.layout.scores);
      for (const char* entry : {"done", "now", "masked", "skipped", "to do"})
        stands("scores/legend " + std::string(entry), head.layout.scores);
      if (lesson_panel) {  // on an unanswered screen all four buttons are side by side
        CHECK(head.rect("rail/back").x1 < head.rect("rail/hint").x0);
        CHECK(head.rect("rail/hint").x1 < head.rect("rail/show").x0);
        CHECK(head.rect("rail/show").x1 < head.rect("rail/next").x0);
        stands("rail/next", head.layout.lesson_panel);
      }
      // A number of O has room for all of its digits.
      const draw::Rect o = head.rect("side/o numbers");
      const std::int64_t d = head.session->problem().shape.d;
      CHECK(o.width() / float(d) >= draw::text_width(head.theme.fonts.tiny, "−0.00"));

      head.session->dispatch(ShowPage{Page::Tree});
      head.frames(4);
      const std::vector<TreeBox> boxes = head.models<TreeModel>().boxes;
      for (const TreeBox& box : boxes) {
        stands("tree/" + box.name, head.layout.page);
        CHECK(head.rect("tree/" + box.name).width() >= draw::text_width(head.theme.fonts.tiny, box.name));
      }
    }
}

TEST_CASE("where large text makes the window follow one tile, a command shows the whole matrix") {
  Document document = picture_document();
  document.view.text_scale = 2;
  Headless head(document, 1600, 900, true);
  head.frames(3);
  const auto shown = [&] {
    const ScoresModel m = head.models<WalkPage>().scores;
    return m.rows.end - m.rows.begin;
  };
  REQUIRE(shown() < 16);
  head.click("scores/whole");
  CHECK(shown() == 16);
  head.press(Key::Right);
  CHECK(shown() == 16);
  head.click("scores/tile");
  CHECK(shown() < 16);
}

TEST_CASE("the values of Q and K are beside the numbers of the current tile, in text up to 150 %") {
  for (const auto& [w, h, text] :
       {std::tuple{1280, 720, 1.0}, std::tuple{1280, 720, 1.5}, std::tuple{1600, 900, 1.0}, std::tuple{1600, 900, 1.1},
        std::tuple{1600, 900, 1.3}, std::tuple{1600, 900, 1.5}, std::tuple{1440, 900, 1.2}, std::tuple{1280, 800, 1.3},
        std::tuple{1024, 768, 1.0}, std::tuple{2560, 1080, 1.5}, std::tuple{3840, 2160, 1.5}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = picture_document();
    document.view.text_scale = text;
    Headless head(document, w, h, true);
    for (const std::int64_t cursor : {0, 40, 46, 60, 92}) {
      INFO("step " << cursor);
      head.session->dispatch(GoToStep{cursor});
      head.frames(2);
      if (!head.session->state().started || !head.session->state().step.in_visit()) continue;
      const draw::Rect left = head.rect("scores/values left"), above = head.rect("scores/values above");
      CHECK(within(left, head.layout.scores));
      CHECK(within(above, head.layout.scores));
      // Cells shrink before digits are dropped.
      if (head.session->state().step.phase != Phase::LoadKV) CHECK(head.ui.rects.find("scores/numbers"));
      CHECK(left.width() / 4 >= draw::text_width(head.theme.fonts.mono_small, "−0.00"));
      CHECK(above.height() / 4 >= head.theme.fonts.mono_small.em);
    }
  }
}

TEST_CASE("the story of the selected cell is visible, from its value on, however large the text") {
  for (const auto& [w, h, text] : {std::tuple{1600, 900, 1.0}, std::tuple{1280, 720, 1.0}, std::tuple{1280, 720, 1.5},
                                   std::tuple{1600, 900, 1.5}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = picture_document();
    document.view.text_scale = text;
    Headless head(document, w, h, true);
    head.session->dispatch(SelectCell{11, 6});
    head.frames(3);
    const InspectorModel told = *head.models<WalkPage>().selected;
    CHECK(told.value.starts_with("P = "));
    const auto terms = std::count_if(told.working.begin(), told.working.end(),
                                     [](const std::string& line) { return line.find("×") != std::string::npos; });
    CHECK(terms >= head.session->problem().shape.d);
    const draw::Rect room = head.rect("side/selected room");
    CHECK(within(room, head.layout.side));
    CHECK(room.height() >= 6 * draw::leading(head.theme.fonts.tiny));
    head.click("side/drop selection");
    CHECK_FALSE(head.session->walk().selection());
  }
}

TEST_CASE(
    "in a lesson the whole matrix is visible, with the values of Q and K and the memories; the source by switch") {
  Headless head(picture_document(), 1600, 900, true, [](SessionSetup& setup) {
    setup.load_lessons = [] { return load_lessons(TILEWALK_SOURCE_DIR "/assets/lessons"); };
    setup.presets = *load_presets(TILEWALK_SOURCE_DIR);
  });
  head.session->dispatch(OpenLesson{7, 4});
  while (head.session->busy()) head.session->dispatch(Work{64});
  head.frames(4);
  const ScoresModel m = head.models<WalkPage>().scores;
  CHECK(m.rows.end - m.rows.begin == 16);
  CHECK(m.cols.end - m.cols.begin == 16);
  for (const char* place : {"scores/numbers", "scores/values left", "scores/values above", "memory/corridor"}) {
    INFO(place);
    CHECK(head.ui.rects.find(place));
  }
  CHECK(head.ui.of<CodeUi>().lines == 0);
  head.session->dispatch(Action::ToggleCode);
  head.frames(3);
  CHECK(head.ui.of<CodeUi>().lines >= 6);
}

TEST_CASE("the kernel's source is shown in whole lines") {
  Headless head(picture_document(), 1600, 900);
  for (const std::int64_t step : {1, 40, 44, 47}) {
    head.session->dispatch(GoToStep{step});
    head.frames(3);
    const float lines = head.ui.of<CodeUi>().lines;
    CHECK(lines >= 4);
    CHECK(lines == Approx(std::round(lines)).margin(0.01));
  }
}

TEST_CASE("dialogs are as high as their contents") {
  for (const auto& [w, h] : {std::pair{1280, 720}, std::pair{1600, 900}}) {
    Headless head(picture_document(), w, h);
    head.session->dispatch(OpenDialog{Dialog::GoTo});
    head.frames(4);
    CHECK(head.ui.sheet_heights.at(Dialog::GoTo) < 190 * head.theme.e);
    head.session->dispatch(OpenDialog{Dialog::Traffic});
    head.frames(4);
    CHECK(head.ui.sheet_heights.at(Dialog::Traffic) < 440 * head.theme.e);
  }
}

TEST_CASE("from 200 % on the walk scrolls: equal tiles, whole digits, and each panel can be brought into view") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 2.0}, std::tuple{1280, 720, 2.5}, std::tuple{1280, 720, 3.0},
                                   std::tuple{1600, 900, 2.0}, std::tuple{1600, 900, 2.5}, std::tuple{1600, 900, 3.0}})
    for (const bool lesson_panel : {false, true}) {
      INFO(w << "x" << h << ", text " << text << (lesson_panel ? ", with a lesson" : ""));
      Document document = picture_document();
      document.view.text_scale = text;
      Headless head(document, w, h, true, [](SessionSetup& setup) {
        setup.load_lessons = [] { return load_lessons(TILEWALK_SOURCE_DIR "/assets/lessons"); };
        setup.presets = *load_presets(TILEWALK_SOURCE_DIR);
      });
      if (lesson_panel) head.session->dispatch(OpenLesson{7, 3});
      while (head.session->busy()) head.session->dispatch(Work{64});
      head.frames(4);
      REQUIRE(is_compact(head.layout));
      // All tiles have one size, and the numbers of the current tile are written in whole.
      const ScoresModel m = head.models<WalkPage>().scores;
      CHECK(m.rows.px > 0);
      CHECK(m.cols.px > 0);
      const draw::Rect numbers = head.rect("scores/numbers");
      CHECK(within(numbers, head.rect("scores/panel")));
      CHECK(numbers.height() / 4 >= head.theme.fonts.mono_small.em);
      for (const SoftmaxRow& row : head.models<WalkPage>().softmax.rows)
        for (const std::string& cell : row.cells)
          if (const auto point = cell.find('.'); point != std::string::npos) CHECK(cell.size() - point >= 3);
      // The buttons lie beside one another, within the window.
      const draw::Rect transport = head.layout.transport;
      float left = transport.x0;
      for (const char* button : {"first", "back", "play", "forward", "last"}) {
        const draw::Rect r = head.rect("transport/" + std::string(button));
        CHECK(within(r, transport));
        CHECK(r.x0 >= left);
        left = r.x1;
      }
      for (const char* unit : {"transport/by phase", "transport/by tile", "transport/by Q tile"})
        if (const auto r = head.ui.rects.find(unit)) CHECK(r->x0 >= left);
      // No panel lies over another one, and the wheel brings the last one into view.
      const float column = head.layout.flow.x0;
      float below = head.layout.flow.y0;
      for (const char* panel : {"scores/panel", "side/panel", "memory/panel", "traffic/panel"}) {
        const draw::Rect r = head.rect(panel);
        INFO(panel);
        if (r.x0 < column) {
          CHECK(r.y1 <= transport.y0);
          continue;
        }
        CHECK(r.y0 >= below);
        CHECK(r.x1 < head.layout.page.x1);
        below = r.y1;
      }
      inject_mouse(head.layout.page.x1 - 4, head.layout.flow.y0 + 20, false);
      head.frames(2);
      for (int i = 0; i < 12; ++i) inject_wheel(-5), head.frames(3);
      CHECK(head.rect("traffic/panel").y1 <= head.layout.flow.y1 + 1);
      CHECK(head.rect("memory/panel").y0 < head.layout.flow.y1);
    }
}

TEST_CASE(
    "in low windows with large text the scores and O are in view without scrolling, and at 150 % V and SRAM too") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.5}, std::tuple{1280, 720, 2.0}, std::tuple{1280, 720, 3.0},
                                   std::tuple{1600, 900, 2.0}, std::tuple{1600, 900, 3.0}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = picture_document();
    document.view.text_scale = text;
    Headless head(document, w, h);
    head.frames(4);
    REQUIRE(is_compact(head.layout));
    const draw::Rect scores = head.rect("scores/numbers"), o = head.rect("side/o numbers"),
                     v = head.rect("side/operand numbers"), flow = head.layout.flow;
    CHECK(scores.y1 <= head.layout.transport.y0);
    if (v.x0 < o.x1) CHECK(bool(v.y1 < o.y0 || o.y1 < v.y0));
    if (head.layout.side.y0 == flow.y0) CHECK(o.y1 <= flow.y1);  // else the scores have the whole height
    if (text > 1.5) continue;
    CHECK(v.y1 < o.y0);
    CHECK(within(head.rect("memory/sram title"), head.layout.memory));
    CHECK(scroll_of("memory") == 0);
  }
}

TEST_CASE("at 150 % text the tile with its Q and K, the table, V and O are whole at once, and beside the card O too") {
  for (const bool card : {false, true})
    for (const auto& [w, h] : {std::pair{1280, 720}, std::pair{1600, 900}}) {
      Document document = picture_document();
      document.view.text_scale = 1.5;
      Headless head(document, w, h, true);
      if (card) head.session->dispatch(Action::OfferTour);
      for (const std::int64_t step : {41, 43, 44, 45, 46, 47, 56}) {
        INFO(w << "x" << h << (card ? ", card" : "") << ", step " << step);
        head.session->dispatch(GoToStep{step});
        head.frames(3);
        std::vector<std::string> parts = {"side/softmax rows", "side/o numbers"};
        if (step < 56) parts.insert(parts.end(), {"scores/numbers", "scores/values left", "scores/values above"});
        if (card)
          parts.insert(parts.end(), {"side/watch", "side/learn", "side/my gpu"});
        else if (step < 56)
          parts.push_back("side/operand numbers");
        const float bottom = is_compact(head.layout) ? head.layout.flow.y1 : float(h);
        for (const std::string& part : parts) {
          INFO(part);
          const draw::Rect r = head.rect(part);
          CHECK(within(r, part.starts_with("side/") ? head.layout.side : head.layout.scores));
          CHECK(r.y1 <= bottom);
        }
        if (card) CHECK(head.rect("side/o numbers").y1 < head.rect("side/watch").y0);
      }
    }
}

TEST_CASE("between the memories the note that nothing crosses is whole, however large the text") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, std::tuple{1280, 720, 1.5}, std::tuple{1600, 900, 1.5},
                                   std::tuple{1600, 900, 2.0}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = picture_document();
    document.view.text_scale = text;
    Headless head(document, w, h);
    head.session->dispatch(GoToStep{44});
    head.frames(3);
    const std::string all = head.models<WalkPage>().memory.so_far;
    REQUIRE(all.starts_with("nothing crosses: "));
    std::size_t letters = 0;
    for (const auto& [name, r] : head.ui.rects.all())
      if (constexpr std::string_view kLine = "memory/crossing note "; name.starts_with(kLine)) {
        CHECK(all.find(name.substr(kLine.size())) != std::string::npos);
        CHECK(r.y0 > head.rect("memory/hbm label size of S").y0);
        CHECK(r.y1 < head.rect("memory/sram title").y0);
        letters += name.size() - kLine.size();
      }
    CHECK(letters + 2 >= all.size());  // a line break takes the place of ": "
  }
}

TEST_CASE("how far apart the two memories are is in view wherever the panel has a line for it") {
  for (const ScheduleKind kind : {ScheduleKind::FlashV2, ScheduleKind::Standard}) {
    INFO(name_of(kind));
    Document document = picture_document();
    document.problem.schedule = kind;
    Headless head(document, 1600, 900);
    head.frames(2);
    CHECK(within(head.rect("memory/levels"), head.layout.memory));
  }
}

TEST_CASE("the header is as wide as the window where no strip of schedules is beside it") {
  Document document = picture_document();
  document.view.text_scale = 1.4;
  Headless head(document, 1600, 900, true);
  head.frames(2);
  CHECK(head.layout.header.x1 < head.layout.schedules.x0);
  for (const Command& away : {Command{ShowPage{Page::Race}}, Command{ShowPage{Page::Tree}},
                              Command{Action::EndlessZoom}, Command{Action::LastCard}}) {
    head.session->dispatch(ShowPage{Page::Walk});
    head.session->dispatch(Action::Last);
    head.session->dispatch(away);
    head.frames(2);
    CHECK(head.layout.header.x1 > 1580);
  }
}

TEST_CASE("in a narrow column the heading of O is between V and O, and the source has no second scroll bar") {
  for (const auto& [w, h] : {std::pair{1600, 900}, {1280, 720}}) {
    INFO(w << "x" << h);
    Document document = picture_document();
    document.view.text_scale = 1.5;
    document.cursor = 47;
    Headless head(document, w, h);
    head.frames(3);
    const draw::Rect v = head.rect("side/operand numbers"), title = head.rect("side/output title"),
                     o = head.rect("side/o numbers");
    CHECK(v.y1 <= title.y0);
    CHECK(title.y1 <= o.y0);
    if (!is_compact(head.layout)) continue;
    CHECK(head.rect("side/source").x1 == Approx(head.layout.side.x1 - head.theme.pad()).margin(4));
  }
}
