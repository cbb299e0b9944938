// The predictions of the pencil method and the model, beside recorded times.
#include "pages/race/race_marks.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

// The same rows beside the figures of the pencil method and the model.
void draw_predicted(const UiFrame& f, Panel& p, const RaceModel& m) {
  draw_race_rows<RacePredicted>(f, p, m.predicted_heads, m.predicted, [](const RacePredicted&) { return false; });
  p.y += 8 * p.s;
}

}  // namespace

void draw_race_predicted_panel(const UiFrame& f, Panel& p) {
  const RaceModel& m = *f.views.page<RaceModel>();
  p.caption("Predicted beside recorded");
  if (!m.predicted.empty()) draw_predicted(f, p, m);
  p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, m.predicted_note);
}

}  // namespace tilewalk
