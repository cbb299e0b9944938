// The explanation of one row in the window: where it lies, what its buttons do, presenting, and in the first minute.
#include <algorithm>
#include <cmath>
#include <memory>

#include "pages/walk/walk_page.h"
#include "tests/ui/headless.h"
#include "view/pages.h"

using namespace tilewalk;
using tilewalk::test::finite;
using tilewalk::test::Headless;
using tilewalk::test::holds;
using tilewalk::test::picture_document;
using tilewalk::test::touches;
using tilewalk::test::use_fonts;
using tilewalk::test::within;

namespace {

Document row_document(double text = 1, bool dark = true) {
  Document document = picture_document();
  document.cursor = 30;
  document.view.text_scale = text;
  document.view.dark = dark;
  return document;
}

// The letters of the window while the row has it.
void set_letters(Headless& head) {
  use_fonts(head.theme, automatic_scale(head.width(), head.height()) * float(text_scale_of(*head.session)));
  apply_style(head.theme);
  head.frames(3);
}

}  // namespace

TEST_CASE("the row has the window to itself, its bars in it, at every size and at every scene") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, std::tuple{1600, 900, 1.0}, std::tuple{3840, 2160, 1.0},
                                   std::tuple{1280, 720, 1.5}, std::tuple{1600, 900, 2.0}, std::tuple{900, 900, 1.0}})
    for (int scene = 0; scene < kRowScenes; ++scene) {
      INFO(w << "x" << h << ", text " << text << ", scene " << scene);
      Headless head(row_document(text, scene % 2 == 0), w, h);
      head.session->dispatch(HoldRow{end_of(RowScene(scene)) - 0.7 / kRowScenes});
      CHECK(head.frames(3).empty());
      set_letters(head);
      CHECK(finite(*ImGui::GetDrawData()));
      const draw::Rect panel = head.rect("one row/panel");
      CHECK(panel.width() == float(w));
      CHECK(panel.height() == float(h));
      CHECK(within(head.rect("one row/sentence"), panel));
      const draw::Rect play = head.rect("one row/play");
      CHECK(within(play, panel));
      for (const auto& [name, r] : head.ui.rects.all()) {
        INFO(name);
        CHECK(name.starts_with("one row/"));
        if (!name.starts_with("one row/bar ") && !name.starts_with("one row/tile ")) continue;
        CHECK(within(r, panel));
        CHECK(r.y0 >= head.rect("one row/sentence").y1 - 1);
        CHECK(r.y1 <= play.y0);
      }
      if (scene >= int(RowScene::Average)) CHECK(head.rect("one row/o 0").y1 <= play.y0);
    }
}

TEST_CASE("the bars stay where they are from scene to scene") {
  Headless head(row_document(), 1600, 900);
  std::optional<draw::Rect> first;
  for (int scene = 1; scene < kRowScenes; ++scene) {
    INFO(scene);
    head.session->dispatch(HoldRow{end_of(RowScene(scene))});
    head.frames(2);
    const draw::Rect bar = head.rect("one row/bar 0");
    if (!first) first = bar;
    CHECK(bar.x0 == first->x0);
    CHECK(bar.y1 == first->y1);
  }
}

TEST_CASE("the sentence has the large letters, which have ℓ and α, in the largest window too") {
  Headless head(row_document(), 3840, 2160);
  head.session->dispatch(HoldRow{end_of(RowScene::Shrink)});
  head.frames(2);
  CHECK(head.rect("one row/sentence").height() < 1.5f * draw::leading(head.theme.fonts.large));
}

TEST_CASE("buttons move the row, a dot leads to its scene, and the last one leads back to the walk") {
  Headless head(row_document(), 1600, 900, true);
  head.session->dispatch(HoldRow{0});
  head.frames(2);
  CHECK(holds(head.click("one row/forward"), Action::StepForward));
  CHECK(holds(head.click("one row/play"), Action::PlayPause));
  head.click("one row/scene 4");
  head.session->dispatch(Tick{50}), head.session->dispatch(Tick{55});
  CHECK(head.session->one_row().t() == Approx(end_of(RowScene::Better)));
  head.frames(2);
  CHECK(holds(head.click("one row/to walk"), Action::OneRow));
  head.frames(2);
  CHECK(head.ui.rects.find("scores/panel"));
  CHECK(holds(head.press(Key::R, false, true), Action::OneRow));
  CHECK(head.session->shows_one_row());
  CHECK(head.press(Key::Escape) == Commands{Action::OneRow});
  CHECK_FALSE(head.session->shows_one_row());
}

