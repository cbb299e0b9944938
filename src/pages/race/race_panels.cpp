// The panels of the page of the race.
#include "pages/race/race_layout.h"
#include "pages/race/race_model.h"
#include "ui/panels/panel_table.h"

namespace tilewalk {

// Each is defined in the file of its name.
void draw_race_panel(const UiFrame&, Panel&);
void draw_race_bars_panel(const UiFrame&, Panel&);
void draw_race_curves_panel(const UiFrame&, Panel&);
void draw_race_table_panel(const UiFrame&, Panel&);
void draw_win_frame_panel(const UiFrame&, Panel&);

namespace {

bool has_race(const Views& views) {
  const RaceModel* const race = views.page<RaceModel>();
  return race && race->any;
}

bool has_win(const Views& views) {
  const RaceModel* const race = views.page<RaceModel>();
  return race && race->win;
}

}  // namespace

std::vector<PanelRow> race_panels() {
  return {{.id = "race",
           .place = placed<race_layout, &RaceLayout::head>,
           .draw = draw_race_panel,
           .stacked = 110,
           .fits = true,
           .for_room = headline_of_room},
          {.id = "race-bars",
           .place = placed<race_layout, &RaceLayout::bars>,
           .draw = draw_race_bars_panel,
           .shown = has_race,
           .stacked = 436,
           .for_room = whole_room},
          {.id = "race-curves",
           .place = placed<race_layout, &RaceLayout::curves>,
           .draw = draw_race_curves_panel,
           .shown = has_race,
           .stacked = 300},
          {.id = "race-table",
           .place = placed<race_layout, &RaceLayout::table>,
           .draw = draw_race_table_panel,
           .shown = has_race,
           .stacked = 290,
           .fits = true},
          {.id = "race-win",
           .place = placed<&Layout::page>,
           .draw = draw_win_frame_panel,
           .shown = has_win,
           .covers = true,
           .for_room = whole_room}};
}

}  // namespace tilewalk
