#include "ui/panels/hand/hand_fields.h"

#include <algorithm>

#include "pages/walk/walk_page.h"
#include "ui/controls.h"
#include "ui/number_pad.h"

namespace tilewalk {
namespace {

void draw_standing(const UiFrame& f, const HandField& field, const draw::Rect& r, const Font& font) {
  const Palette& c = f.theme.colours;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool right = field.state == HandState::Right;
  const ImU32 ink = right ? c.good : c.muted;
  draw::box(list, r, right ? c.good_fill : c.quiet_fill, 4 * f.theme.s, ink);
  const float wide = draw::text_width(font, field.answer), tick = right ? 11 * f.theme.s : 0;
  const bool has_tick = tick > 0 && r.width() > wide + tick + 6 * f.theme.s;
  if (has_tick)
    draw::sign(list, draw::Sign::Check, {r.x0 + 2 * f.theme.s, r.y0, r.x0 + 2 * f.theme.s + tick, r.y1}, ink,
               0.7f * f.theme.s);
  draw::text_right(list, font, std::min(r.x1 - 4 * f.theme.s, (r.x0 + r.x1 + wide + (has_tick ? tick : 0)) / 2),
                   (r.y0 + r.y1 - font.size) / 2, ink, field.answer);
}

}  // namespace

bool draw_hand_field(const UiFrame& f, const HandPlace& place, const draw::Rect& r, const Font& font) {
  const HandField* field = f.session.hand().field(place);
  if (!field) return false;
  const std::string id = "field " + text_of(place);
  if (field->stands()) {
    draw_standing(f, *field, r, font);
    f.ui.rects.put(id, r);
    return true;
  }
  const Palette& c = f.theme.colours;
  const float s = f.theme.s;
  const HandField* focused = f.session.hand().focused();
  const bool mine = focused && focused->place == place, wrong = field->state == HandState::Wrong;
  draw::box(ImGui::GetWindowDrawList(), r, c.panel, 4 * s,
            wrong  ? c.changed
            : mine ? c.accent
                   : c.fresh,
            (mine ? 2.0f : 1.2f) * s);
  f.ui.rects.put(id, r);
  std::string& text = f.ui.hand_texts.try_emplace(HandKey{field->made_at, place}, field->typed).first->second;
  push_font(font);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, IM_COL32(0, 0, 0, 0));
  ImGui::PushStyleColor(ImGuiCol_Text, wrong ? c.changed : c.text);
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      ImVec2(4 * s, std::max(0.0f, (r.height() - ImGui::GetFontSize()) / 2)));
  ImGui::SetCursorScreenPos(r.min());
  ImGui::SetNextItemWidth(r.width());
  // During a mouse press the focus does not move; otherwise the caret goes to the session's focused field.
  if (mine && !f.ui.hand_active && !ImGui::IsMouseDown(0)) focus_text(("##" + id).c_str());
  input_text(("##" + id).c_str(), text, ImGuiInputTextFlags_AutoSelectAll);
  if (mine && ImGui::IsItemActive()) f.ui.hand_active_now = true;
  if (!mine && ImGui::IsItemActivated() && ImGui::IsMouseDown(0)) f.push(FocusField{place});
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor(2);
  pop_font();
  return true;
}

float draw_hand_switch(const UiFrame& f, Panel& p) {
  if (!is_hand_size(f.session.problem()) || !shows_controls(f)) return 0;
  const Font& font = p.fonts.tiny;
  const bool on = f.session.hand().on();
  const char* label = on ? "end" : "by hand";
  const float wide = draw::text_width(font, label) + 12 * p.s;
  const draw::Rect r{p.x + p.width - wide, p.y - 3 * p.s, p.x + p.width, p.y + 15 * p.s};
  if (tag(f, {.id = "hand switch",
              .rect = r,
              .label = label,
              .tip = on ? "Ends work by hand (H)" : "The numbers that a step makes become fields to fill in (H)",
              .font = font,
              .ink = p.colours.text,
              .fill = p.colours.button,
              .hovered = p.colours.button_hover,
              .rounding = 4 * p.s}))
    f.push(Action::WorkByHand);
  return wide;
}