TEST_CASE("while presenting the row has the whole screen, and Esc returns to the presented walk") {
  Headless head(row_document(), 1600, 900, true);
  head.session->dispatch(Action::Present);
  head.frames(2);
  CHECK(holds(head.press(Key::R, false, true), Action::OneRow));
  head.session->dispatch(HoldRow{end_of(RowScene::Shrink) - 0.7 / kRowScenes});
  head.frames(2);
  CHECK(head.session->view().presenting());
  CHECK(head.rect("one row/panel").width() > 1590);
  CHECK(head.rect("one row/panel").y1 == head.rect("room/panel").y0);
  CHECK(head.rect("room/panel").y1 > 890);
  CHECK_FALSE(head.ui.rects.find("one row/to walk"));
  CHECK(head.rect("one row/bar 0").height() > 40);
  float highest = 0;  // the largest weight, which the last row of a classroom compares with the others
  const WalkPage page = head.models<WalkPage>();
  for (const RowBar& bar : page.one_row->bars)
    if (const auto r = head.ui.rects.find("one row/bar " + std::to_string(bar.key)))
      highest = std::max(highest, r->height());
  CHECK(highest > 0.28f * 900);
  head.click("one row/scene 1");
  head.session->dispatch(Tick{50}), head.session->dispatch(Tick{55});
  CHECK(head.session->one_row().t() == Approx(end_of(RowScene(1))));
  head.session->dispatch(HoldRow{end_of(RowScene::Shrink) - 0.7 / kRowScenes});
  head.frames(2);
  CHECK(holds(head.press(Key::PageDown), Action::StepForward));
  CHECK(head.press(Key::Escape) == Commands{Action::OneRow});
  CHECK(head.session->view().presenting());
}

TEST_CASE("a row that was open before presenting is presented, and is open after it") {
  Headless head(row_document(), 1600, 900, true);
  head.session->dispatch(HoldRow{end_of(RowScene::Shrink)});
  head.frames(2);
  CHECK(head.press(Key::P) == Commands{Action::Present});
  CHECK(head.session->presents_page());
  CHECK(head.ui.rects.find("one row/bar 0"));
  CHECK(head.press(Key::Escape) == Commands{Action::Present});
  CHECK_FALSE(head.session->view().presenting());
  CHECK(head.session->shows_one_row());
  CHECK(head.session->one_row().t() == Approx(end_of(RowScene::Shrink)));
}

TEST_CASE("at its beginning the row has its numbers of Q and the outline of its first bar") {
  for (const auto& [w, h, text] :
       {std::tuple{1280, 720, 1.0}, {1600, 900, 1.0}, {1600, 900, 1.5}, {3840, 2160, 1.0}, {900, 900, 1.0}}) {
    INFO(w << "x" << h << ", text " << text);
    Headless head(row_document(text), w, h);
    head.session->dispatch(HoldRow{0});
    head.frames(3);
    const draw::Rect panel = head.rect("one row/panel"), play = head.rect("one row/play");
    const WalkPage page = head.models<WalkPage>();
    REQUIRE(page.one_row->q.size() == 4);
    for (std::size_t i = 0; i < page.one_row->q.size(); ++i) {
      const draw::Rect cell = head.rect("one row/q " + std::to_string(i));
      const draw::Rect met = head.rect("one row/k " + std::to_string(i));  // the row of K that it meets
      CHECK(within(cell, panel));
      CHECK(within(met, panel));
      CHECK(met.y1 <= play.y0);
      CHECK((met.y0 >= cell.y1 || met.x0 >= cell.x1));
    }
    CHECK(within(head.rect("one row/to come 0"), panel));
    CHECK_FALSE(head.ui.rects.find("one row/to come 1"));
    head.session->dispatch(HoldRow{end_of(RowScene::Scores)});
    head.frames(3);
    CHECK_FALSE(head.ui.rects.find("one row/to come 0"));
    CHECK(head.ui.rects.find("one row/q 0"));
  }
}

