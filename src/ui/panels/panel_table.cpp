#include "ui/panels/panel_table.h"

#include <algorithm>

#include "base/words.h"

namespace tilewalk {

// Each in the file of its name.
void draw_header_panel(const UiFrame&, Panel&);
void draw_lesson_panel(const UiFrame&, Panel&);
void draw_memory_panel(const UiFrame&, Panel&);
void draw_scores_panel(const UiFrame&, Panel&);
void draw_side_panel(const UiFrame&, Panel&);
void draw_transport_panel(const UiFrame&, Panel&);
void draw_traffic_panel(const UiFrame&, Panel&);
void draw_lanes_panel(const UiFrame&, Panel&);
void draw_pinned_waves_panel(const UiFrame&, Panel&);
void draw_waves_now_panel(const UiFrame&, Panel&);
void draw_pinned_launches(const UiFrame&, Panel&);
void draw_launches_now(const UiFrame&, Panel&);
void draw_split_k_panel(const UiFrame&, Panel&);
void draw_split_q_panel(const UiFrame&, Panel&);
void draw_compare_panel(const UiFrame&, Panel&);
void draw_race_panel(const UiFrame&, Panel&);
void draw_race_bars_panel(const UiFrame&, Panel&);
void draw_race_curves_panel(const UiFrame&, Panel&);
void draw_race_predicted_panel(const UiFrame&, Panel&);
void draw_tree_panel(const UiFrame&, Panel&);
void draw_roofline_choices_panel(const UiFrame&, Panel&);
void draw_roofline_plot_panel(const UiFrame&, Panel&);
void draw_roofline_guess_panel(const UiFrame&, Panel&);
void draw_roofline_wins_panel(const UiFrame&, Panel&);
void draw_roofline_table_panel(const UiFrame&, Panel&);
void draw_which_call_panel(const UiFrame&, Panel&);
void draw_which_cards_panel(const UiFrame&, Panel&);
void draw_which_so_panel(const UiFrame&, Panel&);
void draw_which_names_panel(const UiFrame&, Panel&);

namespace {

template <draw::Rect Layout::*slot>
draw::Rect at(const Layout& layout) {
  return layout.*slot;
}

bool has_rail(const Views& v) { return v.rail.has_value(); }
bool has_race(const Views& v) { return v.race && v.race->any; }
bool has_which(const Views& v) { return v.which && v.which->model; }
bool shows_warps(const Views& v) { return v.compare && v.compare->warps; }
bool shows_launches(const Views& v) { return v.compare && v.compare->launches; }
bool shows_sms(const Views& v) { return v.compare && !v.compare->warps && !v.compare->launches; }

}  // namespace

const std::vector<PanelRow>& panel_table() {
  static const std::vector<PanelRow> rows = {
      {"header", std::nullopt, at<&Layout::header>, draw_header_panel, Scroll::Never},
      {"rail", std::nullopt, at<&Layout::rail>, draw_lesson_panel, Scroll::Never, has_rail},
      {"memory", Page::Walk, at<&Layout::memory>, draw_memory_panel},
      {"scores", Page::Walk, at<&Layout::scores>, draw_scores_panel, Scroll::Never},
      {"side", Page::Walk, at<&Layout::side>, draw_side_panel},
      {"transport", Page::Walk, at<&Layout::transport>, draw_transport_panel, Scroll::Never},
      {"traffic", Page::Walk, at<&Layout::traffic>, draw_traffic_panel},
      {"lanes", Page::Compare, at<&Layout::lanes>, draw_lanes_panel, Scroll::ByBar},
      {"sms-pinned", Page::Compare, at<&Layout::waves_left>, draw_pinned_waves_panel, Scroll::ByWheel, shows_sms},
      {"sms-now", Page::Compare, at<&Layout::waves_right>, draw_waves_now_panel, Scroll::ByWheel, shows_sms},
      {"launches-pinned", Page::Compare, at<&Layout::waves_left>, draw_pinned_launches, Scroll::ByWheel,
       shows_launches},
      {"launches-now", Page::Compare, at<&Layout::waves_right>, draw_launches_now, Scroll::ByWheel, shows_launches},
      {"split-k", Page::Compare, at<&Layout::waves_left>, draw_split_k_panel, Scroll::ByWheel, shows_warps},
      {"split-q", Page::Compare, at<&Layout::waves_right>, draw_split_q_panel, Scroll::ByWheel, shows_warps},
      {"compare", Page::Compare, at<&Layout::compare>, draw_compare_panel},
      {"race", Page::Race, at<&Layout::race_head>, draw_race_panel},
      {"race-bars", Page::Race, at<&Layout::race_bars>, draw_race_bars_panel, Scroll::ByWheel, has_race},
      {"race-curves", Page::Race, at<&Layout::race_curves>, draw_race_curves_panel, Scroll::ByWheel, has_race},
      {"race-predicted", Page::Race, at<&Layout::race_predicted>, draw_race_predicted_panel, Scroll::ByWheel, has_race},
      {"tree", Page::Tree, at<&Layout::page>, draw_tree_panel},
      {"roofline", Page::Roofline, at<&Layout::roofline_head>, draw_roofline_choices_panel},
      {"roofline-plot", Page::Roofline, at<&Layout::roofline_plot>, draw_roofline_plot_panel},
      {"roofline-guess", Page::Roofline, at<&Layout::roofline_guess>, draw_roofline_guess_panel},
      {"roofline-wins", Page::Roofline, at<&Layout::roofline_wins>, draw_roofline_wins_panel},
      {"roofline-table", Page::Roofline, at<&Layout::roofline_table>, draw_roofline_table_panel},
      {"which-call", Page::Which, at<&Layout::which_call>, draw_which_call_panel, Scroll::ByWheel, has_which},
      {"which-cards", Page::Which, at<&Layout::which_cards>, draw_which_cards_panel},
      {"which-so", Page::Which, at<&Layout::which_so>, draw_which_so_panel, Scroll::ByWheel, has_which},
      {"which-names", Page::Which, at<&Layout::which_names>, draw_which_names_panel},
  };
  return rows;
}

bool stands_on(const PanelRow& row, Page page, const Views& views) {
  return (!row.page || *row.page == page) && (!row.shown || row.shown(views));
}

const PanelRow* find_panel(const std::string& id) {
  const auto& rows = panel_table();
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const PanelRow& row) { return id == row.id; });
  return at == rows.end() ? nullptr : &*at;
}

std::string panel_names(Page page) {
  std::string names;
  for (const PanelRow& row : panel_table())
    if (!row.page || *row.page == page) add_to_list(names, std::string(row.id));
  return names;
}

}  // namespace tilewalk
