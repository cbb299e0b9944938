#include "view/hide_asked.h"

#include "view/pages.h"

namespace tilewalk {
namespace {

void hide_traffic(Views& views) {
  for (TrafficBar& bar : views.traffic.bars) bar.parts.clear(), bar.bytes = 0, bar.text = "?";
  views.traffic.legend.clear();
  views.traffic.lines.clear();
  views.traffic.textbook = kAskedNow;
  views.hardware.reset();
}

void hide_times(PresetsModel& m) {
  for (PresetRow& row : m.rows) row.recorded = {};
}

}  // namespace

void hide_asked(Views& views, const LessonController& lesson) {
  if (!lesson.lesson()) return;
  if (lesson.hides("traffic")) hide_traffic(views);
  if (!views.on_page.empty()) page_row(views.shown_page).hide(views.on_page, lesson);
  if (lesson.hides("times") && views.presets) hide_times(*views.presets);
}

}  // namespace tilewalk