TEST_CASE("from the average on column 0 of V is below the keys, and the tiles are those of K and V") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(row_document(), w, h);
    head.session->dispatch(HoldRow{end_of(RowScene::Weights)});
    set_letters(head);
    CHECK_FALSE(head.ui.rects.find("one row/value 0"));
    head.session->dispatch(HoldRow{end_of(RowScene::Average)});
    head.frames(2);
    for (int key = 0; key < 10; ++key) {
      const draw::Rect value = head.rect("one row/value " + std::to_string(key)),
                       bar = head.rect("one row/bar " + std::to_string(key));
      CHECK(value.y0 > bar.y1);
      CHECK(value.x0 == bar.x0);
      CHECK(value.y1 <= head.rect("one row/sum").y0);
    }
    CHECK(head.ui.rects.find("one row/tile K0 · V0"));
    head.session->dispatch(
        HoldRow{end_of(RowScene::Better)});  // longer words: of all tiles the pair is named, or of none
    head.frames(2);
    const bool all = head.ui.rects.find("one row/tile K2 · V2").has_value();
    CHECK(head.ui.rects.find("one row/tile K0 · V0").has_value() == all);
    CHECK(all);
  }
}

TEST_CASE("a row of O that is not there yet is drawn as empty cells") {
  Headless head(row_document());
  head.session->dispatch(HoldRow{end_of(RowScene::Weights) + 0.01});
  head.frames(2);
  for (int i = 0; i < 4; ++i) CHECK(head.ui.rects.find("one row/awaited o " + std::to_string(i)));
  head.session->dispatch(HoldRow{end_of(RowScene::Average)});
  head.frames(2);
  for (int i = 0; i < 4; ++i) CHECK_FALSE(head.ui.rects.find("one row/awaited o " + std::to_string(i)));
}

TEST_CASE("in the film the row has no buttons, and keeps the place of its note and caption") {
  Headless head(picture_document(), 1600, 900, true);
  head.session->dispatch(Action::Watch);
  head.session->dispatch(Tick{1}), head.session->dispatch(Tick{4});
  head.frames(3);
  REQUIRE(head.session->tour().watches());
  CHECK(head.ui.rects.find("one row/sentence"));
  CHECK(head.session->view().presenting());
  for (const char* none : {"play", "back", "forward", "to walk", "note", "seen"}) {
    INFO(none);
    CHECK_FALSE(head.ui.rects.find(std::string("one row/") + none));
  }
  head.session->dispatch(HoldRow{0.1});  // ends the film
  head.frames(3);
  for (const char* shown : {"play", "to walk", "note", "seen"})
    CHECK(head.ui.rects.find(std::string("one row/") + shown));
  const draw::Rect held = head.rect("one row/bar 0");
  head.session->dispatch(Action::PlayPause);
  head.frames(2);
  CHECK_FALSE(head.ui.rects.find("one row/note"));
  CHECK(head.rect("one row/bar 0").x0 == held.x0);
  CHECK(head.rect("one row/bar 0").y1 == Approx(held.y1));
}