float hand_strip_height(const UiFrame& f, float s) {
  return f.views.page<WalkPage>()->hand ? 30 * s + number_pad_height(f, s) : 0;
}

void draw_hand_strip(const UiFrame& f, Panel& p) {
  const std::optional<HandModel>& m = f.views.page<WalkPage>()->hand;
  if (!m) return;
  const float s = p.s, high = 22 * s;
  const Font& font = p.fonts.tiny;
  float words = 0;
  for (const std::string_view label :
       {std::string_view("Check"), std::string_view("Hint"), std::string_view("Show"),
        std::string_view(kNumberPadLabel), std::string_view(m->rows), std::string_view(m->quantities)})
    words += draw::text_width(font, label) + 4 * s;
  const float pad = std::clamp((p.width - words) / 12, 3 * s, 7 * s);  // all six fit in a row
  float x = p.x, right = p.x + p.width;
  const auto small_tag = [&](const char* id, std::string_view label, std::string_view tip, float left, bool enabled,
                             ImU32 fill) {
    const draw::Rect r{left, p.y, left + draw::text_width(font, label) + 2 * pad, p.y + high};
    return std::pair(
        r, tag(f, {.id = id,
                   .rect = r,
                   .label = label,
                   .tip = tip,
                   .font = font,
                   .ink = enabled ? (fill == p.colours.accent ? ink_on(fill) : p.colours.text) : p.colours.faint,
                   .fill = enabled ? fill : p.colours.button,
                   .hovered = enabled ? p.colours.button_hover : p.colours.button,
                   .rounding = 4 * s,
                   .enabled = enabled}));
  };
  const bool open = m->at_hand.has_value();
  const HandField* field = open ? f.session.hand().field(*m->at_hand) : nullptr;
  const auto act = [&](const char* id, const char* label, const char* tip, bool enabled, ImU32 fill, auto command) {
    const auto [r, clicked] = small_tag(id, label, tip, x, enabled, fill);
    if (clicked) f.push(command());
    x = r.x1 + 4 * s;
  };
  act("hand check", "Check", "Is it right? (Enter)", open, p.colours.accent, [&] {
    return AnswerField{*m->at_hand, f.ui.hand_texts[HandKey{field->made_at, field->place}]};
  });
  act("hand hint", "Hint", "Three at most; the last is nearly the answer (F1)", open && m->hints_left, p.colours.button,
      [&] { return HintField{*m->at_hand}; });
  act("hand show", "Show", "Shows this number (Shift+Enter)", open, p.colours.button,
      [&] { return ShowField{*m->at_hand}; });
  if (const auto [r, clicked] = small_tag("number pad", kNumberPadLabel, kNumberPadTip, x, true,
                                          f.ui.number_pad ? p.colours.tab : p.colours.button);
      clicked)
    f.ui.number_pad = !f.ui.number_pad;
  else
    x = r.x1 + 4 * s;
  const auto choice = [&](const char* id, const std::string& label, const char* tip, const AskByHand& other) {
    const float left = right - draw::text_width(font, label) - 2 * pad;
    if (left < x) return;
    const auto [r, clicked] = small_tag(id, label, tip, left, true, p.colours.button);
    if (clicked) f.push(other);
    right = r.x0 - 4 * s;
  };
  choice("hand quantities", m->quantities, "How much is asked: everything that the steps make, or m, α and ℓ alone",
         m->other_quantities);
  choice("hand rows", m->rows, "How much is asked: one row of each tile, or all of them", m->other_rows);
  const float wide = draw::text_width(font, m->progress);
  if (x + 8 * s + wide < right - 4 * s)
    draw::text(p.list, font, x + 6 * s, p.y + (high - font.size) / 2, p.colours.muted, m->progress);
  std::string* const text = field ? &f.ui.hand_texts[HandKey{field->made_at, field->place}] : nullptr;
  if (const auto typed =
          draw_number_pad(f, p.fonts.body, p.x, p.y + 30 * s, p.width, text ? *text : std::string(), text != nullptr))
    *text = *typed;
  p.y += hand_strip_height(f, s);
}

}  // namespace tilewalk
