#include "ui/ui.h"

#include <algorithm>

#include "ui/panels/panel_table.h"
#include "ui/panels/panels.h"
#include "ui/panels/present/present_panel.h"

namespace tilewalk {
namespace {

// The gaps between panels: dragging one changes a factor on the designed size; a double click puts it back.
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
  splitter("split right", f.layout.split_right, true, f.ui.splits.right, -1, f.layout.side.width());
  splitter("split bottom", f.layout.split_bottom, false, f.ui.splits.bottom, -1, f.layout.transport.height());
}

// A list beside a text field takes the arrows itself, and the fields of a problem take Tab.
bool has_keys_of_its_own(Dialog dialog) {
  return dialog == Dialog::Presets || dialog == Dialog::Palette || dialog == Dialog::Problem ||
         dialog == Dialog::OpenFile;
}

void draw_page(const UiFrame& f) {
  for (const PanelRow& row : panel_table()) {
    if (!stands_on(row, f.session.page(), f.views)) continue;
    const draw::Rect place = row.place(f.layout);
    if (place.height() <= 0) continue;  // folded away
    f.ui.rects.within(row.id);
    Panel panel(row.id, place, f, row.scroll);
    row.draw(f, panel);
  }
  if (f.session.page() == Page::Walk) draw_splitters(f);
  draw_message_panel(f);
}

}  // namespace

void draw_ui(const UiFrame& f) {
  push_font(f.theme.fonts.body);
  const Dialog dialog = f.session.view().dialog();
  enable_keyboard_navigation(dialog == Dialog::None ? f.ui.navigating : !has_keys_of_its_own(dialog));
  f.ui.drop_down = false;
  f.ui.rects.begin_frame();
  f.ui.hand_active = f.ui.hand_active_now;
  f.ui.hand_active_now = false;
  if (f.views.present)
    draw_present_panel(f);
  else
    draw_page(f);
  f.ui.rects.within("dialog");
  draw_dialogs(f);
  if (f.ui.escaped_field) f.push(Action::CloseDialog);  // now that the field has taken back what was typed
  f.ui.dialog_before = f.session.view().dialog();
  pop_font();
}

}  // namespace tilewalk
