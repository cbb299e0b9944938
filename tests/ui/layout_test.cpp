#include "ui/layout.h"

#include <algorithm>

#include "tests/support/catch.h"
#include "ui/panels/panel_table.h"
#include "view/pages.h"

using namespace tilewalk;

namespace {

bool overlap(const draw::Rect& a, const draw::Rect& b) {
  return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}

bool scrolls(const draw::Rect& place, const Layout& layout) {
  return std::any_of(panel_table().begin(), panel_table().end(), [&](const PanelRow& row) {
    return flows(row, layout) && row.place(layout).y0 == place.y0 && row.place(layout).x0 == place.x0;
  });
}

// The rectangles of a page's panels, each once: two panels may share one in turn.
std::vector<draw::Rect> places_on(Page page, const Layout& layout) {
  std::vector<draw::Rect (*)(const Layout&)> places;
  for (const PanelRow& row : panel_table())
    if ((!row.page || *row.page == page) && !row.covers &&
        std::find(places.begin(), places.end(), row.place) == places.end())
      places.push_back(row.place);
  std::vector<draw::Rect> out;
  for (const auto place : places)
    if (place(layout).height() > 0 && !scrolls(place(layout), layout))  // otherwise folded away or absent
      out.push_back(place(layout));
  if (page == Page::Walk && is_compact(layout)) out.push_back(layout.flow);
  return out;
}

}  // namespace

TEST_CASE("no two panels overlap and none leaves the window, at any size, text scale and split") {
  for (const auto& [w, h] :
       {std::pair{1280, 720}, std::pair{1600, 900}, std::pair{1920, 1080}, std::pair{3840, 2160}, std::pair{800, 600}})
    for (const float text : {0.8f, 1.0f, 1.5f, 3.0f})
      for (const float split : {0.2f, 1.0f, 4.0f})
        for (const LessonPanelRoom& lesson_panel :
             {LessonPanelRoom{false, true}, LessonPanelRoom{true, true}, LessonPanelRoom{true, false}}) {
          if (lesson_panel.open && (text > 2 || w < 1280)) continue;  // only sizes at which a lesson is readable
          const Layout l =
              compute_layout(float(w), float(h), automatic_scale(w, h), text, {split, split, split}, lesson_panel);
          INFO(w << "x" << h << " text " << text << " split " << split << " rail " << lesson_panel.open
                 << lesson_panel.memory);
          CHECK((l.lesson_panel.width() > 250) == lesson_panel.open);
          for (const PageRow& page : pages()) {
            const std::vector<draw::Rect> all = places_on(page.page, l);
            for (std::size_t i = 0; i < all.size(); ++i) {
              CHECK(all[i].x0 >= 0);
              CHECK(all[i].y0 >= 0);
              CHECK(all[i].x1 <= float(w));
              CHECK(all[i].y1 <= float(h));
              CHECK(all[i].width() > 8);
              CHECK(all[i].height() > 8);
              INFO(page.title << ", place " << i);
              for (std::size_t j = i + 1; j < all.size(); ++j) CHECK_FALSE(overlap(all[i], all[j]));
            }
          }
        }
}

TEST_CASE("panels that scroll together lie below one another, as wide as their window but for its bar") {
  for (const auto& [w, h] : {std::pair{1280, 720}, std::pair{1600, 900}, std::pair{3840, 2160}, std::pair{800, 600}})
    for (const float text : {2.0f, 3.0f}) {
      const Layout l = compute_layout(float(w), float(h), automatic_scale(w, h), text, {}, {});
      if (!is_compact(l)) continue;
      INFO(w << "x" << h << " text " << text);
      std::vector<draw::Rect> all;
      for (const PanelRow& row : panel_table())
        if (flows(row, l)) all.push_back(row.place(l));
      CHECK(all.size() >= 2);
      std::sort(all.begin(), all.end(), [](const draw::Rect& a, const draw::Rect& b) { return a.y0 < b.y0; });
      float below = l.flow.y0;
      for (const draw::Rect& r : all) {
        CHECK(r.x0 == l.flow.x0);
        CHECK(r.x1 < l.flow.x1);
        CHECK(r.y0 >= below);
        below = r.y1;
      }
    }
}

TEST_CASE("a panel that covers others leaves alone those that stay beside it") {
  const Layout l = compute_layout(1600, 900, 1, 1, {});
  const auto place = [&](const char* id) { return find_panel(id)->place(l); };
  for (const char* beside : {"header", "memory", "transport", "traffic"}) {
    INFO(beside);
    CHECK_FALSE(overlap(place("card"), place(beside)));
  }
  for (const char* covered : {"scores", "side"}) CHECK(overlap(place("card"), place(covered)));
  CHECK_FALSE(overlap(place("pipes"), place("header")));
}

TEST_CASE("the interface scales with the framebuffer") {
  CHECK(automatic_scale(1600, 900) == Approx(1));
  CHECK(automatic_scale(1280, 720) == Approx(0.85));
  CHECK(automatic_scale(1920, 1080) == Approx(1.15));
  CHECK(automatic_scale(3840, 2160) == Approx(2.05));
  CHECK(automatic_scale(640, 360) == Approx(0.85));
}

TEST_CASE("every page has panels, and every panel a name of its own") {
  for (const PageRow& page : pages()) {
    INFO(page.title);
    CHECK(page_row(page.page).page == page.page);
    CHECK(panel_names(page.page).find("header, ") == 0);
  }
  CHECK(panel_names(Page::Walk) ==
        "header, rail, picture, schedules, memory, scores, one row, side, card, zoom, "
        "transport, traffic");
  for (const PanelRow& row : panel_table()) CHECK(find_panel(row.id) == &row);
  CHECK_FALSE(find_panel("grid"));
}
