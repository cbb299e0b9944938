#include "ui/panels/panel_table.h"

#include <algorithm>
#include <cmath>

#include "base/words.h"

namespace tilewalk {

// Each is defined in the file of its name.
void draw_header_panel(const UiFrame&, Panel&);
void draw_lesson_panel(const UiFrame&, Panel&);
void draw_lesson_picture_panel(const UiFrame&, Panel&);

// Each is defined in the folder of its page.
#define PAGE(enumerator, word, not_presented, steps) std::vector<PanelRow> word##_panels();
#include "session/document/pages.inc"
#undef PAGE

namespace {

constexpr float kHeadlineOfRoom = 0.23f;  // of its height

bool has_lesson_panel(const Views& v) { return v.lesson_panel.has_value(); }
bool has_lesson_picture(const Views& v) { return v.lesson_panel && v.lesson_panel->picture; }

// Most pictures are looked at; in some the learner marks tiles.
bool picture_takes_keys(const Views& views) {
  const std::vector<PictureItemModel>& items = views.lesson_panel->picture->items;
  return std::any_of(items.begin(), items.end(), [](const PictureItemModel& item) { return !item.marks.empty(); });
}

std::vector<PanelRow> all_panels() {
  std::vector<PanelRow> rows = {
      {.id = "header", .place = placed<&Layout::header>, .draw = draw_header_panel, .scroll = Scroll::Never},
      {.id = kLessonPanel,
       .place = placed<&Layout::lesson_panel>,
       .draw = draw_lesson_panel,
       .scroll = Scroll::Never,
       .shown = has_lesson_panel}};
  rows.push_back({.id = "picture",
                  .place = placed<&Layout::lesson_picture>,
                  .draw = draw_lesson_picture_panel,
                  .shown = has_lesson_picture,
                  .stops = picture_takes_keys,
                  .covers = true,
                  .for_room = whole_room});
  const auto add = [&](Page page, const std::vector<PanelRow>& panels) {
    for (PanelRow row : panels) {
      row.page = page;
      rows.push_back(row);
    }
  };
#define PAGE(enumerator, word, not_presented, steps) add(Page::enumerator, word##_panels());
#include "session/document/pages.inc"
#undef PAGE
  return rows;
}

}  // namespace

draw::Rect whole_room(const draw::Rect& room) { return room; }
draw::Rect headline_of_room(const draw::Rect& room) {
  return {room.x0, room.y0, room.x1, std::round(room.y0 + kHeadlineOfRoom * room.height())};
}
draw::Rect below_headline_of_room(const draw::Rect& room) {
  return {room.x0, headline_of_room(room).y1, room.x1, room.y1};
}
draw::Rect left_of_room(const draw::Rect& room) { return {room.x0, room.y0, room.middle().x, room.y1}; }
draw::Rect right_of_room(const draw::Rect& room) { return {room.middle().x, room.y0, room.x1, room.y1}; }

std::vector<PlacedPanel> panels_for_room(Page page, const Views& views, const draw::Rect& room) {
  const auto overlap = [](const draw::Rect& a, const draw::Rect& b) {
    return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
  };
  std::vector<PlacedPanel> out;
  for (const PanelRow& row : panel_table()) {
    if (!row.for_room || !is_on(row, page, views)) continue;
    const draw::Rect place = row.for_room(room);
    std::erase_if(out, [&](const PlacedPanel& earlier) { return overlap(earlier.place, place); });
    out.push_back({&row, place});
    if (!row.page) return out;  // the picture of a lesson
  }
  if (out.size() == 1) out.front().place = room;
  return out;
}

draw::Rect stack_of(const Layout& layout) { return is_compact(layout) ? layout.flow : layout.page; }

bool flows(const PanelRow& row, const Layout& layout) {
  if (!row.flows || !is_compact(layout)) return false;
  const draw::Rect place = row.place(layout);
  return place.x0 >= layout.flow.x0 && place.x1 <= layout.flow.x1;
}

draw::Rect place_in_stack(const PanelRow& row, const Layout& layout, const Theme& theme, float y) {
  const float bar = kScrollBar * theme.s + layout.scale.gap;
  const draw::Rect place = row.place(layout), &page = layout.page;
  const bool alone = place.y0 == page.y0 && place.y1 == page.y1;  // at its side, if not on the page
  const float high = std::max(row.stacked * theme.s, alone ? page.height() : row.beside ? place.height() : 0);
  const float middle = std::round((page.x0 + page.x1 - bar) / 2), half = layout.scale.gap / 2;
  const bool left = row.beside && place.x0 == page.x0, right = row.beside && !left;
  return {right ? middle + half : page.x0, y, left ? middle - half : page.x1 - bar, y + std::round(high)};
}

draw::Rect place_on_screen(const PanelRow& row, const Layout& layout, Page page, const Views& views) {
  const draw::Rect place = row.place(layout);
  for (const PanelRow& other : panel_table()) {
    if (!other.lends || other.page != row.page || is_on(other, page, views)) continue;
    const draw::Rect free = other.place(layout);
    const bool right = place.x1 + layout.scale.gap == free.x0 && place.y0 == free.y0 && place.y1 == free.y1,
               below = place.y1 + layout.scale.gap == free.y0 && place.x0 == free.x0 && place.x1 == free.x1;
    if (right || below) return place.joined(free);
  }
  return place;
}

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
    if (row.set_room) {
      const bool stacked = layout.scale.stacked && row.stacked > 0;
      const draw::Rect place = layout.presented && row.for_room ? row.for_room(layout.whole)
                               : stacked                        ? place_in_stack(row, layout, theme, 0)
                                                                : row.place(layout);
      row.set_room(place, theme, room);
    }
  return room;
}

}  // namespace tilewalk
