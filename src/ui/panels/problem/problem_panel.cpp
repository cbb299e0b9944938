#include <algorithm>

#include "ui/panels/panels.h"
#include "ui/panels/problem/tab_stops.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

struct ValueUi {  // the input value being edited
  std::string text;
  std::string typed;  // the first typed characters, until the field gets letters
  bool open = false;  // the field had the caret in the frame before
};

// One tensor's values, one stop of Tab. Arrows go from value to value; a digit or Enter starts editing, Enter accepts
// and goes to the next value.
struct ValueGrid {
  const UiFrame& f;
  TabStops& stops;
  const ValueTable& table;
  float s = f.theme.s;
  const Palette& c = f.theme.colours;
  ImVec2 at = {};
  float cell_w = 0, cell_h = 22 * s;
  bool keys = false;  // the arrows move in this table, and no value is being edited

  TensorId id() const {
    return table.tensor == "Q"    ? TensorId::Q
           : table.tensor == "K"  ? TensorId::K
           : table.tensor == "dO" ? TensorId::dO
                                  : TensorId::V;
  }
  std::string cell_name(std::int64_t r, std::int64_t k) const {
    return table.tensor + " " + std::to_string(r) + " " + std::to_string(k);
  }
  float value_of(std::int64_t r, std::int64_t k) const { return table.values[std::size_t(r * table.cols + k)]; }
  draw::Rect cell_of(std::int64_t r, std::int64_t k) const {
    return {at.x + float(k) * cell_w, at.y + float(r) * cell_h, at.x + float(k + 1) * cell_w - 2 * s,
            at.y + float(r + 1) * cell_h - 2 * s};
  }
  void begin(std::int64_t r, std::int64_t k, std::string typed = "") const {
    f.ui.value_at = cell_name(r, k);
    f.ui.of<ValueUi>().text = std::to_string(value_of(r, k));
    f.ui.of<ValueUi>().typed = std::move(typed);
    f.ui.of<ValueUi>().open = false;
  }
  void go_to(std::int64_t place) const {
    place = std::clamp<std::int64_t>(place, 0, table.rows * table.cols - 1);
    f.ui.value_row = place / table.cols, f.ui.value_col = place % table.cols;
  }

  void take_keys() const {
    go_to(std::min(f.ui.value_row, table.rows - 1) * table.cols + std::min(f.ui.value_col, table.cols - 1));
    const std::int64_t place = f.ui.value_row * table.cols + f.ui.value_col;
    const int down = int(key_pressed(Key::Down)) - int(key_pressed(Key::Up)),
              right = int(key_pressed(Key::Right)) - int(key_pressed(Key::Left));
    if (const std::int64_t to = place + down * table.cols; down != 0 && to >= 0 && to < table.rows * table.cols)
      go_to(to);
    if (right != 0) go_to(place + right);
    const draw::Rect cell = cell_of(f.ui.value_row, f.ui.value_col);
    const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowHeight();
    if ((down != 0 || right != 0) && (cell.y0 < top || cell.y1 > bottom)) ImGui::SetScrollFromPosY(cell.y0 - top);
    std::string typed;
    for (const ImWchar letter : ImGui::GetIO().InputQueueCharacters)
      if ((letter >= '0' && letter <= '9') || letter == '-' || letter == '+' || letter == '.') typed += char(letter);
    if (!typed.empty() || enter_pressed()) begin(f.ui.value_row, f.ui.value_col, typed);
  }

  void draw_field(std::int64_t r, std::int64_t k) const {
    const draw::Rect cell = cell_of(r, k);
    ImGui::SetCursorScreenPos(cell.min());
    ImGui::SetNextItemWidth(std::max(cell.width(), 50 * s));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(3 * s, 2 * s));
    if (!ImGui::IsAnyItemActive()) focus_text("##value");
    if (f.ui.of<ValueUi>().open && !f.ui.of<ValueUi>().typed.empty()) {
      ImGui::GetIO().AddInputCharactersUTF8(f.ui.of<ValueUi>().typed.c_str());
      f.ui.of<ValueUi>().typed.clear();
    }
    const bool entered = input_text("##value", f.ui.of<ValueUi>().text,
                                    ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    f.ui.of<ValueUi>().open = ImGui::IsItemActive();
    if (entered) f.push(EditValue{id(), r, k, f.ui.of<ValueUi>().text});
    if (entered) go_to(r * table.cols + k + 1);
    if (entered || ImGui::IsItemDeactivated()) f.ui.value_at.clear();
    ImGui::PopStyleVar();
  }

