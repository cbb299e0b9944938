// The explanation of one row in the window: where it lies, what its buttons do, presenting, and in the first minute.
#include <algorithm>
#include <cmath>

#include "pages/walk/walk_page.h"
#include "tests/ui/headless.h"
#include "view/pages.h"

using namespace tilewalk;
using tilewalk::test::finite;
using tilewalk::test::Headless;
using tilewalk::test::holds;
using tilewalk::test::picture_document;
using tilewalk::test::touches;
using tilewalk::test::within;

namespace {

Document row_document(double text = 1, bool dark = true) {
  Document document = picture_document();
  document.cursor = 30;
  document.view.text_scale = text;
  document.view.dark = dark;
  return document;
}

}  // namespace

TEST_CASE("the row lies in the place of the scores, its bars in it, at every size and at every scene") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, std::tuple{1600, 900, 1.0}, std::tuple{3840, 2160, 1.0},
                                   std::tuple{1280, 720, 1.5}, std::tuple{1600, 900, 2.0}, std::tuple{900, 900, 1.0}})
    for (int scene = 0; scene < kRowScenes; ++scene) {
      INFO(w << "x" << h << ", text " << text << ", scene " << scene);
      Headless head(row_document(text, scene % 2 == 0), w, h);
      head.session->dispatch(HoldRow{end_of(RowScene(scene)) - 0.7 / kRowScenes});
      CHECK(head.frames(3).empty());
      CHECK(finite(*ImGui::GetDrawData()));
      const draw::Rect panel = head.rect("one row/panel");
      CHECK_FALSE(head.ui.rects.find("scores/panel"));
      CHECK(within(head.rect("one row/sentence"), panel));
      const draw::Rect play = head.rect("one row/play");
      CHECK(within(play, panel));
      for (const auto& [name, r] : head.ui.rects.all()) {
        if (!name.starts_with("one row/bar ") && !name.starts_with("one row/tile ")) continue;
        INFO(name);
        CHECK(within(r, panel));
        CHECK(r.y0 >= head.rect("one row/sentence").y1 - 1);
        CHECK(r.y1 <= play.y0);
      }
      if (scene >= int(RowScene::Average)) CHECK(head.rect("one row/o 0").y1 <= play.y0);
    }
}

TEST_CASE("while a row has the stage nothing beside it is of another step") {
  Headless head(row_document(), 1600, 900);
  const auto labels = [&] {
    std::string out;
    for (const TrafficBar& bar : head.builder.build(*head.session, room_of(head.layout, head.theme)).traffic.bars)
      out += bar.label + "; ";
    return out;
  };
  const auto badge = [&] {
    return head.builder.build(*head.session, room_of(head.layout, head.theme)).header.badge.has_value();
  };
  head.frames(2);
  REQUIRE(head.ui.rects.find("side/source"));
  REQUIRE(badge());
  CHECK(labels() == "Naive, whole run; FA-2, whole run; FA-2, so far; ");
  head.session->dispatch(HoldRow{0.9});
  head.frames(3);
  CHECK_FALSE(head.ui.rects.find("side/source"));
  CHECK_FALSE(badge());
  CHECK(labels() == "Naive, whole run; FA-2, whole run; ");
  head.session->dispatch(Action::OneRow);
  head.frames(3);
  CHECK(badge());
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
  CHECK_FALSE(head.ui.rects.find("one row/close"));
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

TEST_CASE("while the row is on screen its buttons are the only transport") {
  Headless head(row_document(), 1600, 900, true);
  head.session->dispatch(HoldRow{end_of(RowScene::Tiles)});
  head.frames(2);
  for (const char* place : {"transport/first", "transport/back", "transport/play", "transport/forward"}) {
    INFO(place);
    CHECK_FALSE(head.ui.rects.find(place));
  }
  CHECK(head.ui.rects.find("one row/play"));
  CHECK(head.session->one_row().t() == Approx(end_of(RowScene::Tiles)));
  head.click("one row/to walk");
  CHECK(holds(head.click("transport/play"), Action::PlayPause));
}

TEST_CASE("at its beginning the row has its numbers of Q and the outlines of the bars to come") {
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
      CHECK(within(cell, panel));
      CHECK(cell.y1 <= play.y0);
    }
    for (const RowBar& bar : page.one_row->bars)
      CHECK(within(head.rect("one row/to come " + std::to_string(bar.key)), panel));
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
    head.frames(2);
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
    CHECK(all == (w > 1280));
  }
}

