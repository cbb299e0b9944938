#include <algorithm>

#include "ui/panels/panels.h"
#include "ui/panels/problem/tab_stops.h"
#include "view/units.h"

namespace tilewalk {
namespace {

void draw_values(const UiFrame& f, const ValueTable& table, float width) {
  const float s = f.theme.s;
  const Palette& c = f.theme.colours;
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImVec2 at = ImGui::GetCursorScreenPos();
  const TensorId id = table.tensor == "Q"    ? TensorId::Q
                      : table.tensor == "K"  ? TensorId::K
                      : table.tensor == "dO" ? TensorId::dO
                                             : TensorId::V;
  draw::text(list, f.theme.fonts.strong, at.x, at.y, mix(hue(c, id), c.text, c.dark ? 0.0f : 0.4f), table.tensor);
  at.y += 22 * s;
  const float cell_w = std::min(64 * s, width / float(table.cols)), cell_h = 22 * s;
  for (std::int64_t r = 0; r < table.rows; ++r)
    for (std::int64_t k = 0; k < table.cols; ++k) {
      const std::size_t i = std::size_t(r * table.cols + k);
      const draw::Rect cell{at.x + float(k) * cell_w, at.y + float(r) * cell_h, at.x + float(k + 1) * cell_w - 2 * s,
                            at.y + float(r + 1) * cell_h - 2 * s};
      const std::string name = table.tensor + " " + std::to_string(r) + " " + std::to_string(k);
      ImGui::PushID(name.c_str());
      if (f.ui.value_at == name) {
        ImGui::SetCursorScreenPos(cell.min());
        ImGui::SetNextItemWidth(std::max(cell.width(), 50 * s));
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(3 * s, 2 * s));
        if (!ImGui::IsAnyItemActive()) ImGui::SetKeyboardFocusHere();
        const bool entered = input_text("##value", f.ui.value_text,
                                        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
        if (entered) f.push(EditValue{id, r, k, f.ui.value_text});
        if (entered || ImGui::IsItemDeactivated()) f.ui.value_at.clear();
        ImGui::PopStyleVar();
      } else {
        const Hit h = hit(f, name, cell);
        draw::box(list, cell, h.hovered ? c.button_hover : c.raised, 3 * s, table.edited[i] ? c.accent : 0);
        draw::text_in(list, f.theme.fonts.mono_small, cell, table.edited[i] ? c.text : c.muted,
                      compact_number(table.values[i]));
        if (h.clicked) {
          f.ui.value_at = name;
          f.ui.value_text = std::to_string(table.values[i]);
        }
        if (h.hovered)
          tooltip(f.theme, table.tensor + "[" + std::to_string(r) + "][" + std::to_string(k) +
                               "] = " + std::to_string(table.values[i]) +
                               (table.edited[i] ? ", typed by hand. Click to change." : ". Click to change."));
      }
      ImGui::PopID();
    }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + float(table.rows) * cell_h));
  ImGui::Dummy(ImVec2(1, 1));
}

// What the fields as typed would change, and the buttons.
void draw_foot(const UiFrame& f, TabStops& stops, const ProblemModel& m, const draw::Rect& r) {
  const float s = f.theme.s;
  const Palette& c = f.theme.colours;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool error = f.session.message() && f.session.message()->error;
  const std::string note = error         ? f.session.message()->text
                           : m.can_apply ? m.summary
                                         : "The problem on screen stays until this one is right.";
  draw::text(list, f.theme.fonts.body, r.x0, r.y0, error || !m.can_apply ? c.bad : c.text,
             draw::elided(f.theme.fonts.body, note, r.width()));
  float x = r.x0;
  const auto foot_button = [&](const char* label, bool strong, bool enabled, const Command& command) {
    const float w = draw::text_width(f.theme.fonts.strong, label) + 34 * s;
    const draw::Rect at{x, r.y0 + 26 * s, x + w, r.y0 + 60 * s};
    const bool by_key = stops.at(at) && enabled && (enter_pressed() || key_pressed(Key::Space));
    if (button(f, {.id = label, .rect = at, .label = label, .strong = strong, .enabled = enabled}) || by_key)
      f.push(command);
    x += w + 10 * s;
  };
  foot_button("Apply", true, m.can_apply, ApplyEdit{});
  foot_button("Revert", false, m.changed, ResetEdit{});
  if (!f.session.inputs().edits().empty()) foot_button("Drop edited values", false, true, Action::ClearValues);
  draw::text(list, f.theme.fonts.body, x + 6 * s, r.y0 + 34 * s, m.fits ? c.muted : c.bad,
             draw::elided(f.theme.fonts.body, m.fit, std::max(10.0f, r.x1 - x - 6 * s)));
}

}  // namespace

void draw_problem_dialog(const UiFrame& f) {
  if (!f.views.problem) return;
  const ProblemModel& m = *f.views.problem;
  const float s = f.theme.s;
  const Palette& c = f.theme.colours;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x - 12 * s, foot = 92 * s;
  const float body = std::max(80 * s, ImGui::GetContentRegionAvail().y - foot);
  TabStops stops(f);
  ImGui::BeginChild("fields", ImVec2(0, body), false, ImGuiWindowFlags_NoNavInputs);
  const ImVec2 top = ImGui::GetCursorScreenPos();
  float y = draw_problem_fields(f, stops, m, width);
  for (const std::string& issue : m.other_issues)
    y += draw::paragraph(ImGui::GetWindowDrawList(), f.theme.fonts.body, f.theme.fonts.tiny, top.x, y, width, c.bad,
                         issue);
  y += 8 * s;
  draw::caption(ImGui::GetWindowDrawList(), f.theme, top.x, y, "Values of the head in view");
  y += 24 * s;
  if (m.values.empty())
    y += draw::paragraph(ImGui::GetWindowDrawList(), f.theme.fonts.body, f.theme.fonts.tiny, top.x, y, width, c.muted,
                         m.values_note);
  const float count = std::max(3.0f, float(m.values.size())), each = (width - (count - 1) * 18 * s) / count;
  float deepest = y;
  for (std::size_t i = 0; i < m.values.size(); ++i) {
    ImGui::SetCursorScreenPos(ImVec2(top.x + float(i) * (each + 18 * s), y));
    ImGui::BeginGroup();
    draw_values(f, m.values[i], each);
    ImGui::EndGroup();
    deepest = std::max(deepest, ImGui::GetItemRectMax().y);
  }
  ImGui::SetCursorScreenPos(ImVec2(top.x, deepest + 8 * s));
  ImGui::Dummy(ImVec2(1, 1));
  ImGui::EndChild();
  draw_foot(f, stops, m, {at.x, at.y + body + 10 * s, at.x + width, at.y + body + foot});
}

}  // namespace tilewalk
