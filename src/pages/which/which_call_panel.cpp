// The call, field by field: a click steps through a field with few choices, other fields are typed. A field that a
// failed check reads has a border.
#include <fmt/format.h>

#include <algorithm>

#include "pages/which/which_page.h"
#include "ui/panels/call_field.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

struct FieldsUi {
  bool all = false;  // also those that have their default and are rarely changed
};

// Unfolds the other fields; below it, a button that resets all of them.
void draw_buttons(const UiFrame& f, Panel& p, std::size_t folded) {
  FieldsUi& ui = f.ui.of<FieldsUi>();
  const float s = p.s, high = 28 * s;
  const auto wide = [&](const std::string& label) { return draw::text_width(p.fonts.body, label) + 24 * s; };
  if (folded > 0) {
    const std::string label = ui.all ? "Fewer fields" : fmt::format("{} more field{}", folded, folded == 1 ? "" : "s");
    const draw::Rect more{p.x, p.y, p.x + wide(label), p.y + high};
    if (button(f, {.id = "more fields",
                   .rect = more,
                   .label = label,
                   .tip = ui.all ? "Hides the fields that have their default and are rarely changed"
                                 : "They all have their default: CUDA, KV heads, layout, sdpa_kernel …"}))
      ui.all = !ui.all;
    p.y = more.y1 + 6 * s;
  }
  const draw::Rect plain{p.x, p.y, p.x + wide("A plain call"), p.y + high};
  if (button(f, {.id = "plain call", .rect = plain, .label = "A plain call", .tip = "Every field as at the start"}))
    f.push(Action::ForgetWhich);
  p.y = plain.y1 + 14 * s;
}

}  // namespace

void draw_which_call_panel(const UiFrame& f, Panel& p) {
  const WhichModel& m = *f.views.page<WhichPage>()->model;
  const float s = p.s, high = 24 * s, right = p.x + p.width, names = std::min(118 * s, p.width * 0.44f);
  const bool all = f.ui.of<FieldsUi>().all;
  std::size_t folded = 0;
  p.caption(all ? "The call, in full" : "The call");
  for (const CallFieldModel& field : m.fields) {
    if (!field.matters && field.issue.empty()) continue;
    if (field.folded && field.issue.empty()) {
      ++folded;
      if (!all) continue;
    }
    word(f, p.fonts.body, p.x, p.y + high / 2 - p.fonts.body.size / 2, p.colours.text,
         draw::elided(p.fonts.body, field.label, names));
    draw_call_field(f, field, {p.x + names + 8 * s, p.y, right, p.y + high}, "call " + field.name);
    p.y += high + 3 * s;
    if (field.name == "torch" && !m.version_note.empty())
      p.y += draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, m.version_note) +
             2 * s;
    if (!field.issue.empty())
      p.y += draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, p.x, p.y, p.width, p.colours.bad, field.issue) + 2 * s;
  }
  p.y += 8 * s;
  draw_buttons(f, p, folded);
  p.caption("The same on the command line");
  p.y += draw::paragraph(p.list, p.fonts.mono_small, p.fonts.mono_small, p.x, p.y, p.width, p.colours.text,
                         m.command_line);
}

}  // namespace tilewalk
