#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "ui/panels/motion/moving.h"
#include "ui/panels/panel_table.h"
#include "ui/panels/panels.h"
#include "ui/panels/present/film_title.h"
#include "ui/panels/present/present_panel.h"
#include "ui/panels/present/room_footer.h"
#include "ui/tour_strip.h"
#include "ui/ui.h"

namespace tilewalk {
namespace {

constexpr float kDim = 0.68f;  // of the page beside what a lesson outlines

// The gaps between panels: dragging one changes a factor of the designed size; a double click resets it.
void draw_splitters(const UiFrame& f) {
  const auto splitter = [&](const char* id, const draw::Rect& r, bool upright, float& factor, float sign, float size) {
    ImGui::SetNextWindowPos(r.min());
    ImGui::SetNextWindowSize(ImVec2(std::max(1.0f, r.width()), std::max(1.0f, r.height())));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    ImGui::Begin(id, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBackground |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoBringToFrontOnFocus);
    ImGui::InvisibleButton("split", ImVec2(std::max(1.0f, r.width()), std::max(1.0f, r.height())));
    const bool hovered = ImGui::IsItemHovered(), held = ImGui::IsItemActive();
    if (hovered || held) {
      ImGui::SetMouseCursor(upright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
      draw::box(ImGui::GetWindowDrawList(), r.inset(std::min(r.width(), r.height()) * 0.3f), f.theme.colours.accent, 2);
    }
    if (hovered && ImGui::IsMouseDoubleClicked(0))
      factor = 1;
    else if (held && size > 1) {
      const float moved = upright ? ImGui::GetIO().MouseDelta.x : ImGui::GetIO().MouseDelta.y;
      factor = std::clamp(factor * (1 + sign * moved / size), 0.2f, 4.0f);
    }
    ImGui::End();
    ImGui::PopStyleVar(2);
  };
  splitter("split left", f.layout.split_left, true, f.ui.splits.left, 1, f.layout.memory.width());
  draw::Rect right = f.layout.split_right;
  if (f.session.shows_last_card()) right.y0 = f.layout.split_bottom.y1;  // the card is on both sides of it
  splitter("split right", right, true, f.ui.splits.right, -1, f.layout.side.width());
  splitter("split bottom", f.layout.split_bottom, false, f.ui.splits.bottom, -1, f.layout.transport.height());
}

// A list beside a text field uses the arrows itself, and the fields of a problem use Tab.
bool has_keys_of_its_own(Dialog dialog) {
  return dialog == Dialog::Presets || dialog == Dialog::Palette || dialog == Dialog::Problem ||
         dialog == Dialog::OpenFile || dialog == Dialog::Glossary;
}

bool lies_in(const draw::Rect& inner, const draw::Rect& outer) {
  return inner.x0 >= outer.x0 && inner.x1 <= outer.x1 && inner.y0 >= outer.y0 && inner.y1 <= outer.y1;
}

// A panel's place; for one that flows, the top of the window in which it scrolls.
draw::Rect seen_place(const PanelRow& row, const Layout& layout) {
  const draw::Rect& flow = layout.flow;
  return flows(row, layout) ? draw::Rect{flow.x0, flow.y0, flow.x1, flow.y0 + 1} : row.place(layout);
}

bool is_stacked(const UiFrame& f, const PanelRow& row) {
  return f.ui.stacks && f.layout.scale.stacked && (row.stacked > 0 || flows(row, f.layout));
}

// The heights of the contents of panels in a stacked page, by their ids, when they were last drawn.
struct StackedHeights {
  std::map<std::string, float> of;
  bool scrolls = false;  // all of them are higher than the page
};

constexpr float kLeastScroll = 8;  // before scaling

// Without those that a larger one covers.
std::vector<const PanelRow*> panels_on_screen(const UiFrame& f) {
  std::vector<const PanelRow*> out;
  for (const PanelRow& row : panel_table())
    if (is_on(row, f.session.page(), f.views) && (is_stacked(f, row) || row.place(f.layout).height() > 0))
      out.push_back(&row);
  const std::vector<const PanelRow*> all = out;
  std::erase_if(out, [&](const PanelRow* row) {
    return std::any_of(all.begin(), all.end(), [&](const PanelRow* other) {
      return other->covers && other != row && lies_in(seen_place(*row, f.layout), other->place(f.layout));
    });
  });
  return out;
}

// Tab goes from panel to panel. It starts at the question of a lesson, without one at the transport, on other pages at
// the panel after the header.
void go_on_by_tab(const UiFrame& f, std::vector<const PanelRow*> panels) {
  std::erase_if(panels, [&](const PanelRow* row) { return row->stops && !row->stops(f.views); });
  const auto named = [&](std::string_view id) {
    return std::find_if(panels.begin(), panels.end(), [&](const PanelRow* row) { return row->id == id; });
  };
  const std::ptrdiff_t count = std::ssize(panels);
  auto at = named(f.ui.panel_at);
  if (at != panels.end())
    at = panels.begin() + (at - panels.begin() + f.ui.panel_step + count) % count;
  else if (at = named(f.views.lesson_panel ? kLessonPanel : "transport"); at == panels.end())
    at = panels.begin() + std::min<std::ptrdiff_t>(1, count - 1);
  f.ui.panel_at = (*at)->id;
}

// The window of a page whose panels are one below the other: it scrolls.
class StackedPage {
 public:
  // bottom: of the part that scrolls; panels that keep their place may be below it.
  StackedPage(const UiFrame& f, bool walk, float bottom) : page_(walk ? stack_of(f.layout) : f.layout.page) {
    page_.y1 = std::min(page_.y1, bottom);
    ImGui::SetNextWindowPos(page_.min());
    ImGui::SetNextWindowSize(ImVec2(page_.width(), page_.height()));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    const bool full = !f.ui.of<StackedHeights>().scrolls;  // a bar as high as the page is not drawn; its place stays
    if (full) ImGui::PushStyleColor(ImGuiCol_ScrollbarGrab, 0);
    ImGui::Begin("stacked page", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_AlwaysVerticalScrollbar);
    if (full) ImGui::PopStyleColor();
    ImGui::PopStyleVar(2);
    f.ui.of<StackedHeights>().scrolls = ImGui::GetScrollMaxY() >= kLeastScroll * f.theme.s;
    top_ = page_.y0 - ImGui::GetScrollY();
  }
  ~StackedPage() { ImGui::End(); }
  StackedPage(const StackedPage&) = delete;
  StackedPage& operator=(const StackedPage&) = delete;
  float top() const { return top_; }
  const draw::Rect& rect() const { return page_; }
  void end_at(float y) const {
    ImGui::SetCursorScreenPos(ImVec2(page_.x0, y - 1));
    ImGui::Dummy(ImVec2(1, 1));
  }

 private:
  draw::Rect page_;
  float top_ = 0;
};

// Dims a panel of the page but for its part that the lesson outlines.
void dim(const UiFrame& f, const PanelRow& row, const Panel& panel) {
  if (!f.views.lesson_panel || !f.views.lesson_panel->dims || !row.page) return;
  const draw::Rect& all = panel.rect;
  draw::Rect lit{all.x0, all.y1, all.x0, all.y1};
  for (const std::string& name : f.views.lesson_panel->outline)
    if (const auto found = f.ui.rects.find(std::string(row.id) + "/halo " + name)) lit = found->inset(-6 * f.theme.s);
  const ImU32 dark = with_alpha(f.theme.colours.background, kDim);
  // In a window of its own, which is drawn after the tables that scroll.
  ImGui::SetCursorScreenPos(ImVec2(panel.x, all.y0 + 12 * f.theme.s));
  ImGui::BeginChild("dim", ImVec2(1, 1), false,
                    ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollbar);
  ImDrawList* const list = ImGui::GetWindowDrawList();
  list->PushClipRect(all.min(), all.max(), false);
  for (const draw::Rect& part :
       {draw::Rect{all.x0, all.y0, all.x1, lit.y0}, draw::Rect{all.x0, lit.y1, all.x1, all.y1},
        draw::Rect{all.x0, lit.y0, lit.x0, lit.y1}, draw::Rect{lit.x1, lit.y0, all.x1, lit.y1}})
    if (part.width() > 0 && part.height() > 0) draw::box(list, part, dark, 0);
  list->PopClipRect();
  ImGui::EndChild();
  f.ui.rects.put("dimmed", all);
}

void draw_page(const UiFrame& f) {
  const std::vector<const PanelRow*> panels = panels_on_screen(f);
  const bool by_tab = f.ui.panel_step != 0 && !panels.empty();
  if (by_tab) go_on_by_tab(f, panels);
  const auto draw_panel = [&](const PanelRow& row, const draw::Rect& place, bool in_page) {
    f.ui.rects.within(row.id);
    Panel panel(row.id, place, f, row.scroll, in_page);
    if (by_tab && f.ui.panel_at == row.id) focus_window();
    const float top = panel.y;
    row.draw(f, panel);
    const float high = std::max(panel.y, ImGui::GetCursorScreenPos().y) - top;
    dim(f, row, panel);
    return high;
  };
  for (const PanelRow* row : panels)
    if (!is_stacked(f, *row)) draw_panel(*row, place_on_screen(*row, f.layout, f.session.page(), f.views), false);
  if (std::any_of(panels.begin(), panels.end(), [&](const PanelRow* row) { return is_stacked(f, *row); })) {
    const bool walk = f.session.page() == Page::Walk;
    float bottom = f.layout.page.y1;
    for (const PanelRow* row : panels)
      if (!walk && row->page && !is_stacked(f, *row))
        bottom = std::min(bottom, row->place(f.layout).y0 - f.layout.scale.gap);
    const StackedPage page(f, walk, bottom);
    std::map<std::string, float>& heights = f.ui.of<StackedHeights>().of;
    float y = page.top(), end = y, last_top = y;
    const auto stack = [&](const PanelRow& row) {
      draw::Rect place = place_in_stack(row, f.layout, f.theme, y);
      if (place.x0 > page.rect().x0 && row.beside) place.y1 -= place.y0 - last_top, place.y0 = last_top;
      last_top = place.y0;
      if (flows(row, f.layout)) {
        place = row.place(f.layout);
        place.y0 += page.top() - page.rect().y0, place.y1 += page.top() - page.rect().y0;
      }
      const auto contents = heights.find(row.id);
      if (row.fits && contents != heights.end()) place.y1 = place.y0 + contents->second;
      const float high = draw_panel(row, place, true);
      if (row.fits) heights[row.id] = std::ceil(high + 1 + 2 * ImGui::GetStyle().WindowPadding.y);
      y = place.y1 + f.layout.scale.gap, end = std::max(end, place.y1);
    };
    for (const bool leads : {true, false})
      for (const PanelRow* row : panels)
        if (is_stacked(f, *row) && row->leads == leads) stack(*row);
    page.end_at(end);
  }
  const bool pictured = f.views.lesson_panel && f.views.lesson_panel->picture;
  if (f.session.page() == Page::Walk && !f.session.shows_animation() && !pictured) draw_splitters(f);
  draw_motion(f, f.theme.colours);
  draw_message_panel(f);
}

constexpr float kStripOfRoom = 0.062f;  // of its height

// The pictures of a film are between its strip and the lower edge: nobody is asked, and no key is named. Returns the
// lower end of the strip; outside a film there is none.
float draw_film_strip(const UiFrame& f) {
  const draw::Rect& whole = f.layout.whole;
  if (!f.session.tour().watches()) return whole.y0;
  const float y = std::round(whole.y0 + kStripOfRoom * whole.height());
  f.ui.rects.within("room");
  Panel strip("room", {whole.x0, whole.y0, whole.x1, y}, f, Scroll::Never);
  draw_tour_strip(f, strip, strip.rect);
  return y;
}

draw::Rect room_above_footer(const UiFrame& f) {
  draw::Rect room = f.layout.whole;
  const RoomFooter footer = build_room_footer(f);
  room.y1 -= footer.height;
  draw_room_footer(f, footer, {room.x0, room.y1, room.x1, f.layout.whole.y1});
  return room;
}

// A page's panels for a room: the whole screen, with the room's foot, or with the strip of the film.
void draw_page_for_room(const UiFrame& f) {
  draw::Rect room = f.layout.whole;
  room.y0 = draw_film_strip(f);
  if (!f.session.tour().watches()) room = room_above_footer(f);
  for (const auto& [row, place] : panels_for_room(f.session.page(), f.views, room)) {
    f.ui.rects.within(row->id);
    Panel panel(row->id, place, f, row->scroll);
    row->draw(f, panel);
  }
}

void draw_film_title(const UiFrame& f) {
  const std::string& title = f.ui.of<FilmTitle>().text;
  if (title.empty()) return;
  const Fonts& fonts = f.theme.fonts;
  const draw::Rect& all = f.layout.whole;
  const float s = f.theme.s, x = std::round(all.width() * 0.08f), width = all.width() - 2 * x;
  const auto height_in = [&](const Font& font) {
    return draw::paragraph(nullptr, font, fonts.tiny, 0, 0, width, 0, title);
  };
  const Font& font = height_in(fonts.figure) <= all.height() * 0.7f ? fonts.figure : fonts.large;
  const float y = std::round((all.height() - height_in(font)) / 2);
  ImDrawList* const list = ImGui::GetForegroundDrawList();
  draw::box(list, {0, 0, all.x1, all.y1}, f.theme.colours.background, 0);
  draw::box(list, {x, y - 28 * s, x + 64 * s, y - 22 * s}, f.theme.colours.accent, 2 * s);
  draw::paragraph(list, font, fonts.tiny, x, y, width, f.theme.colours.text, title);
}

}  // namespace

void draw_ui(const UiFrame& f) {
  push_font(f.theme.fonts.body);
  const Dialog dialog = f.session.view().dialog();
  enable_keyboard_navigation(dialog == Dialog::None ? f.ui.navigating : !has_keys_of_its_own(dialog));
  if (dialog != Dialog::None && f.ui.dialog_step != 0 && !has_keys_of_its_own(dialog)) tab_to_item(f.ui.dialog_step);
  if (!f.ui.navigating) f.ui.panel_at.clear();
  f.ui.drop_down = false;
  f.ui.rects.begin_frame();
  begin_tooltips(f);
  f.ui.hand_active = f.ui.hand_active_now;
  f.ui.hand_active_now = false;
  f.ui.of<MovingPlaces>().begin_frame();
  if (f.views.present)
    draw_present_panel(f, draw_film_strip(f));
  else if (f.session.view().presenting())
    draw_page_for_room(f);
  else
    draw_page(f);
  f.ui.rects.within("dialog");
  draw_dialogs(f);
  draw_film_title(f);
  f.ui.panel_step = f.ui.dialog_step = 0;
  f.ui.after_answer = false;
  if (f.ui.escaped_field) f.push(Action::CloseDialog);  // the field has restored its text by now
  f.ui.dialog_before = f.session.view().dialog();
  pop_font();
}

}  // namespace tilewalk
