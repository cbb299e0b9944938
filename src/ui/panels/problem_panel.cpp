#include <algorithm>

#include "ui/panels/panels.h"
#include "view/units.h"

namespace tilewalk {
namespace {

void draw_field(const UiFrame& f, const ProblemField& field, float x, float width) {
  const float s = f.theme.s;
  const Palette& c = f.theme.colours;
  const float label = 118 * s;
  const ImVec2 at(x, ImGui::GetCursorScreenPos().y);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool bad = !field.issues.empty();
  draw::text(list, f.theme.fonts.body, at.x, at.y + 6 * s, bad ? c.bad : c.text,
             draw::elided(f.theme.fonts.body, field.field->label, label - 6 * s));
  ImGui::SetCursorScreenPos(ImVec2(at.x + label, at.y));
  ImGui::SetNextItemWidth(width - label);
  std::string text = field.text;
  ImGui::PushID(field.field->name);
  if (bad)
    ImGui::PushStyleColor(ImGuiCol_Border, c.bad);
  else if (field.changed)
    ImGui::PushStyleColor(ImGuiCol_Border, c.accent);
  if (field.field->choices.empty()) {
    if (input_text("##field", text)) f.push(EditField{field.field->name, text});
    if (ImGui::IsItemDeactivated() && enter_pressed()) f.push(ApplyEdit{});
  } else if (ImGui::BeginCombo("##field", text.c_str())) {
    for (const std::string& choice : field.field->choices)
      if (ImGui::Selectable(choice.c_str(), choice == text)) f.push(EditField{field.field->name, choice});
    ImGui::EndCombo();
  }
  if (bad || field.changed) ImGui::PopStyleColor();
  if (ImGui::IsItemHovered() && !bad) tooltip(f.theme, field.field->hint);  // or it would hide what is wrong
  ImGui::PopID();
  float y = at.y + 33 * s;
  for (const std::string& issue : field.issues)
    y += draw::paragraph(list, f.theme.fonts.tiny, f.theme.fonts.tiny, at.x + label, y - 4 * s, width - label, c.bad,
                         issue);
  ImGui::SetCursorScreenPos(ImVec2(at.x, y));
}

// Tile sizes that somebody uses, below Bc: a click types both.
void draw_tile_choices(const UiFrame& f, const std::vector<TileChoice>& choices, float x, float width) {
  const float s = f.theme.s, high = 20 * s, left = x + 118 * s, room = width - 118 * s;
  const Palette& c = f.theme.colours;
  float at = left, y = ImGui::GetCursorScreenPos().y - 4 * s;
  for (const TileChoice& choice : choices) {
    const float w = std::min(draw::text_width(f.theme.fonts.tiny, choice.label) + 14 * s, room);
    if (at > left && at + w > x + width) at = left, y += high + 4 * s;
    const draw::Rect r{at, y, at + w, y + high};
    const std::string label = draw::elided(f.theme.fonts.tiny, choice.label, w - 8 * s);
    const bool chosen = chip(f, {.id = choice.label,
                                 .rect = r,
                                 .label = label,
                                 .tip = choice.tip,
                                 .font = f.theme.fonts.tiny,
                                 .ink = c.button_text,
                                 .fill = choice.chosen ? c.tab : c.button,
                                 .hovered = choice.chosen ? c.tab : c.button_hover,
                                 .border = c.border,
                                 .rounding = 5 * s});
    if (chosen) {
      f.push(EditField{"br", choice.br});
      f.push(EditField{"bc", choice.bc});
    }
    at += w + 5 * s;
  }
  ImGui::SetCursorScreenPos(ImVec2(x, choices.empty() ? y : y + high + 9 * s));
}

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

}  // namespace

void draw_problem_dialog(const UiFrame& f) {
  if (!f.views.problem) return;
  const ProblemModel& m = *f.views.problem;
  const float s = f.theme.s;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x - 12 * s, foot = 64 * s;
  const float body = std::max(80 * s, ImGui::GetContentRegionAvail().y - foot);
  ImGui::BeginChild("fields", ImVec2(0, body), false);
  const ImVec2 top = ImGui::GetCursorScreenPos();
  const float column = (width - 24 * s) / 2;
  const std::size_t half = (m.fields.size() + 1) / 2;
  float bottom = top.y;
  for (int side = 0; side < 2; ++side) {
    const float x = top.x + float(side) * (column + 24 * s);
    ImGui::SetCursorScreenPos(ImVec2(x, top.y));
    for (std::size_t i = std::size_t(side) * half; i < std::min(m.fields.size(), half * std::size_t(side + 1)); ++i) {
      draw_field(f, m.fields[i], x, column);
      if (m.fields[i].field->name == std::string_view("bc")) draw_tile_choices(f, m.tiles, x, column);
    }
    bottom = std::max(bottom, ImGui::GetCursorScreenPos().y);
  }
  ImDrawList* list = ImGui::GetWindowDrawList();
  float y = bottom + 4 * s;
  for (const std::string& issue : m.other_issues)
    y += draw::paragraph(list, f.theme.fonts.body, f.theme.fonts.tiny, top.x, y, width, f.theme.colours.bad, issue);
  y += 8 * s;
  draw::caption(list, f.theme, top.x, y, "Values of the head in view");
  y += 24 * s;
  if (m.values.empty())
    y += draw::paragraph(list, f.theme.fonts.body, f.theme.fonts.tiny, top.x, y, width, f.theme.colours.muted,
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

  const float foot_y = at.y + body + 14 * s;
  list = ImGui::GetWindowDrawList();
  float x = at.x;
  const auto foot_button = [&](const char* label, bool strong, bool enabled, const Command& command) {
    const float w = draw::text_width(f.theme.fonts.strong, label) + 34 * s;
    const draw::Rect r{x, foot_y, x + w, foot_y + 34 * s};
    if (button(f, {.id = label, .rect = r, .label = label, .strong = strong, .enabled = enabled})) f.push(command);
    x += w + 10 * s;
  };
  foot_button("Apply", true, m.can_apply, ApplyEdit{});
  foot_button("As it was", false, true, ResetEdit{});
  if (!f.session.inputs().edits().empty()) foot_button("Drop edited values", false, true, Action::ClearValues);
  const bool error = f.session.message() && f.session.message()->error;
  const std::string note = error         ? f.session.message()->text
                           : m.can_apply ? m.summary
                                         : "The problem on screen stays until this one is right.";
  draw::text(list, f.theme.fonts.body, x + 6 * s, foot_y + 9 * s,
             error || !m.can_apply ? f.theme.colours.bad : f.theme.colours.muted,
             draw::elided(f.theme.fonts.body, note, std::max(10.0f, at.x + width - x - 6 * s)));
}

}  // namespace tilewalk