TEST_CASE(
    "a first start has a sentence of about 30 pixels, larger with larger text, and three ways on beside its buttons") {
  for (const auto& [w, h, text, in_line] : {std::tuple{1280, 720, 1.0, true},
                                            {1600, 900, 1.0, true},
                                            {1600, 900, 1.5, false},
                                            {1280, 720, 1.5, false},
                                            {3840, 2160, 1.5, true},
                                            {3840, 2160, 1.0, true},
                                            {900, 900, 1.0, false}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = picture_document();
    document.view.text_scale = text;
    Headless head(document, w, h, true);
    head.session->dispatch(Action::FirstStart);
    head.session->dispatch(Tick{1}), head.session->dispatch(Tick{4});
    head.frames(1);
    set_letters(head);
    const float usual = 30 * automatic_scale(w, h);
    if (text == 1) CHECK(head.theme.fonts.large.em == Approx(usual).margin(2));
    if (text > 1) CHECK(head.theme.fonts.large.em > 1.15f * usual);
    const draw::Rect play = head.rect("one row/play");
    float before = in_line ? play.x1 : 0;
    for (const char* way : {"watch", "learn", "my gpu", "close first minute"}) {
      INFO(way);
      const draw::Rect r = head.rect(std::string("one row/") + way);
      CHECK(within(r, head.layout.whole));
      CHECK(r.x0 >= before);
      CHECK((r.middle().y > play.y0) == in_line);
      for (const auto& [name, other] : head.ui.rects.all())
        if (name != std::string("one row/") + way && name != "one row/panel") CHECK_FALSE(touches(r, other));
      before = r.x1;
    }
    CHECK(within(head.rect("one row/to walk"), head.layout.whole));
    CHECK(head.rect("one row/q 0").y1 < head.rect("one row/watch").y0);
  }
}

TEST_CASE("the three ways on beside the row open what they name, close, and Tab leads to them") {
  const auto click = [](const char* place, const auto& check) {
    Headless head(picture_document(), 1600, 900, true);
    head.session->dispatch(Action::FirstStart);
    head.session->dispatch(Tick{1});
    head.frames(1);
    set_letters(head);
    head.click(std::string("one row/") + place);
    head.session->dispatch(Tick{1.1});
    head.frames(2);
    INFO(place);
    check(head);
  };
  click("watch", [](Headless& head) { CHECK(head.session->tour().watches()); });
  click("learn", [](Headless& head) { CHECK(head.session->view().dialog() == Dialog::Lessons); });
  click("my gpu", [](Headless& head) { CHECK(head.session->page() == Page::Which); });
  click("close first minute", [](Headless& head) {
    CHECK_FALSE(head.session->tour().offers());
    CHECK(head.session->shows_one_row());
    CHECK_FALSE(head.ui.rects.find("one row/watch"));
  });
  click("to walk", [](Headless& head) {
    CHECK(head.session->walk().playback().playing);
    for (const char* place : {"side/watch", "transport/play", "header/panel"}) CHECK(head.ui.rects.find(place));
  });
  Headless head(picture_document(), 1600, 900, true);
  head.session->dispatch(Action::FirstStart);
  head.frames(1);
  set_letters(head);
  head.press(Key::Tab);
  CHECK(head.rect("one row/focused").x0 == head.rect("one row/play").x0);
  for (int i = 0; i < 2; ++i) head.press(Key::Right);
  CHECK(head.rect("one row/focused").x0 == head.rect("one row/watch").x0);
  CHECK(holds(head.press(Key::Enter), Action::Watch));
}

TEST_CASE("where ℓ and O shrink an outline shows what they were, and α is beside both") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}})
    for (const double left : {0.7, 0.0}) {  // of the scene
      INFO(w << "x" << h << ", left " << left);
      Headless head(row_document(), w, h);
      head.session->dispatch(HoldRow{end_of(RowScene::Better)});
      set_letters(head);
      const draw::Rect sum = head.rect("one row/sum");
      CHECK_FALSE(head.ui.rects.find("one row/o alpha"));
      head.session->dispatch(HoldRow{end_of(RowScene::Shrink) - left / kRowScenes});
      head.frames(2);
      CHECK(head.rect("one row/sum before").x1 == Approx(sum.x1).margin(2));
      CHECK(head.rect("one row/sum").x1 < sum.x1 - 0.2f * sum.width());
      for (const char* at : {"sum", "o"}) {
        const draw::Rect alpha = head.rect(std::string("one row/") + at + " alpha");
        CHECK(within(alpha, head.rect("one row/panel")));
        for (int i = 0; i < 4; ++i) CHECK_FALSE(touches(alpha, head.rect("one row/o " + std::to_string(i))));
      }
      head.session->dispatch(HoldRow{1});
      head.frames(2);
      CHECK_FALSE(head.ui.rects.find("one row/sum before"));
    }
}

TEST_CASE("a bar that falls leaves its figure at its old height, and has the new one where it has fallen") {
  Headless head(row_document(), 1600, 900);
  const double begin = end_of(RowScene::Better);
  head.session->dispatch(HoldRow{begin});
  head.frames(2);
  const draw::Rect before = head.rect("one row/figure 6");
  head.session->dispatch(HoldRow{begin + 0.38 / kRowScenes});
  head.frames(2);
  CHECK(head.rect("one row/figure 6").y0 == Approx(before.y0).margin(1));
  CHECK(head.rect("one row/bar 6").y0 > before.y1 + 20);
  head.session->dispatch(HoldRow{end_of(RowScene::Shrink)});
  head.frames(2);
  CHECK(head.rect("one row/figure 6").y0 > before.y1 + 20);
}

