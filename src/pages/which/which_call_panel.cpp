// The call, field by field: a click steps through a field with few choices, other fields are typed. A field that a
// failed check reads has a border.
#include <algorithm>

#include "base/words.h"
#include "pages/which/which_page.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

const std::string& next_choice(const WhichField& field) {
  const auto at = std::find(field.choices.begin(), field.choices.end(), field.text);
  return at == field.choices.end() || at + 1 == field.choices.end() ? field.choices.front() : *(at + 1);
}

std::string choices_of(const WhichField& field) {
  std::string out;
  for (const std::string& choice : field.choices) add_to_list(out, choice);
  return out;
}

void draw_choice(const UiFrame& f, const Panel& p, const WhichField& field, float left, float high) {
  const float w = draw::text_width(p.fonts.mono, field.text) + 16 * p.s;
  const std::string tip = field.help + "\n" + choices_of(field) + ". Click for the next";
  const bool clicked = tag(f, {.id = "call " + field.name,
                               .rect = {left, p.y, left + w, p.y + high},
                               .label = field.text,
                               .tip = tip,
                               .font = p.fonts.mono,
                               .ink = field.at_fault ? p.colours.warn : p.colours.text,
                               .fill = p.colours.background,
                               .hovered = p.colours.button_hover,
                               .border = field.at_fault ? p.colours.warn : p.colours.border,
                               .rounding = 5 * p.s});
  if (clicked) f.push(EditCall{field.name, next_choice(field)});
}

void draw_typed(const UiFrame& f, const Panel& p, const WhichField& field, float right, float width) {
  const bool bad = !field.issue.empty(), itself = field.by_itself && !bad;
  const auto typed = text_field(f, {.id = "call " + field.name,
                                    .rect = {right - width, p.y, right, p.y + 24 * p.s},
                                    .text = itself ? "" : field.text,
                                    .otherwise = bad ? "" : std::string_view(field.text),
                                    .tip = bad ? field.issue : field.help,
                                    .border = bad              ? p.colours.bad
                                              : field.at_fault ? p.colours.warn
                                                               : 0});
  if (typed) f.push(EditCall{field.name, *typed});
}

}  // namespace

void draw_which_call_panel(const UiFrame& f, Panel& p) {
  const WhichModel& m = *f.views.page<WhichPage>()->model;
  const float s = p.s, high = 24 * s, right = p.x + p.width, names = std::min(118 * s, p.width * 0.44f);
  p.caption("Your call");
  for (const WhichField& field : m.fields) {
    if (!field.matters && field.issue.empty()) continue;
    word(f, p.fonts.body, p.x, p.y + high / 2 - p.fonts.body.size / 2, p.colours.text,
         draw::elided(p.fonts.body, field.label, names));
    if (field.choices.empty())
      draw_typed(f, p, field, right, p.width - names - 8 * s);
    else
      draw_choice(f, p, field, p.x + names + 8 * s, high);
    p.y += high + 3 * s;
    if (!field.issue.empty())
      p.y += draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, p.x, p.y, p.width, p.colours.bad, field.issue) + 2 * s;
  }
  p.y += 8 * s;
  const draw::Rect plain{p.x, p.y, p.x + draw::text_width(p.fonts.body, "A plain call") + 24 * s, p.y + 28 * s};
  if (button(f, {.id = "plain call", .rect = plain, .label = "A plain call", .tip = "Every field as at the start"}))
    f.push(Action::ForgetWhich);
  p.y = plain.y1 + 14 * s;
  p.caption("The same on the command line");
  p.y += draw::paragraph(p.list, p.fonts.mono_small, p.fonts.mono_small, p.x, p.y, p.width, p.colours.text,
                         m.command_line);
}

}  // namespace tilewalk
