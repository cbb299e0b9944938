// The panels of the page of the walk.
#include "pages/walk/walk_page.h"
#include "ui/panels/panel_table.h"

namespace tilewalk {

// Each is defined in the file of its name.
void draw_schedules_panel(const UiFrame&, Panel&);
void draw_memory_panel(const UiFrame&, Panel&);
void draw_scores_panel(const UiFrame&, Panel&);
void draw_side_panel(const UiFrame&, Panel&);
void draw_transport_panel(const UiFrame&, Panel&);
void draw_traffic_panel(const UiFrame&, Panel&);
void draw_last_card_panel(const UiFrame&, Panel&);
void draw_endless_zoom_panel(const UiFrame&, Panel&);
void draw_one_row_panel(const UiFrame&, Panel&);

namespace {

bool shows_zoom(const Views& views) {
  const WalkPage* const page = views.page<WalkPage>();
  return page && page->endless_zoom;
}
bool shows_card(const Views& views) {
  const WalkPage* const page = views.page<WalkPage>();
  return page && page->last_card && !page->endless_zoom;
}
bool shows_row(const Views& views) {
  const WalkPage* const page = views.page<WalkPage>();
  return page && page->one_row;
}
bool shows_walk(const Views& views) { return !shows_zoom(views) && !shows_row(views); }
bool shows_matrix(const Views& views) { return !shows_card(views) && shows_walk(views); }
bool shows_traffic(const Views& views) { return shows_matrix(views); }  // the card has the same bytes

draw::Rect place_of_card(const Layout& layout) {
  if (is_compact(layout))
    return {layout.page.x0, layout.page.y0, layout.page.x1, layout.transport.y0 - layout.scale.gap};
  return layout.scores.joined(layout.side);
}

}  // namespace

std::vector<PanelRow> walk_panels() {
  return {
      {.id = "schedules",
       .place = placed<&Layout::schedules>,
       .draw = draw_schedules_panel,
       .scroll = Scroll::Never,
       .shown = shows_matrix,
       .flows = true},
      {.id = "memory", .place = placed<&Layout::memory>, .draw = draw_memory_panel, .shown = shows_walk, .flows = true},
      {.id = "scores",
       .place = placed<&Layout::scores>,
       .draw = draw_scores_panel,
       .scroll = Scroll::Never,
       .shown = shows_matrix,
       .flows = true},
      {.id = "one row",
       .place = placed<&Layout::whole>,
       .draw = draw_one_row_panel,
       .scroll = Scroll::Never,
       .shown = shows_row,
       .covers = true,
       .for_room = whole_room},
      {.id = "side", .place = placed<&Layout::side>, .draw = draw_side_panel, .shown = shows_matrix, .flows = true},
      {.id = "card", .place = place_of_card, .draw = draw_last_card_panel, .shown = shows_card, .covers = true},
      {.id = "zoom",
       .place = placed<&Layout::page>,
       .draw = draw_endless_zoom_panel,
       .scroll = Scroll::Never,
       .shown = shows_zoom,
       .covers = true,
       .for_room = whole_room},
      {.id = "transport",
       .place = placed<&Layout::transport>,
       .draw = draw_transport_panel,
       .scroll = Scroll::Never,
       .shown = shows_walk},
      {.id = "traffic",
       .place = placed<&Layout::traffic>,
       .draw = draw_traffic_panel,
       .shown = shows_traffic,
       .flows = true}};
}

}  // namespace tilewalk
