// The panels of the page of comparison.
#include <algorithm>

#include "pages/compare/compare_layout.h"
#include "pages/compare/compare_page.h"
#include "ui/panels/panel_table.h"

namespace tilewalk {

// Each is defined in the file of its name.
void draw_schedules_panel(const UiFrame&, Panel&);  // in ui/panels
void draw_lanes_panel(const UiFrame&, Panel&);
void draw_compare_steps_panel(const UiFrame&, Panel&);
void draw_pinned_waves_panel(const UiFrame&, Panel&);
void draw_waves_now_panel(const UiFrame&, Panel&);
void draw_pinned_launches(const UiFrame&, Panel&);
void draw_launches_now(const UiFrame&, Panel&);
void draw_split_k_panel(const UiFrame&, Panel&);
void draw_split_q_panel(const UiFrame&, Panel&);
void draw_compare_panel(const UiFrame&, Panel&);
void draw_pipes_panel(const UiFrame&, Panel&);

namespace {

bool shows_pipes(const Views& views) {
  const ComparePage* const page = views.page<ComparePage>();
  return page && page->filling == Filling::Pipes;
}
bool shows_lanes(const Views& views) { return !shows_pipes(views); }
// A lesson that outlines the lanes speaks of nothing else on this page.
bool lanes_alone(const Views& views) {
  return views.lesson_panel &&
         std::count(views.lesson_panel->outline.begin(), views.lesson_panel->outline.end(), "lanes") > 0;
}
bool shows_table(const Views& views) { return shows_lanes(views) && !lanes_alone(views); }
bool shows_warps(const Views& views) {
  const ComparePage* const page = views.page<ComparePage>();
  return page && page->warps && !lanes_alone(views);
}
bool shows_launches(const Views& views) {
  const ComparePage* const page = views.page<ComparePage>();
  return page && page->launches && shows_table(views);
}
bool shows_sms(const Views& views) {
  const ComparePage* const page = views.page<ComparePage>();
  return page && !page->warps && !page->launches && shows_table(views);
}

void set_lanes_room(const draw::Rect& panel, const Theme& theme, ViewRoom& room) {
  room.lanes_width = std::max(1.0f, lanes_area(panel, theme).width() / theme.s);
}
void set_squares_room(const draw::Rect& panel, const Theme& theme, ViewRoom& room) {
  const draw::Rect squares = squares_area(panel, theme);
  room.waves_width = std::max(1.0f, squares.width() / theme.s);
  room.waves_height = std::max(1.0f, squares.height() / theme.s);
}

}  // namespace

std::vector<PanelRow> compare_panels() {
  return {{.id = "compared",
           .place = placed<compare_layout, &CompareLayout::head>,
           .draw = draw_schedules_panel,
           .scroll = Scroll::Never,
           .shown = shows_lanes,
           .stacked = 38},
          {.id = "lanes",
           .place = placed<compare_layout, &CompareLayout::lanes>,
           .draw = draw_lanes_panel,
           .scroll = Scroll::ByBar,
           .shown = shows_lanes,
           .set_room = set_lanes_room,
           .stacked = 330},
          {.id = "steps",
           .place = placed<compare_layout, &CompareLayout::steps>,
           .draw = draw_compare_steps_panel,
           .scroll = Scroll::Never,
           .shown = shows_lanes,
           .stacked = 40},
          {.id = "sms-pinned",
           .place = placed<compare_layout, &CompareLayout::waves_left>,
           .draw = draw_pinned_waves_panel,
           .shown = shows_sms,
           .set_room = set_squares_room,
           .stacked = 300},
          {.id = "sms-now",
           .place = placed<compare_layout, &CompareLayout::waves_right>,
           .draw = draw_waves_now_panel,
           .shown = shows_sms,
           .stacked = 300},
          {.id = "launches-pinned",
           .place = placed<compare_layout, &CompareLayout::waves_left>,
           .draw = draw_pinned_launches,
           .shown = shows_launches,
           .stacked = 330},
          {.id = "launches-now",
           .place = placed<compare_layout, &CompareLayout::waves_right>,
           .draw = draw_launches_now,
           .shown = shows_launches,
           .stacked = 330},
          {.id = "split-k",
           .place = placed<compare_layout, &CompareLayout::waves_left>,
           .draw = draw_split_k_panel,
           .shown = shows_warps,
           .stacked = 330},
          {.id = "split-q",
           .place = placed<compare_layout, &CompareLayout::waves_right>,
           .draw = draw_split_q_panel,
           .shown = shows_warps,
           .stacked = 330},
          {.id = "compare",
           .place = placed<compare_layout, &CompareLayout::table>,
           .draw = draw_compare_panel,
           .shown = shows_table,
           .stacked = 440},
          {.id = "pipes",
           .place = placed<&Layout::page>,
           .draw = draw_pipes_panel,
           .scroll = Scroll::Never,
           .shown = shows_pipes,
           .stacked = 640,
           .covers = true}};
}

}  // namespace tilewalk
