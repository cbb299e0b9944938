// The panels of the page of the walk.
#include "ui/panels/panel_table.h"

namespace tilewalk {

// Each is defined in the file of its name.
void draw_schedules_panel(const UiFrame&, Panel&);
void draw_memory_panel(const UiFrame&, Panel&);
void draw_scores_panel(const UiFrame&, Panel&);
void draw_side_panel(const UiFrame&, Panel&);
void draw_transport_panel(const UiFrame&, Panel&);
void draw_traffic_panel(const UiFrame&, Panel&);

std::vector<PanelRow> walk_panels() {
  return {
      {.id = "schedules", .place = placed<&Layout::schedules>, .draw = draw_schedules_panel, .scroll = Scroll::Never},
      {.id = "memory", .place = placed<&Layout::memory>, .draw = draw_memory_panel},
      {.id = "scores", .place = placed<&Layout::scores>, .draw = draw_scores_panel, .scroll = Scroll::Never},
      {.id = "side", .place = placed<&Layout::side>, .draw = draw_side_panel},
      {.id = "transport", .place = placed<&Layout::transport>, .draw = draw_transport_panel, .scroll = Scroll::Never},
      {.id = "traffic", .place = placed<&Layout::traffic>, .draw = draw_traffic_panel}};
}

}  // namespace tilewalk
