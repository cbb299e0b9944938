#include "view/hide_asked.h"

namespace tilewalk {
namespace {

void hide_levels(MemoryModel& m) {
  for (std::string* text : {&m.levels_title, &m.hbm_level, &m.sram_level, &m.apart}) text->clear();
}

void hide_traffic(Views& views) {
  for (TrafficBar& bar : views.traffic.bars) bar.parts.clear(), bar.bytes = 0, bar.text = "?";
  views.traffic.legend.clear();
  views.traffic.lines.clear();
  views.traffic.textbook = kAskedNow;
  views.hardware.reset();
}

// Of two schedules nothing is told that is counted in bytes or in time.
void hide_differences(ComparePage& page) {
  page.compare.lines.clear();
  page.compare.verdict.clear();
  page.compare.footnote.clear();
  page.compare.problems = {kAskedNow};
  page.launches.reset();
  for (LanesPicture& picture : page.lanes.pictures) picture.so_far.clear();
}

void hide_saves(LanesModel& m) {
  for (LaneSwitch& each : m.switches) each.saves.clear();
}

void hide_times(RaceModel& m) {
  RaceModel out;
  out.sources = m.sources;
  out.badge = m.badge;
  out.heading = m.heading;
  out.empty = kAskedNow;
  m = std::move(out);
}

// As before the answers, with no way to them.
void hide_times(RooflinePage& page) {
  std::erase_if(page.points, [](const RooflinePoint& point) { return point.hue != RooflineHue::Naive; });
  for (RooflinePoint& point : page.points) {
    point.recorded.reset();
    point.detail.clear();
    if (!point.part) point.label = title_of(Contender::Naive);
  }
  for (auto* texts : {&page.answer, &page.misses, &page.trips, &page.sentence}) texts->clear();
  std::erase_if(page.roofs, [](const RoofLine& roof) { return roof.lower; });
  page.wins.clear();
  page.rows.clear();
  page.eager.clear();
  page.guesses.clear();
  page.question = kAskedNow;
  page.revealed = false;
}

void hide_times(PresetsModel& m) {
  for (PresetRow& row : m.rows) row.recorded = {};
}

}  // namespace

void hide_asked(WhichModel& m, const LessonController& lesson) {
  if (lesson.hides("advice")) {
    m.advice.clear();
    m.no_advice = kAskedNow;
    for (WhichCard& card : m.cards)
      if (card.verdict == WhichVerdict::Refused) card.hint.clear();
  }
  if (lesson.hides("times")) m.recorded.clear(), m.recorded_ms.clear();
}

void hide_asked(Views& views, const LessonController& lesson) {
  if (!lesson.lesson()) return;
  if (lesson.hides("levels") && views.walk) hide_levels(views.walk->memory);
  if (lesson.hides("traffic")) hide_traffic(views);
  if (views.compare && (lesson.hides("traffic") || lesson.hides("times"))) hide_differences(*views.compare);
  if (views.compare && lesson.hides("saves")) hide_saves(views.compare->lanes);
  if (views.which && views.which->model) hide_asked(*views.which->model, lesson);
  if (!lesson.hides("times")) return;
  if (views.race) hide_times(*views.race);
  if (views.roofline) hide_times(*views.roofline);
  if (views.presets) hide_times(*views.presets);
}

}  // namespace tilewalk
