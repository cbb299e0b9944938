// The zoom out of one tile: keys, clicks, and its parts in windows from small to large.
#include "base/units.h"
#include "core/schedules/registry.h"
#include "pages/walk/walk_page.h"
#include "tests/ui/headless.h"
#include "tests/ui/presented_room.h"

using namespace tilewalk;
using tilewalk::test::finite;
using tilewalk::test::Headless;
using tilewalk::test::holds;
using tilewalk::test::kRooms;
using tilewalk::test::picture_document;
using tilewalk::test::show_to_room;
using tilewalk::test::within;

namespace {

Document zoom_document(double text = 1, bool dark = true) {
  Document document = picture_document();
  document.problem.machine.sram_bytes = 1 << 16;
  document.view.text_scale = text;
  document.view.dark = dark;
  return document;
}

constexpr double kPresentingText = 2;  // size of text at which the window presents the zoom

}  // namespace

TEST_CASE("Shift+X opens the zoom over the walk, and Esc and its cross close it") {
  Headless head(zoom_document(), 1600, 900, true);
  head.frames(2);
  CHECK(holds(head.press(Key::X, false, true), Action::EndlessZoom));
  head.frames(2);
  CHECK(head.ui.rects.find("zoom/picture"));
  CHECK_FALSE(head.ui.rects.find("scores/matrix"));
  CHECK_FALSE(head.ui.rects.find("transport/play"));
  CHECK(holds(head.press(Key::Escape), Action::EndlessZoom));
  head.frames(2);
  CHECK(head.ui.rects.find("scores/matrix"));
  head.session->dispatch(HoldZoom{0.5});
  head.frames(2);
  CHECK(holds(head.click("zoom/close"), Action::EndlessZoom));
  CHECK_FALSE(head.session->shows_endless_zoom());
}

TEST_CASE("a click on a square of the list moves the camera there, and the button plays") {
  Headless head(zoom_document());
  head.session->dispatch(HoldZoom{0});
  head.frames(2);
  for (const ZoomSquare& square : head.session->endless_zoom().squares())
    if (square.kind == ZoomSquareKind::Length)
      CHECK(head.click("zoom/level N " + format_count(square.rows)) == Commands{MoveZoom{square.t}});
  CHECK(head.click("zoom/play") == Commands{Action::PlayPause});
}

TEST_CASE("squares are drawn to scale, and a tile below a pixel still has its callout") {
  Headless head(zoom_document());
  for (const double t : {0.15, 0.25, 0.5, 0.75, 1.0}) {
    INFO(t);
    head.session->dispatch(HoldZoom{t});
    head.frames(2);
    const EndlessZoomModel m = *head.models<WalkPage>().endless_zoom;
    const draw::Rect picture = head.rect("zoom/picture");
    const double pixels = double(picture.width()) / m.extent;
    for (const ZoomLevel& level : m.levels)
      if (const auto drawn = head.ui.rects.find("zoom/square " + level.name);
          drawn && drawn->width() < 2 * picture.width()) {
        INFO(level.name);
        CHECK(drawn->width() == Approx(double(level.square.cols) * pixels).epsilon(0.001));
        CHECK(drawn->height() == Approx(double(level.square.rows) * pixels).epsilon(0.001));
      }
    const draw::Rect callout = head.rect("zoom/callout This walk's tile");
    CHECK(callout.y0 >= picture.y1);  // it covers no square
    CHECK(within(callout, head.layout.page));
  }
}

TEST_CASE("nothing of the zoom is cut off or overprinted, from small windows to large ones, in large text too") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, std::tuple{1600, 900, 1.0}, std::tuple{3840, 2160, 1.0},
                                   std::tuple{1280, 720, 1.5}, std::tuple{1600, 900, 1.5}, std::tuple{900, 900, 1.0}})
    for (const double t : {0.0, 0.1, 0.4, 0.7, 0.85, 1.0}) {
      INFO(w << "x" << h << ", text " << text << ", t " << t);
      Headless head(zoom_document(text, t < 0.5), w, h);
      head.session->dispatch(HoldZoom{t});
      CHECK(head.frames(3).empty());
      CHECK(finite(*ImGui::GetDrawData()));
      CHECK(ImGui::GetDrawData()->TotalVtxCount < 60000);
      const draw::Rect picture = head.rect("zoom/picture");
      CHECK(within(picture, head.layout.page));
      CHECK(within(head.rect("zoom/figure"), head.layout.page));
      std::vector<draw::Rect> labels;
      for (const auto& [name, r] : head.ui.rects.all()) {
        if (name.starts_with("zoom/level ")) CHECK(within(r, head.layout.page));
        const bool callout = name.starts_with("zoom/callout ");
        if (!name.starts_with("zoom/label ") && !name.starts_with("zoom/batch ") && !callout) continue;
        INFO(name);
        CHECK(within(r, callout ? head.layout.page : picture));
        if (callout) CHECK(r.y0 >= picture.y1);
        for (const draw::Rect& other : labels)
          CHECK((r.x1 <= other.x0 || other.x1 <= r.x0 || r.y1 <= other.y0 || other.y1 <= r.y0));
        labels.push_back(r);
      }
      if (const auto play = head.ui.rects.find("zoom/play")) {
        CHECK(within(*play, head.layout.page));
        for (const auto& [name, r] : head.ui.rects.all())
          if (name.starts_with("zoom/level ")) CHECK(r.y1 <= play->y0);
      }
    }
}

