// The panels of the page of the roofline.
#include "pages/roofline/roofline_layout.h"
#include "pages/roofline/roofline_page.h"
#include "ui/panels/panel_table.h"

namespace tilewalk {

// Each is defined in the file of its name.
void draw_roofline_choices_panel(const UiFrame&, Panel&);
void draw_roofline_plot_panel(const UiFrame&, Panel&);
void draw_roofline_guess_panel(const UiFrame&, Panel&);
void draw_roofline_wins_panel(const UiFrame&, Panel&);
void draw_roofline_table_panel(const UiFrame&, Panel&);
void draw_roof_drawing_panel(const UiFrame&, Panel&);

namespace {

bool has_drawing(const Views& views) { return views.page<RooflinePage>()->drawing.has_value(); }
// While a lesson asks for the times, the plot has the room of the panels that would be blank.
bool shows_plot_alone(const Views& views) { return !has_drawing(views) && views.page<RooflinePage>()->hides_times; }
bool shows_every_panel(const Views& views) { return !has_drawing(views) && !views.page<RooflinePage>()->hides_times; }

}  // namespace

std::vector<PanelRow> roofline_panels() {
  return {{.id = "roofline",
           .place = placed<roofline_layout, &RooflineLayout::head>,
           .draw = draw_roofline_choices_panel,
           .shown = shows_every_panel,
           .stacked = 130,
           .fits = true},
          {.id = "roofline-alone",
           .place = placed<roofline_layout, &RooflineLayout::strip>,
           .draw = draw_roofline_choices_panel,
           .shown = shows_plot_alone,
           .stacked = 130,
           .fits = true,
           .covers = true},
          {.id = "roofline-guess",
           .place = placed<roofline_layout, &RooflineLayout::guess>,
           .draw = draw_roofline_guess_panel,
           .shown = shows_every_panel,
           .stacked = 140,
           .leads = true,
           .for_room = headline_of_room},
          {.id = "roofline-plot",
           .place = placed<roofline_layout, &RooflineLayout::plot>,
           .draw = draw_roofline_plot_panel,
           .shown = shows_every_panel,
           .stacked = 330,
           .for_room = below_headline_of_room},
          {.id = "roofline-plot-alone",
           .place = placed<roofline_layout, &RooflineLayout::body>,
           .draw = draw_roofline_plot_panel,
           .shown = shows_plot_alone,
           .stacked = 480,
           .leads = true,
           .covers = true,
           .for_room = whole_room},
          {.id = "roofline-wins",
           .place = placed<roofline_layout, &RooflineLayout::wins>,
           .draw = draw_roofline_wins_panel,
           .shown = shows_every_panel,
           .stacked = 300},
          {.id = "roofline-table",
           .place = placed<roofline_layout, &RooflineLayout::table>,
           .draw = draw_roofline_table_panel,
           .shown = shows_every_panel,
           .stacked = 400,
           .fits = true},
          {.id = "roofline-drawing",
           .place = placed<&Layout::page>,
           .draw = draw_roof_drawing_panel,
           .shown = has_drawing,
           .stacked = 520,
           .covers = true,
           .for_room = whole_room}};
}

}  // namespace tilewalk
