// The call, field by field: a click steps through a field with few choices, other fields are typed. A field that a
// failed check reads has a border.
#include <algorithm>

#include "pages/which/which_page.h"
#include "ui/panels/call_field.h"
#include "ui/panels/panels.h"

namespace tilewalk {

void draw_which_call_panel(const UiFrame& f, Panel& p) {
  const WhichModel& m = *f.views.page<WhichPage>()->model;
  const float s = p.s, high = 24 * s, right = p.x + p.width, names = std::min(118 * s, p.width * 0.44f);
  p.caption("The call, in full");
  for (const CallFieldModel& field : m.fields) {
    if (!field.matters && field.issue.empty()) continue;
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
  const draw::Rect plain{p.x, p.y, p.x + draw::text_width(p.fonts.body, "A plain call") + 24 * s, p.y + 28 * s};
  if (button(f, {.id = "plain call", .rect = plain, .label = "A plain call", .tip = "Every field as at the start"}))
    f.push(Action::ForgetWhich);
  p.y = plain.y1 + 14 * s;
  p.caption("The same on the command line");
  p.y += draw::paragraph(p.list, p.fonts.mono_small, p.fonts.mono_small, p.x, p.y, p.width, p.colours.text,
                         m.command_line);
}

}  // namespace tilewalk
