// The one table of the race at one shape: each row's figures, and the predictions of the pencil method and the model.
#include "pages/race/race_marks.h"
#include "ui/panels/panels.h"

namespace tilewalk {

void draw_race_table_panel(const UiFrame& f, Panel& p) {
  const RaceModel& m = *f.views.page<RaceModel>();
  p.caption(m.predicted  ? "Every figure of your call"
            : m.recorded ? "Every figure, recorded and predicted"
                         : "Every figure");
  const float note = draw::paragraph(nullptr, p.fonts.tiny, p.fonts.tiny, 0, 0, p.width, 0, m.table_note);
  draw_race_rows(f, p, m.table_heads, m.table, note + 8 * p.s);
  p.y += 8 * p.s;
  p.y += draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, m.table_note);
  f.ui.rects.put("table note", {p.x, p.y - note, p.x + p.width, p.y});
}

}  // namespace tilewalk
