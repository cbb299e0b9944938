#include "ui/panels/panel_table.h"

#include <algorithm>

#include "base/words.h"

namespace tilewalk {

// Each is defined in the file of its name.
void draw_header_panel(const UiFrame&, Panel&);
void draw_lesson_panel(const UiFrame&, Panel&);

// Each is defined in the folder of its page.
#define PAGE(enumerator, word) std::vector<PanelRow> word##_panels();
#include "session/document/pages.inc"
#undef PAGE

namespace {

bool has_lesson_panel(const Views& v) { return v.lesson_panel.has_value(); }

std::vector<PanelRow> all_panels() {
  std::vector<PanelRow> rows = {
      {.id = "header", .place = placed<&Layout::header>, .draw = draw_header_panel, .scroll = Scroll::Never},
      {.id = kLessonPanel,
       .place = placed<&Layout::lesson_panel>,
       .draw = draw_lesson_panel,
       .scroll = Scroll::Never,
       .shown = has_lesson_panel}};
  const auto add = [&](Page page, const std::vector<PanelRow>& panels) {
    for (PanelRow row : panels) {
      row.page = page;
      rows.push_back(row);
    }
  };
#define PAGE(enumerator, word) add(Page::enumerator, word##_panels());
#include "session/document/pages.inc"
#undef PAGE
  return rows;
}

}  // namespace

const std::vector<PanelRow>& panel_table() {
  static const std::vector<PanelRow> rows = all_panels();
  return rows;
}

bool is_on(const PanelRow& row, Page page, const Views& views) {
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

ViewRoom room_of(const Layout& layout, const Theme& theme, bool holds_matrix) {
  ViewRoom room = walk_room_of(layout, theme, holds_matrix);
  for (const PanelRow& row : panel_table())
    if (row.set_room) row.set_room(row.place(layout), theme, room);
  return room;
}

}  // namespace tilewalk
