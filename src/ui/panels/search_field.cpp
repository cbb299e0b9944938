#include "ui/panels/search_field.h"

#include <algorithm>

#include "ui/draw.h"
#include "ui/imgui_compat.h"

namespace tilewalk {

Searched search_field(const UiFrame& f, SearchField& field, bool appeared, const char* hint) {
  if (appeared) {
    field = {};
    focus_text("##words");
  }
  ImGui::SetNextItemWidth(-1);
  const std::string before = field.words;
  const bool entered = input_text("##words", field.words, ImGuiInputTextFlags_EnterReturnsTrue);
  const ImVec2 corner = ImGui::GetItemRectMin();
  const float s = f.theme.s;
  if (field.words.empty() && *hint)
    draw::text(ImGui::GetWindowDrawList(), f.theme.fonts.body, corner.x + 8 * s, corner.y + 5 * s,
               f.theme.colours.muted, hint);
  return {.typed = before != field.words, .entered = entered};
}

bool move_choice(SearchField& field, const Searched& searched, std::size_t entries) {
  const int before = field.choice;
  if (searched.typed) field.choice = 0;
  field.choice += int(key_pressed(Key::Down)) - int(key_pressed(Key::Up));
  field.choice = std::clamp(field.choice, 0, std::max(0, int(entries) - 1));
  return field.choice != before;
}

}  // namespace tilewalk