TEST_CASE("a tile of the zoom is an outline, and the legend names the fills of the picture") {
  Headless head(zoom_document());
  for (const bool causal : {false, true}) {
    head.session->dispatch(EditCall{"is-causal", causal ? "on" : "off"});
    head.session->dispatch(HoldZoom{1});
    head.frames(2);
    CHECK(head.ui.rects.find("zoom/legend skipped by your call's mask").has_value() == causal);
    CHECK_FALSE(head.ui.rects.find("zoom/legend skipped by the walk's mask"));
  }
  head.session->dispatch(HoldZoom{0.4});
  head.frames(2);
  const EndlessZoomModel m = *head.models<WalkPage>().endless_zoom;
  CHECK(head.ui.rects.find("zoom/legend tile on chip"));
  CHECK(head.ui.rects.find("zoom/legend skipped by the walk's mask").has_value() == m.diagonal);
  CHECK(head.ui.rects.find("zoom/legend kept by the walk's mask").has_value() == m.diagonal);
  int tiles = 0;
  for (const ZoomLevel& level : m.levels) {
    const auto tile = head.ui.rects.find("zoom/square " + level.name);
    if (!level.on_chip || !tile || level.square.kind == ZoomSquareKind::Tile) continue;  // that one has its scores
    INFO(level.name);
    ++tiles;
    // Only a filled rectangle has a vertex exactly at its corner.
    const ImDrawData& data = *ImGui::GetDrawData();
    for (int i = 0; i < data.CmdListsCount; ++i)
      for (const ImDrawVert& vertex : data.CmdLists[i]->VtxBuffer)
        CHECK_FALSE((vertex.pos.x == tile->x1 && vertex.pos.y == tile->y1));
  }
  CHECK(tiles > 0);
}

TEST_CASE("the zoom draws every schedule's squares") {
  for (const ScheduleKind kind : all_schedules()) {
    INFO(name_of(kind));
    Document document = zoom_document();
    document.problem.schedule = kind;
    Headless head(document, 1280, 720);
    head.session->dispatch(HoldZoom{0.6});
    CHECK(head.frames(3).empty());
    CHECK(finite(*ImGui::GetDrawData()));
  }
}

TEST_CASE("the last card opens the zoom") {
  Document document = zoom_document();
  document.cursor = 1 << 30;
  Headless head(document, 1600, 900, true);
  head.frames(2);
  CHECK(holds(head.click("card/zoom"), Action::EndlessZoom));
  CHECK(head.session->shows_endless_zoom());
}

TEST_CASE("while presenting the zoom has the whole screen, a clicker goes from square to square, and Esc returns") {
  Headless head(zoom_document(), 1600, 900, true);
  head.session->dispatch(Action::Present);
  head.frames(2);
  CHECK(holds(head.press(Key::X, false, true), Action::EndlessZoom));
  CHECK(head.session->view().presenting());
  CHECK(head.session->shows_endless_zoom());
  head.session->dispatch(HoldZoom{0});
  head.frames(2);
  CHECK(head.session->view().presenting());
  CHECK(head.rect("zoom/panel").width() > 1590);
  CHECK(head.rect("zoom/panel").y1 == head.rect("room/panel").y0);
  CHECK_FALSE(head.ui.rects.find("zoom/play"));
  CHECK_FALSE(head.ui.rects.find("header/call"));
  float below = 0;  // the squares of the list, as many as have room for their words
  std::vector<draw::Rect> levels;
  const auto zoom = build_endless_zoom(*head.session);
  REQUIRE(zoom);
  for (const ZoomLevel& level : zoom->levels)
    if (const auto r = head.ui.rects.find("zoom/level " + level.name)) levels.push_back(*r);
  REQUIRE(levels.size() >= 2);
  std::sort(levels.begin(), levels.end(), [](const draw::Rect& a, const draw::Rect& b) { return a.y0 < b.y0; });
  for (const draw::Rect& r : levels) {
    CHECK(r.height() >= head.theme.fonts.body.em);
    CHECK(r.y0 >= below);
    below = r.y1;
  }
  const std::int64_t cursor = head.session->cursor();
  const double before = head.session->endless_zoom().t();
  CHECK(holds(head.press(Key::PageDown), Action::StepForward));
  head.session->dispatch(Tick{100}), head.session->dispatch(Tick{102});
  CHECK(head.session->endless_zoom().t() > before);
  CHECK(head.session->cursor() == cursor);
  CHECK(head.press(Key::Escape) == Commands{Action::EndlessZoom});
  CHECK(head.session->view().presenting());
  CHECK_FALSE(head.session->shows_endless_zoom());
  head.frames(2);
  CHECK(head.ui.rects.find("present/memories"));
  CHECK(head.press(Key::Escape) == Commands{Action::Present});
}

