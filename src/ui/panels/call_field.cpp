#include "ui/panels/call_field.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "base/parse.h"
#include "base/units.h"
#include "base/words.h"

namespace tilewalk {
namespace {

const std::string& next_choice(const CallFieldModel& field) {
  const auto at = std::find(field.choices.begin(), field.choices.end(), field.text);
  return at == field.choices.end() || at + 1 == field.choices.end() ? field.choices.front() : *(at + 1);
}

std::string choices_of(const CallFieldModel& field) {
  std::string out;
  for (const std::string& choice : field.choices) add_to_list(out, choice);
  return out;
}

void draw_choice(const UiFrame& f, const CallFieldModel& field, const draw::Rect& r, const std::string& id) {
  const Palette& colours = f.theme.colours;
  const Font& font = f.theme.fonts.body;
  const float s = f.theme.s, middle = (r.y0 + r.y1) / 2;
  const std::string tip = field.help + "\n" + choices_of(field) + ". Click for the next";
  if (tag(f, {.id = id,
              .rect = r,
              .label = field.text,
              .tip = tip,
              .font = font,
              .ink = field.at_fault ? colours.warn : colours.text,
              .fill = colours.background,
              .hovered = colours.button_hover,
              .border = field.at_fault ? colours.warn : colours.border,
              .rounding = 5 * s,
              .label_at = ImVec2(r.x0 + 8 * s, middle - font.size / 2)}))
    f.push(EditCall{field.name, next_choice(field)});
  const draw::Rect next{r.x1 - 20 * s, middle - 7 * s, r.x1 - 6 * s, middle + 7 * s};
  if (draw::text_width(font, field.text) + 34 * s < r.width())
    draw::sign(ImGui::GetWindowDrawList(), draw::Sign::Play, next, colours.muted, 0.6f * s);
}

}  // namespace

void draw_call_field(const UiFrame& f, const CallFieldModel& field, const draw::Rect& r, const std::string& id,
                     bool focus) {
  if (!field.choices.empty()) return draw_choice(f, field, r, id);
  const Palette& colours = f.theme.colours;
  const bool bad = !field.issue.empty(), itself = field.by_itself && !bad;
  const std::optional<std::int64_t> number = parse_integer(field.text);
  const std::string at_rest = number && *number >= 1000 && !itself ? format_count(*number) : "";
  const auto typed = text_field(f, {.id = id,
                                    .rect = r,
                                    .text = itself ? "" : field.text,
                                    .otherwise = bad ? "" : std::string_view(field.text),
                                    .tip = bad ? field.issue : field.help,
                                    .at_rest = at_rest,
                                    .border = bad              ? colours.bad
                                              : field.at_fault ? colours.warn
                                                               : 0,
                                    .focus = focus});
  if (typed) f.push(EditCall{field.name, *typed});
}

}  // namespace tilewalk
