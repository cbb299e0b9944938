// The one table of the race at one shape: each row's figures, and the predictions of the pencil method and the model.
#include "pages/race/race_marks.h"
#include "ui/panels/panels.h"

namespace tilewalk {

void draw_race_table_panel(const UiFrame& f, Panel& p) {
  const RaceModel& m = *f.views.page<RaceModel>();
  p.caption(m.predicted  ? "Every figure of your call"
            : m.recorded ? "Every figure, recorded and predicted"
                         : "Every figure");
  draw_race_rows(f, p, m.table_heads, m.table);
  p.y += 8 * p.s;
  p.y += draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, m.table_note);
}

}  // namespace tilewalk