  void draw_cell(std::int64_t r, std::int64_t k) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const draw::Rect cell = cell_of(r, k);
    const bool edited = table.edited[std::size_t(r * table.cols + k)];
    const Hit h = hit(f, cell_name(r, k), cell);
    draw::box(list, cell, h.hovered ? c.button_hover : c.raised, 3 * s, edited ? c.accent : 0);
    draw::text_in(list, f.theme.fonts.mono_small, cell, edited ? c.text : c.muted, compact_number(value_of(r, k)));
    if (keys && r == f.ui.value_row && k == f.ui.value_col) draw::box(list, cell, 0, 3 * s, c.accent, 2 * s);
    if (h.clicked) {
      begin(r, k);
      go_to(r * table.cols + k);
      stops.here();
    }
    if (h.hovered)
      tooltip(f, table.tensor + "[" + std::to_string(r) + "][" + std::to_string(k) +
                     "] = " + std::to_string(value_of(r, k)) +
                     (edited ? ", typed by hand. Click to change." : ". Click to change."));
  }

  void draw(float width) {
    at = ImGui::GetCursorScreenPos();
    word(f, f.theme.fonts.strong, at.x, at.y, mix(hue(c, id()), c.text, c.dark ? 0.0f : 0.4f), table.tensor);
    at.y += 22 * s;
    cell_w = std::min(64 * s, width / float(table.cols));
    const bool here = stops.at({at.x, at.y, at.x + cell_w * float(table.cols), at.y + cell_h * float(table.rows)});
    const bool mine = f.ui.value_at.starts_with(table.tensor + " ");
    if (mine && !stops.is_here()) f.ui.value_at.clear();  // Tab moved on: drops the typed text
    keys = here && f.ui.value_at.empty();
    if (keys) take_keys();
    for (std::int64_t r = 0; r < table.rows; ++r)
      for (std::int64_t k = 0; k < table.cols; ++k) {
        ImGui::PushID(cell_name(r, k).c_str());
        f.ui.value_at == cell_name(r, k) ? draw_field(r, k) : draw_cell(r, k);
        ImGui::PopID();
      }
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + float(table.rows) * cell_h));
    ImGui::Dummy(ImVec2(1, 1));
  }
};

// The summary of what the typed fields would change, and the buttons.
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
    const float w = button_width(f.theme, label, 34);
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

void draw_problem_dialog(const UiFrame& f, float room) {
  if (!f.views.problem) return;
  const ProblemModel& m = *f.views.problem;
  const float s = f.theme.s;
  const Palette& c = f.theme.colours;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x - 12 * s, foot = 92 * s;
  const float body = std::max(80 * s, room - foot);
  TabStops stops(f);
  ImGui::BeginChild("fields", ImVec2(0, body), false, ImGuiWindowFlags_NoNavInputs);
  const ImVec2 top = ImGui::GetCursorScreenPos();
  float y = draw_problem_fields(f, stops, m, width);
  for (const std::string& issue : m.other_issues)
    y += draw::paragraph(ImGui::GetWindowDrawList(), f.theme.fonts.body, f.theme.fonts.tiny, top.x, y, width, c.bad,
                         issue);
  y += 8 * s;
  caption(f, "caption values", top.x, y,
          "Values of the head in view: arrows go from one to the next, a number and Enter change it");
  y += 24 * s;
  if (m.values.empty())
    y += draw::paragraph(ImGui::GetWindowDrawList(), f.theme.fonts.body, f.theme.fonts.tiny, top.x, y, width, c.muted,
                         m.values_note);
  const float count = std::max(3.0f, float(m.values.size())), each = (width - (count - 1) * 18 * s) / count;
  float deepest = y;
  for (std::size_t i = 0; i < m.values.size(); ++i) {
    ImGui::SetCursorScreenPos(ImVec2(top.x + float(i) * (each + 18 * s), y));
    ImGui::BeginGroup();
    ValueGrid{f, stops, m.values[i]}.draw(each);
    ImGui::EndGroup();
    deepest = std::max(deepest, ImGui::GetItemRectMax().y);
  }
  ImGui::SetCursorScreenPos(ImVec2(top.x, deepest + 8 * s));
  ImGui::Dummy(ImVec2(1, 1));
  ImGui::EndChild();
  draw_foot(f, stops, m, {at.x, at.y + body + 10 * s, at.x + width, at.y + body + foot});
}

}  // namespace tilewalk