TEST_CASE("the check mark of the row has its space beside O") {
  for (const auto& [w, h, text] : {std::tuple{1600, 900, 1.0}, {1920, 1080, 1.0}, {3840, 2160, 1.0}}) {
    INFO(w << "x" << h << ", text " << text);
    Headless head(row_document(text), w, h);
    head.session->dispatch(HoldRow{1});
    head.frames(2);
    CHECK(within(head.rect("one row/same"), head.rect("one row/panel")));
  }
}

TEST_CASE("the explained row is outlined through its tiles in the walk, and its outline comes from the explanation") {
  for (const auto& [w, h, text] : {std::tuple{1600, 900, 1.0}, {1280, 720, 1.0}, {1600, 900, 1.5}}) {
    INFO(w << "x" << h << ", text " << text);
    Headless head(row_document(text), w, h, true);
    head.ui.motion = true;
    head.session->dispatch(HoldRow{1});
    head.frames(2);
    head.session->dispatch(Action::OneRow);
    head.frames(2);
    const draw::Rect panel = head.rect("scores/panel"), begin = head.rect("scores/explained row");
    CHECK(begin.height() > 0.5f * panel.height());
    head.session->dispatch(Tick{1}), head.session->dispatch(Tick{2});
    head.session->dispatch(GoToStep{33}), head.session->dispatch(HoldMotion{1});
    head.frames(2);
    const draw::Rect row = head.rect("scores/explained row");
    CHECK(within(row, panel));
    CHECK(row.height() < 0.2f * panel.height());
    const draw::Rect tile = head.rect("scores/current tile");
    CHECK(row.x0 < tile.x0);
    CHECK(row.y0 > tile.y0 - 4);
    CHECK(row.y1 < tile.y1 + 4);
    for (const auto& [name, r] : head.ui.rects.all())  // neither the outline nor its tag is over words of a tile
      if (name.starts_with("scores/word skipped")) {
        INFO(name);
        CHECK_FALSE(touches(row, r));
        if (const auto tag = head.ui.rects.find("scores/explained label")) CHECK_FALSE(touches(*tag, r));
      }
    head.session->dispatch(GoToStep{60}), head.session->dispatch(HoldMotion{1});
    head.frames(2);
    CHECK_FALSE(head.ui.rects.find("scores/explained row"));
  }
}

TEST_CASE("each scene of the row has its own question for a room") {
  Headless head(picture_document());
  head.session->dispatch(Action::OneRow);
  head.session->dispatch(Action::Present);
  std::vector<std::string> all;
  for (int i = 0; i < kRowScenes; ++i) {
    head.session->dispatch(HoldRow{end_of(RowScene(i))});
    all.push_back(page_row(Page::Walk).for_room(*head.session).question);
    CHECK(all.back().starts_with("Ask: "));
    CHECK(all.back().ends_with("?"));
  }
  std::sort(all.begin(), all.end());
  CHECK(std::unique(all.begin(), all.end()) == all.end());
}

TEST_CASE("below the keys at most ten words say what is seen, in each scene another thing") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, std::tuple{1600, 900, 1.0}, std::tuple{1600, 900, 1.5},
                                   std::tuple{3840, 2160, 1.0}}) {
    std::vector<std::string> all;
    for (int scene = 0; scene < kRowScenes; ++scene) {
      INFO(w << "x" << h << ", text " << text << ", scene " << scene);
      Headless head(row_document(text), w, h);
      head.session->dispatch(HoldRow{end_of(RowScene(scene))});
      head.frames(3);
      all.push_back(head.models<WalkPage>().one_row.value().seen);
      CHECK(std::count(all.back().begin(), all.back().end(), ' ') < 10);
      const draw::Rect seen = head.rect("one row/seen");
      CHECK(within(seen, head.rect("one row/panel")));
      for (const auto& [name, r] : head.ui.rects.all())
        if (name.starts_with("one row/value ") || name.starts_with("one row/bar ")) CHECK(r.y1 <= seen.y0);
      for (const char* below : {"one row/q 0", "one row/o 0", "one row/sum"})
        if (const auto r = head.ui.rects.find(below)) CHECK(seen.y1 <= r->y0);
    }
    std::sort(all.begin(), all.end());
    CHECK(std::unique(all.begin(), all.end()) == all.end());
  }
}
