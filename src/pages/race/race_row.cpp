// The row of this page: builds its models, hides a lesson's answers, and lists its texts.
#include <fmt/format.h>

#include "base/units.h"
#include "base/words.h"
#include "core/problem/device_model.h"
#include "measured/recorded_race.h"
#include "pages/race/race_model.h"
#include "view/hide_asked.h"
#include "view/pages.h"
#include "view/words/call_model.h"

namespace tilewalk {
namespace {

void hide_times(RaceModel& m) {
  RaceModel out;
  out.sources = m.sources;
  out.badge = m.badge;
  out.heading = m.heading;
  out.empty = kAskedNow;
  m = std::move(out);
}

void hide(RaceModel& m, const LessonController& lesson) {
  if (lesson.hides("times")) hide_times(m);
}

void add_texts(ShownTexts& texts, const RaceModel& m) {
  texts.say("race", {m.badge, m.heading, m.ceilings, m.empty, m.figure, m.figure_words, m.bars_title, m.raced_with,
                     m.beside, m.beside_in_room, m.curves_title, m.table_note, m.peak_text, m.curves_peak_text,
                     m.floor_text, m.progress, m.failure});
  texts.say("race", m.kernels.label);
  if (m.win)
    for (const WinLine& line : m.win->lines) {
      texts.say("race, what it wins", {line.figure, line.words});
      for (const WinBar& bar : line.bars) texts.say("race, what it wins", bar.label);
    }
  if (m.win) texts.say("race, what it wins", m.win->note);
  texts.say("race", m.notes);
  texts.say("race", m.reasons);
  for (const auto* bars : {&m.bars, &m.no_memory_later})
    for (const RaceBar& bar : *bars) texts.say("race", {bar.title, bar.value, bar.detail});
  texts.say("race", m.clock_words);
  for (const RaceLine& line : m.table) texts.say("race, " + line.title, line.cells);
  for (const RaceCurve& curve : m.curves) texts.say("race, " + curve.title, curve.end);
  for (const RaceCurve& curve : m.curves)
    for (const auto* points : {&curve.points, &curve.no_memory, &curve.missing})
      for (const RacePoint& point : *points) texts.say("race, " + curve.title, point.detail);
}

std::optional<RaceOfCall> race_of_window(const Session& session, const std::vector<PredictionRow>& rows) {
  const RooflineController& roofline = session.roofline();
  if (!roofline.not_followed().empty()) return std::nullopt;
  const DeviceModel card = roofline.card();
  return race_of_call(rows, roofline.processor() ? nullptr : roofline.times(), roofline.processor() ? nullptr : &card);
}

// Why a typed N changed the batch. Empty where the batch was chosen, or is 1.
std::string batch_as_raced(const WindowCall& of) {
  const std::optional<AttentionCall> call = modelled_call(of.call);
  if (!of.as_raced || !call || call->batch < 2 || call->batch * call->n > kRacedRows) return {};
  return fmt::format("Batch {} follows N, as raced: the largest with batch × N up to {}.", call->batch,
                     format_count(kRacedRows));
}

RaceModel build_race(const PageSources& of) {
  const Session& session = of.session;
  const std::optional<Contender> by_default = default_of_call(session);
  std::optional<std::vector<PredictionRow>> rows;  // predicted once a frame
  const auto rows_of_call = [&]() -> const std::vector<PredictionRow>& {
    if (!rows) rows = modelled_call(session.call().call) ? session.roofline().rows() : std::vector<PredictionRow>();
    return *rows;
  };
  RaceModel out =
      build_race_model(session.race(), session.checks().gpu_present(),
                       {by_default, [&] { return call_win(rows_of_call(), by_default, session.roofline().times()); },
                        [&] { return race_of_window(session, rows_of_call()); }});
  if (session.race().shows_win && session.presents_page()) {
    out.win = build_win_frame(rows_of_call(), session.roofline().card());
    if (out.win->lines.empty() && !out.figure.empty()) out.win = WinFrame{{{out.figure, ""}}, out.figure_words};
    if (out.win->lines.empty()) out.win.reset();
  }
  if (const std::string untimed = untimed_part(session.call().call); !untimed.empty() && !out.figure.empty()) {
    out.figure_words += " All times leave out " + untimed + " of your call.";
    out.differs = true;
  }
  const std::string batch = batch_as_raced(session.call());
  if (out.badge == "PREDICTED" && !batch.empty()) add_to_list(out.beside, batch, " ");
  return out;
}

constexpr float kTextOfWinFrame = 3.2f;

RoomWords words_of_race_for_room(const Session& session) {
  const Races& races = session.race();
  if (races.shows_win) return {"", "→ runs the bars again", kTextOfWinFrame};
  const char* const question = races.choice.pass == "backward"
                                   ? "Ask: all compute the same dQ, dK and dV. How much of FA-2's time is products?"
                                   : "Ask: all compute the same O. Why does naive take longer?";
  return {question, races.answered ? "→ shows what it wins · Space runs the bars again"
                                   : "→ shows the answer · Space runs the bars again"};
}

}  // namespace

PageRow race_row() {
  return PageOf<RaceModel>{.title = "Race",
                           .help = "Measured speed of the fast kernels, recorded or run here",
                           .turn = Action::ShowRace,
                           .build = build_race,
                           .hide = hide,
                           .add_texts = add_texts,
                           .for_room = words_of_race_for_room};
}

}  // namespace tilewalk
