// The panels of the page of the lab.
#include "pages/lab/lab_layout.h"
#include "pages/lab/lab_model.h"
#include "ui/panels/panel_table.h"

namespace tilewalk {

// Each is defined in the file of its name.
void draw_lab_text_panel(const UiFrame&, Panel&);
void draw_lab_verdict_panel(const UiFrame&, Panel&);
void draw_lab_matrix_panel(const UiFrame&, Panel&);
void draw_lab_transport_panel(const UiFrame&, Panel&);
void draw_lab_numbers_panel(const UiFrame&, Panel&);
void draw_lab_traffic_panel(const UiFrame&, Panel&);

namespace {

// The matrix is all that there is to show: before a run, of a task with neither tile visits nor bytes to count.
bool is_matrix_alone(const Views& views) {
  const LabPage* const page = views.page<LabPage>();
  return page && page->matrix.before && page->matrix.own && page->bars.empty();
}

bool is_walked(const Views& views) { return !is_matrix_alone(views); }

}  // namespace

std::vector<PanelRow> lab_panels() {
  return {{.id = "lab-text",
           .place = placed<lab_layout, &LabLayout::text>,
           .draw = draw_lab_text_panel,
           .scroll = Scroll::ByWheel,
           .stacked = 720},
          {.id = "lab-verdict",
           .place = placed<lab_layout, &LabLayout::verdict>,
           .draw = draw_lab_verdict_panel,
           .stacked = 120,
           .fits = true,
           .leads = true},
          {.id = "lab-matrix",
           .place = placed<lab_layout, &LabLayout::matrix>,
           .draw = draw_lab_matrix_panel,
           .shown = is_walked,
           .stacked = 420},
          {.id = "lab-numbers",
           .place = placed<lab_layout, &LabLayout::numbers>,
           .draw = draw_lab_numbers_panel,
           .shown = is_walked,
           .stacked = 460,
           .fits = true},
          {.id = "lab-transport",
           .place = placed<lab_layout, &LabLayout::transport>,
           .draw = draw_lab_transport_panel,
           .shown = is_walked,
           .stacked = 260,
           .fits = true},
          {.id = "lab-traffic",
           .place = placed<lab_layout, &LabLayout::traffic>,
           .draw = draw_lab_traffic_panel,
           .shown = is_walked,
           .stacked = 240,
           .fits = true},
          {.id = "lab-matrix-alone",
           .place = placed<lab_layout, &LabLayout::matrix_alone>,
           .draw = draw_lab_matrix_panel,
           .shown = is_matrix_alone,
           .stacked = 420,
           .covers = true},
          {.id = "lab-numbers-alone",
           .place = placed<lab_layout, &LabLayout::numbers_alone>,
           .draw = draw_lab_numbers_panel,
           .shown = is_matrix_alone,
           .stacked = 460,
           .fits = true,
           .covers = true}};
}

}  // namespace tilewalk
