// The panels of the page of which attention runs.
#include "pages/which/which_layout.h"
#include "pages/which/which_page.h"
#include "ui/panels/panel_table.h"

namespace tilewalk {

// Each is defined in the file of its name.
void draw_which_call_panel(const UiFrame&, Panel&);
void draw_which_answer_panel(const UiFrame&, Panel&);
void draw_which_cards_panel(const UiFrame&, Panel&);
void draw_which_so_panel(const UiFrame&, Panel&);
void draw_which_names_panel(const UiFrame&, Panel&);
void draw_which_profile_panel(const UiFrame&, Panel&);
void draw_which_name_panel(const UiFrame&, Panel&);

namespace {

bool has_profile(const Views& views) {
  const WhichPage* const page = views.page<WhichPage>();
  return page && !page->names.file.empty();
}
bool is_of_call(const Views& views) { return !has_profile(views); }
bool has_fields(const Views& views) {
  const WhichPage* const page = views.page<WhichPage>();
  return page && page->model;
}
bool has_call(const Views& views) { return has_fields(views) && is_of_call(views); }

}  // namespace

std::vector<PanelRow> which_panels() {
  return {{.id = "which-call",
           .place = placed<which_layout, &WhichLayout::call>,
           .draw = draw_which_call_panel,
           .shown = has_fields,
           .stacked = 560},
          {.id = "which-answer",
           .place = placed<which_layout, &WhichLayout::answer>,
           .draw = draw_which_answer_panel,
           .shown = has_call,
           .stacked = 150,
           .leads = true},
          {.id = "which-cards",
           .place = placed<which_layout, &WhichLayout::cards>,
           .draw = draw_which_cards_panel,
           .shown = is_of_call,
           .stacked = 470},
          {.id = "which-so",
           .place = placed<which_layout, &WhichLayout::so>,
           .draw = draw_which_so_panel,
           .shown = has_call,
           .stacked = 200},
          {.id = "which-names",
           .place = placed<which_layout, &WhichLayout::names>,
           .draw = draw_which_names_panel,
           .shown = is_of_call,
           .stacked = 330},
          {.id = "which-profile",
           .place = placed<which_layout, &WhichLayout::profile>,
           .draw = draw_which_profile_panel,
           .shown = has_profile,
           .stacked = 520,
           .leads = true,
           .covers = true},
          {.id = "which-name",
           .place = placed<which_layout, &WhichLayout::profile_name>,
           .draw = draw_which_name_panel,
           .shown = has_profile,
           .stacked = 330,
           .covers = true}};
}

}  // namespace tilewalk
