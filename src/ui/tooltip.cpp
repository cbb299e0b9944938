#include "ui/tooltip.h"

#include <algorithm>
#include <array>
#include <utility>

#include "ui/ui.h"

namespace tilewalk {
namespace {

constexpr float kWidest = 380;  // of the words, before scaling
constexpr float kToEdge = 2;    // from a tooltip to the edge of the window: its border is smoothed beyond its place

// The nearest place at which the box is inside the window.
ImVec2 inside(ImVec2 corner, ImVec2 size) {
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  return {std::clamp(corner.x, kToEdge, std::max(kToEdge, window.x - size.x - kToEdge)),
          std::clamp(corner.y, kToEdge, std::max(kToEdge, window.y - size.y - kToEdge))};
}

float words_width(const Theme& theme, std::string_view text) {
  const float longest = std::max(60 * theme.s, draw::widest_line(theme.fonts.body, text) + 4);
  return std::min(kWidest * theme.s, longest);
}

struct Box {
  ImVec2 size, padding;
  float words;  // their width
};

Box box_of(const Theme& theme, std::string_view text) {
  const float words = words_width(theme, text);
  const float height = draw::paragraph(nullptr, theme.fonts.body, theme.fonts.mono_small, 0, 0, words, 0, text);
  const ImVec2 padding = ImGui::GetStyle().WindowPadding;
  return {{words + 2 * padding.x, height - theme.fonts.body.size * 0.3f + 2 * padding.y}, padding, words};
}

// True once the tooltip with these words may be drawn; notes the time when it is due otherwise.
bool is_due(const UiFrame& f, std::string_view text) {
  TooltipState& state = f.ui.tooltip;
  if (text.empty() || state.pressed || (state.entered && state.focus == 0)) return false;
  if (text != state.shown_before && f.now < state.rests_since + kTooltipSeconds) {
    state.due = state.rests_since + kTooltipSeconds;
    return false;
  }
  state.shown = text;
  return true;
}

void draw_at(const UiFrame& f, std::string_view text, const Box& box, ImVec2 corner) {
  ImGui::SetNextWindowPos(inside(corner, box.size));
  ImGui::BeginTooltip();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw::paragraph(ImGui::GetWindowDrawList(), f.theme.fonts.body, f.theme.fonts.mono_small, at.x, at.y, box.words,
                  f.theme.colours.text, text);
  ImGui::Dummy(ImVec2(box.words, box.size.y - 2 * box.padding.y));
  ImGui::EndTooltip();
}

float area_of_both(const draw::Rect& a, const draw::Rect& b) {
  return std::max(0.0f, std::min(a.x1, b.x1) - std::max(a.x0, b.x0)) *
         std::max(0.0f, std::min(a.y1, b.y1) - std::max(a.y0, b.y0));
}

// Below and right of the pointer, or of the focused item. Where that would cover the current tile, the first place
// around both that covers least of them.
ImVec2 corner_of(const UiFrame& f, const Box& box) {
  const float s = f.theme.s, gap = 10 * s;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  draw::Rect at{mouse.x - 2 * s, mouse.y - 2 * s, mouse.x + 12 * s, mouse.y + 14 * s};
  if (f.ui.tooltip.focus != 0) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    at = {low.x, low.y, high.x, high.y};
  }
  const TooltipState& state = f.ui.tooltip;
  const draw::Rect tile = state.tile.value_or(state.tile_before.value_or(at));
  const draw::Rect both = at.joined(tile);
  const std::array<ImVec2, 7> places = {{{at.x1, at.y1 + 4 * s},
                                         {at.x0 - box.size.x, at.y1 + 4 * s},
                                         {tile.x1 + gap, at.y1},
                                         {tile.x0 - gap - box.size.x, at.y1},
                                         {at.x0, tile.y1 + gap},
                                         {at.x0, tile.y0 - gap - box.size.y},
                                         {both.x1 + gap, both.y0}}};
  ImVec2 best = places[0];
  float least = 1e30f;
  for (const ImVec2& place : places) {
    const ImVec2 corner = inside(place, box.size);
    const draw::Rect r{corner.x, corner.y, corner.x + box.size.x, corner.y + box.size.y};
    const float covered = area_of_both(r, tile) + 100 * area_of_both(r, at);
    if (covered < least) least = covered, best = corner;
  }
  return best;
}

// A number for the page on screen and what covers it.
int view_of(const Session& session) {
  return 16 * int(session.page()) + 8 * session.view().presenting() + 4 * session.shows_last_card() +
         2 * session.shows_endless_zoom() + session.shows_one_row();
}

}  // namespace

void begin_tooltips(const UiFrame& f) {
  TooltipState& state = f.ui.tooltip;
  const ImGuiIO& io = ImGui::GetIO();
  const bool pressed = std::any_of(std::begin(io.MouseDown), std::end(io.MouseDown), [](bool down) { return down; });
  const unsigned focus = item_focused_by_keys();
  const bool moved = io.MousePos.x != state.pointer.x || io.MousePos.y != state.pointer.y;
  if (!ImGui::IsMousePosValid(&state.pointer) && ImGui::IsMousePosValid())
    state.entered = true;
  else if (moved)
    state.entered = false;
  if (const int view = view_of(f.session); std::exchange(state.view, view) != view && !moved)
    state.entered = ImGui::IsMousePosValid();
  if (moved || pressed != state.pressed || focus != state.focus || io.MouseWheel != 0) state.rests_since = f.now;
  state.pointer = io.MousePos;
  state.pressed = pressed;
  state.focus = focus;
  state.shown_before = std::exchange(state.shown, {});
  state.tile_before = std::exchange(state.tile, {});
  state.due.reset();
}

void tooltip(const UiFrame& f, std::string_view text) {
  if (!is_due(f, text)) return;
  const Box box = box_of(f.theme, text);
  draw_at(f, text, box, corner_of(f, box));
}

void tooltip_beside(const UiFrame& f, std::string_view text, const draw::Rect& beside) {
  if (!is_due(f, text)) return;
  const Box box = box_of(f.theme, text);
  const float gap = 10 * f.theme.s, wide = ImGui::GetIO().DisplaySize.x;
  const bool right = beside.x1 + gap + box.size.x <= wide || beside.x0 < wide - beside.x1;
  draw_at(f, text, box, {right ? beside.x1 + gap : beside.x0 - gap - box.size.x, beside.y0});
}

}  // namespace tilewalk
