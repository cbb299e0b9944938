#include "ui/panels/walk/fault_lines.h"

#include "base/words.h"
#include "ui/mistake_marks.h"
#include "ui/widgets.h"

namespace tilewalk {
namespace {

float text_height(const Panel& p, const std::string& text) {
  return text.empty() ? 0 : draw::paragraph(nullptr, p.fonts.body, p.fonts.mono_small, 0, 0, p.width, 0, text);
}

}  // namespace

float fault_height(const Panel& p, const FaultModel& m) {
  const float title_and_buttons = 82 * p.s;
  return title_and_buttons + text_height(p, m.so_far) + text_height(p, m.about) + text_height(p, m.harm);
}

void draw_fault(const UiFrame& f, Panel& p, const FaultModel& m) {
  const std::size_t colon = m.title.find(": ");  // "Mistake: uses this tile's max only"
  p.caption(m.title.substr(0, colon));
  p.y -= 4 * p.s;
  if (colon != std::string::npos)
    p.y += draw::paragraph(p.list, p.fonts.strong, p.fonts.tiny, p.x, p.y, p.width, p.colours.text,
                           m.title.substr(colon + 2)) +
           4 * p.s;
  float x = p.x;
  const auto way = [&](const char* label, const Command& command) {
    const float w = button_width(p.theme, label, 20);
    if (button(f, {.id = label, .rect = {x, p.y, x + w, p.y + 28 * p.s}, .label = label})) f.push(command);
    x += w + 8 * p.s;
  };
  if (m.first_step >= 0) way("Show where", GoToStep{m.first_step});
  way("Make it right", SetFault{});
  p.y += 34 * p.s;
  // A text is drawn whole, or it is in the tooltip of the text above it.
  std::string left_out;
  const float first = p.y, low = p.rect.y1 - ImGui::GetStyle().WindowPadding.y - 2 - ImGui::GetScrollY();
  const auto line = [&](ImU32 colour, const std::string& text, bool always) {
    if (text.empty()) return;
    if (!always && p.y + text_height(p, text) > low) return add_to_list(left_out, text, " ");
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.mono_small, p.x, p.y, p.width, colour, text);
  };
  line(ink_of_mistake(f, p.colours), m.so_far, true);
  const bool risk_first = m.output_right;
  if (risk_first) line(p.colours.text, m.harm, false);
  line(p.colours.text, m.about, m.so_far.empty());
  if (!risk_first) line(p.colours.muted, m.harm, false);
  const draw::Rect all{p.x, first, p.x + p.width, p.y};
  f.ui.rects.put("mistake", all);
  if (!left_out.empty() && pointed_at(f, "mistake", all)) tooltip(f, left_out);
}

}  // namespace tilewalk