TEST_CASE("beside the picture, presenting too, the legend and a few squares of the list have room at every t") {
  for (const auto& [w, h, text] : {std::tuple{1600, 900, 1.0}, {1280, 720, 1.0}, {1280, 720, 1.5}, {1920, 1080, 1.0}})
    for (const bool presents : {true, false}) {
      float side = 0;
      for (const double t : {0.0, 0.2, 0.4, 0.7, 1.0}) {
        INFO(w << "x" << h << ", text " << text << (presents ? ", presenting, t " : ", t ") << t);
        Headless head(zoom_document(presents ? kPresentingText : text), w, h);
        if (presents) head.session->dispatch(Action::Present);
        head.session->dispatch(HoldZoom{t});
        head.frames(3);
        const draw::Rect panel = head.rect("zoom/panel");
        const float low = presents ? panel.y1 : head.rect("zoom/play").y0;
        if (side > 0) CHECK(head.rect("zoom/picture").width() == side);
        side = head.rect("zoom/picture").width();
        float legend = 0;
        for (const auto& [name, r] : head.ui.rects.all())
          if (name.starts_with("zoom/legend ")) {
            CHECK(within(r, panel));
            legend = std::max(legend, r.y1);
          }
        int rows = 0;
        for (const auto& [name, r] : head.ui.rects.all()) {
          if (!name.starts_with("zoom/level ") && !name.starts_with("zoom/tick ")) continue;
          INFO(name);
          rows += name.starts_with("zoom/level ");
          CHECK(r.y1 <= low);
          CHECK(r.y0 >= legend);
          CHECK(r.x1 <= panel.x1);
        }
        CHECK(rows >= 2);
      }
    }
}

TEST_CASE("to a class the scores that never exist and the tile that does are said in letters of one size") {
  for (const auto& [w, h] : kRooms) {
    INFO(w << "x" << h);
    Headless head(zoom_document(), w, h);
    head.session->dispatch(HoldZoom{0.85});
    head.frames(3);
    show_to_room(head);
    const draw::Rect scores = head.rect("zoom/figure"), tile = head.rect("zoom/tile figure");
    CHECK(tile.height() == Approx(scores.height()));
    CHECK(tile.height() > 0.055f * float(h));
    CHECK(tile.x0 == scores.x0);
    CHECK(tile.y0 > scores.y1);
    CHECK(within(tile, head.rect("zoom/panel")));
    head.session->dispatch(HoldZoom{0});  // one score: how it is computed stays
    head.frames(3);
    CHECK_FALSE(head.ui.rects.find("zoom/tile figure"));
  }
}

TEST_CASE("each batch of the wall of heads has its name, right of its block") {
  for (const auto& [w, h, text] : {std::tuple{1600, 900, 1.0}, {1280, 720, 1.0}, {1280, 720, 1.5}})
    for (const bool presents : {true, false}) {
      INFO(w << "x" << h << ", text " << text << (presents ? ", presenting" : ""));
      Headless head(zoom_document(presents ? kPresentingText : text), w, h);
      if (presents) head.session->dispatch(Action::Present);
      head.session->dispatch(HoldZoom{1});
      head.frames(3);
      const EndlessZoomModel m = *head.models<WalkPage>().endless_zoom;
      REQUIRE(m.batches.size() == 2);
      const draw::Rect wall = head.rect("zoom/square All heads");
      for (int batch = 0; batch < 2; ++batch) {
        const draw::Rect r = head.rect("zoom/batch " + std::to_string(batch));
        CHECK(r.x0 >= wall.x1);
        CHECK(r.middle().y == Approx(wall.y0 + wall.height() * (0.25f + 0.5f * float(batch))).margin(4));
      }
    }
}

