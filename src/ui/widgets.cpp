#include "ui/widgets.h"

#include <algorithm>

#include "base/contains.h"
#include "view/words/glossary.h"

namespace tilewalk {

Hit hit(const UiFrame& f, const std::string& id, const draw::Rect& r) {
  f.ui.rects.put(id, r);
  Hit out;
  ImGui::SetCursorScreenPos(r.min());
  out.clicked = ImGui::InvisibleButton(id.c_str(), ImVec2(std::max(1.0f, r.width()), std::max(1.0f, r.height())));
  out.hovered = ImGui::IsItemHovered();
  out.held = ImGui::IsItemActive();
  const bool ringed = ImGui::IsItemFocused() && ImGui::GetIO().NavVisible;
  if (ringed && enter_clicks()) out.clicked = true;
  if (ringed) f.ui.rects.put("focused", r);
  if (ringed)
    ImGui::GetWindowDrawList()->AddRect(ImVec2(r.x0 - 2, r.y0 - 2), ImVec2(r.x1 + 2, r.y1 + 2), f.theme.colours.accent,
                                        6 * f.theme.s, 0, 2);
  return out;
}

bool pointed_at(const UiFrame& f, const std::string& id, const draw::Rect& r) { return hit(f, id, r).hovered; }

float button_width(const Theme& theme, std::string_view label, float sides) {
  return draw::text_width(theme.fonts.strong, label) + sides * theme.s;
}

bool button(const UiFrame& f, const Button& b) {
  begin_disabled(!b.enabled);
  const Hit h = hit(f, b.id, b.rect);
  end_disabled();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Palette& c = f.theme.colours;
  const float s = f.theme.s;
  const ImU32 fill = b.strong && b.enabled    ? (h.hovered ? mix(c.accent, c.text, 0.15f) : c.accent)
                     : h.hovered && b.enabled ? c.button_hover
                                              : c.button;
  const ImU32 ink = !b.enabled ? c.faint : b.strong ? c.accent_text : c.button_text;
  if (b.sign) {
    draw::box(list, b.rect, fill, 7 * s);
    draw::sign(list, *b.sign, b.rect, ink, s);
  } else {
    draw::box(list, b.rect, fill, 6 * s, b.strong ? 0 : c.border);
    draw::text_in(list, b.strong ? f.theme.fonts.strong : f.theme.fonts.body, b.rect, ink, b.label);
  }
  if (h.hovered) tooltip(f, b.tip);
  return h.clicked && b.enabled;
}

bool tag(const UiFrame& f, const Tag& c) {
  const Hit h = hit(f, c.id, c.rect);
  ImDrawList* list = ImGui::GetWindowDrawList();
  draw::box(list, c.rect, h.hovered ? c.hovered : c.fill, c.rounding, c.border);
  if (c.label_at)
    draw::text(list, c.font, c.label_at->x, c.label_at->y, c.ink, c.label);
  else
    draw::text_in(list, c.font, c.rect, c.ink, c.label);
  if (h.hovered) tooltip(f, c.tip);
  return h.clicked && c.enabled;
}

bool tab(const UiFrame& f, const Tab& c) {
  const Theme& theme = f.theme;
  return tag(f, {.id = c.id,
                 .rect = c.rect,
                 .label = c.label,
                 .tip = c.tip,
                 .font = c.active ? theme.fonts.strong : theme.fonts.body,
                 .ink = c.active ? theme.colours.text : theme.colours.muted,
                 .fill = c.active ? theme.colours.tab : 0,
                 .hovered = c.active ? theme.colours.tab : theme.colours.button,
                 .rounding = 5 * theme.s,
                 .enabled = c.enabled});
}

std::optional<std::string> text_field(const UiFrame& f, const TextField& field) {
  const float s = f.theme.s;
  const Font& font = f.theme.fonts.mono;
  f.ui.rects.put(field.id, field.rect);
  ImGui::SetCursorScreenPos(field.rect.min());
  ImGui::SetNextItemWidth(field.rect.width());
  ImGui::PushID(field.id.c_str());
  if (field.border) ImGui::PushStyleColor(ImGuiCol_Border, field.border);
  std::string text = field.text;
  if (field.focus) focus_text("##field");
  // Dear ImGui draws the text before it is known whether the field is edited: the last frame decides who draws it.
  ImGuiStorage& edited = *ImGui::GetStateStorage();
  const ImGuiID id = ImGui::GetID("##field");
  const bool rests = !edited.GetBool(id) && !field.at_rest.empty() &&
                     draw::text_width(f.theme.fonts.body, std::string(field.at_rest)) <=
                         field.rect.width() - ImGui::GetStyle().FramePadding.x;
  if (rests) ImGui::PushStyleColor(ImGuiCol_Text, 0);
  const bool changed = input_text("##field", text, ImGuiInputTextFlags_AutoSelectAll), active = ImGui::IsItemActive();
  edited.SetBool(id, active);
  if (rests) {
    ImGui::PopStyleColor();
    const ImVec2 margin = ImGui::GetStyle().FramePadding;
    draw::text(ImGui::GetWindowDrawList(), f.theme.fonts.body, field.rect.x0 + margin.x, field.rect.y0 + margin.y,
               f.theme.colours.text, std::string(field.at_rest));
    f.ui.rects.put(field.id + " at rest", field.rect);
  }
  if (field.border) ImGui::PopStyleColor();
  if (ImGui::IsItemHovered()) tooltip(f, field.tip);
  if (text.empty() && !active)
    draw::text(ImGui::GetWindowDrawList(), font, field.rect.x0 + 8 * s,
               (field.rect.y0 + field.rect.y1) / 2 - font.size / 2, f.theme.colours.muted,
               draw::elided(font, std::string(field.otherwise), field.rect.width() - 14 * s));
  ImGui::PopID();
  return changed ? std::optional(std::move(text)) : std::nullopt;
}

void halo(const UiFrame& f, ImDrawList* list, const char* name, const draw::Rect& r) {
  if (!f.views.lesson_panel) return;
  if (!contains(f.views.lesson_panel->outline, name)) return;
  const float s = f.theme.s;
  f.ui.rects.put(std::string("halo ") + name, r);
  for (const float by : {-2.0f, -4.5f})
    draw::box(list, r.inset(by * s), 0, 8 * s,
              by < -3 ? with_alpha(f.theme.colours.accent, 0.35f) : f.theme.colours.accent, 2 * s);
}

std::string with_meanings(std::string_view own, std::string_view text) {
  std::string out(own);
  const std::string meant = meanings(terms_in(text));
  return out += (out.empty() || meant.empty() ? "" : "\n") + meant;
}

void explain(const UiFrame& f, const std::string& id, const draw::Rect& r, std::string_view text) {
  const std::vector<const Term*> terms = terms_in(text);
  if (terms.empty()) return;
  const ImVec2 cursor = ImGui::GetCursorScreenPos();
  begin_no_first_focus();
  const bool pointed = pointed_at(f, id, r);
  end_no_first_focus();
  if (pointed) tooltip(f, meanings(terms));
  ImGui::SetCursorScreenPos(cursor);
}

float caption(const UiFrame& f, const std::string& id, float x, float y, std::string_view text, float most) {
  const float wide = draw::caption(ImGui::GetWindowDrawList(), f.theme, x, y, text, most);
  explain(f, id, {x, y, x + wide, y + f.theme.fonts.caption.size + 4 * f.theme.s}, text);
  return wide;
}

float word(const UiFrame& f, const Font& font, float x, float y, ImU32 colour, std::string_view text) {
  const float wide = draw::text_width(font, text);
  draw::text(ImGui::GetWindowDrawList(), font, x, y, colour, text);
  explain(f, std::string(text), {x, y - 1 * f.theme.s, x + wide, y + font.size + 2 * f.theme.s}, text);
  return wide;
}

void word_right(const UiFrame& f, const Font& font, float right, float y, ImU32 colour, std::string_view text) {
  word(f, font, right - draw::text_width(font, text), y, colour, text);
}

}  // namespace tilewalk