TEST_CASE("in large text too a first start has the ways on beside the row") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
    INFO(w << "x" << h);
    Document document = picture_document();
    document.view.text_scale = 1.5;
    Headless head(document, w, h, true);
    head.session->dispatch(Action::FirstStart);
    head.session->dispatch(Tick{1}), head.session->dispatch(Tick{4});
    head.frames(3);
    CHECK(within(head.rect("side/watch"), head.layout.whole));
    CHECK(head.rect("side/watch").x0 > head.rect("one row/panel").x1);
    CHECK(within(head.rect("one row/bar 0"), head.rect("one row/panel")));
  }
}

TEST_CASE("in the film the row has no buttons, and keeps the place of its note and caption") {
  Headless head(picture_document(), 1600, 900, true);
  head.session->dispatch(Action::Watch);
  head.session->dispatch(Tick{1}), head.session->dispatch(Tick{4});
  head.frames(3);
  REQUIRE(head.session->tour().watches());
  CHECK(head.ui.rects.find("one row/sentence"));
  for (const char* none : {"play", "back", "forward", "to walk", "close", "note", "seen"}) {
    INFO(none);
    CHECK_FALSE(head.ui.rects.find(std::string("one row/") + none));
  }
  head.session->dispatch(HoldRow{0.1});  // ends the film
  head.frames(3);
  for (const char* shown : {"play", "close", "note", "seen"})
    CHECK(head.ui.rects.find(std::string("one row/") + shown));
  const draw::Rect held = head.rect("one row/bar 0");
  head.session->dispatch(Action::PlayPause);
  head.frames(2);
  CHECK_FALSE(head.ui.rects.find("one row/note"));
  CHECK(head.rect("one row/bar 0").x0 == held.x0);
  CHECK(head.rect("one row/bar 0").y1 == Approx(held.y1));
}

TEST_CASE("a first start has the row beside the ways on, and no sentence of the walk competes with it") {
  Headless head(picture_document(), 1600, 900, true);
  head.session->dispatch(Action::FirstStart);
  head.session->dispatch(Tick{1}), head.session->dispatch(Tick{4});
  head.frames(3);
  CHECK(within(head.rect("one row/sentence"), head.layout.scores));
  CHECK(within(head.rect("side/watch"), head.layout.side));
  CHECK_FALSE(head.ui.rects.find("schedules/tour time"));
  CHECK(head.models<WalkPage>().softmax.sentence.find("goes on from this step") != std::string::npos);
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
      if (name.starts_with("scores/skipped words")) {
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

TEST_CASE("nothing stands empty beside a row whose sums have not begun: neither its table nor L") {
  Headless head(row_document(), 1600, 900);
  head.frames(2);
  CHECK(head.ui.rects.find("memory/hbm label L"));
  for (const double t : {0.0, 0.2, end_of(RowScene::Average)}) {
    head.session->dispatch(HoldRow{t});
    head.frames(3);
    CHECK_FALSE(head.ui.rects.find("side/table title"));
    CHECK_FALSE(head.ui.rects.find("memory/hbm label L"));
  }
  const draw::Rect sentence = head.rect("side/step sentence");
  head.session->dispatch(HoldRow{end_of(RowScene::Tiles)});
  head.frames(3);
  CHECK(head.ui.rects.find("side/table title"));
  CHECK(head.rect("side/step sentence").y0 == sentence.y0);
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

TEST_CASE("while the row is explained its tiles and its O are in the picture alone") {
  Document document = picture_document();
  document.cursor = 45;
  Headless head(document);
  head.frames(2);
  CHECK(head.ui.rects.find("side/o numbers"));
  CHECK(head.ui.rects.find("memory/sram tile Q2"));
  head.session->dispatch(Action::OneRow);
  head.session->dispatch(HoldRow{end_of(RowScene::Better)});
  head.frames(3);
  CHECK_FALSE(head.ui.rects.find("side/o numbers"));
  CHECK_FALSE(head.ui.rects.find("memory/sram tile Q2"));
  CHECK(head.models<WalkPage>().memory.nothing.empty());
}

TEST_CASE("the row's sentence has space below it, and its own table is at its side") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}})
    for (const double t : {0.52, 0.9, 1.0}) {
      INFO(w << "x" << h << ", t " << t);
      Headless head(row_document(), w, h);
      head.session->dispatch(HoldRow{t});
      head.frames(2);
      if (head.ui.rects.find("one row/note"))
        CHECK(head.rect("one row/note").y0 - head.rect("one row/sentence").y1 >= 5 * head.theme.s);
      CHECK(head.ui.rects.find("side/head tile"));
      CHECK(head.rect("side/step sentence").y1 < head.rect("side/head tile").y0);
      CHECK_FALSE(head.ui.rects.find("side/head tile max"));
    }
}