TEST_CASE("the legend has the colours of scores while they can be seen, and the outlines of the picture") {
  Headless head(zoom_document());
  const auto has = [&](double t, const std::string& words) {
    head.session->dispatch(HoldZoom{t});
    head.frames(2);
    return head.ui.rects.find("zoom/legend " + words).has_value();
  };
  head.session->dispatch(HoldZoom{0.15});
  const ZoomTile tile = head.models<WalkPage>().endless_zoom->tile;
  const std::string colours = "a score, " + tile.low_text + " to " + tile.high_text;
  CHECK(has(0.15, colours));
  CHECK_FALSE(has(1, colours));
  CHECK(has(1, "never written"));
  CHECK(has(1, "current square"));
  CHECK_FALSE(has(0.4, "current square"));  // a tile on chip is current
}

TEST_CASE("the axis of the bars has words at both ends, and no two of its words touch") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(zoom_document(), w, h);
    head.session->dispatch(HoldZoom{1});
    head.frames(2);
    const EndlessZoomModel m = *head.models<WalkPage>().endless_zoom;
    const draw::Rect first = head.rect("zoom/tick " + m.ticks.front().text),
                     last = head.rect("zoom/tick " + m.ticks.back().text), bar = head.rect("zoom/bar All heads");
    CHECK(first.x0 == Approx(bar.x0));
    CHECK(last.x1 == Approx(bar.x1));
    CHECK(first.y1 <= bar.y0);
    for (const ZoomTick& a : m.ticks)
      for (const ZoomTick& b : m.ticks) {
        const auto one = head.ui.rects.find("zoom/tick " + a.text), other = head.ui.rects.find("zoom/tick " + b.text);
        if (&a != &b && one && other) CHECK((one->x1 < other->x0 || other->x1 < one->x0));
      }
  }
}

TEST_CASE("at t 0 the score fills the picture in the colour of its value, and its products are in it") {
  for (const auto& [w, h, text] :
       {std::tuple{1280, 720, 1.0}, std::tuple{1600, 900, 1.5}, std::tuple{3840, 2160, 1.0}}) {
    INFO(w << "x" << h << ", text " << text);
    Headless head(zoom_document(text), w, h);
    head.session->dispatch(HoldZoom{0});
    head.frames(2);
    const draw::Rect picture = head.rect("zoom/picture"), score = head.rect("zoom/score");
    CHECK(score.width() == Approx(double(picture.width()) * kZoomFill).epsilon(0.001));
    CHECK(within(head.rect("zoom/meeting"), score));
    const ZoomTile tile = head.models<WalkPage>().endless_zoom->tile;
    const float value = tile.at(tile.row - tile.tile_row, tile.col - tile.tile_col).value;
    const ImU32 colour = viridis((value - tile.low) / (tile.high - tile.low));
    bool coloured = false;
    const ImDrawData& data = *ImGui::GetDrawData();
    for (int i = 0; i < data.CmdListsCount; ++i)
      for (const ImDrawVert& vertex : data.CmdLists[i]->VtxBuffer) coloured = coloured || vertex.col == colour;
    CHECK(coloured);
    head.session->dispatch(HoldZoom{0.5});
    head.frames(2);
    CHECK_FALSE(head.ui.rects.find("zoom/meeting"));
  }
}

TEST_CASE("tiles too small to be seen share one ring and one line, and no outline crosses them") {
  for (const auto& [w, h] : kRooms) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h, true);
    head.session->dispatch(HoldZoom{1});
    show_to_room(head);
    std::vector<draw::Rect> rings;
    for (const auto& [name, r] : head.ui.rects.all())
      if (name.starts_with("zoom/ring of ")) rings.push_back(r);
    REQUIRE(rings.size() == 1);
    for (const auto& [name, r] : head.ui.rects.all())
      if (name.starts_with("zoom/square N ")) CHECK(r.width() > 2 * rings[0].width());
  }
}

TEST_CASE("the last picture of the zoom says in large letters what never exists, and that the tile does") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, {1600, 900, 1.0}, {1600, 900, 1.5}, {3840, 2160, 1.0}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = picture_document();
    document.view.text_scale = text;
    Headless head(document, w, h);
    head.session->dispatch(HoldZoom{0.97});
    head.frames(3);
    CHECK_FALSE(head.ui.rects.find("zoom/end"));
    head.session->dispatch(HoldZoom{1});
    head.frames(3);
    const EndlessZoomModel& m = *head.models<WalkPage>().endless_zoom;
    CHECK(m.end_words == "4.00 TiB never exist");
    CHECK(m.end_tile == "this square does: " + m.tile_figure);
    CHECK(within(head.rect("zoom/end"), head.rect("zoom/square " + m.levels.back().name)));
  }
}
