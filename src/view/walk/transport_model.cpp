#include "view/walk/transport_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "view/words/units.h"

namespace tilewalk {
namespace {

std::string speed_text(double speed) {
  return speed < 1 ? fmt::format("1/{}×", std::lround(1 / speed)) : fmt::format("{:.3g}×", speed);
}

Action back_by(StepUnit unit) {
  switch (unit) {
    case StepUnit::Phase: return Action::StepBack;
    case StepUnit::Tile: return Action::TileBack;
    case StepUnit::QTile: return Action::QTileBack;
  }
  return Action::TileBack;
}

Action forward_by(StepUnit unit) {
  switch (unit) {
    case StepUnit::Phase: return Action::StepForward;
    case StepUnit::Tile: return Action::TileForward;
    case StepUnit::QTile: return Action::QTileForward;
  }
  return Action::TileForward;
}

TransportTone tone_of(const Message& message) {
  return message.error ? TransportTone::Error : message.no_op ? TransportTone::NoOp : TransportTone::Said;
}

TransportNews news_of(const Session& session) {
  if (session.busy())
    return {"replaying … " + std::to_string(int(session.walk().progress() * 100)) + " %", TransportTone::Waiting};
  if (const auto& message = session.message()) return {message->text, tone_of(*message)};
  if (session.hand().focused())
    return {"Tab next field  ·  Enter check  ·  F1 hint  ·  Shift+Enter show  ·  Esc leaves the field",
            TransportTone::Hint};
  if (session.hand().open() > 0)
    return {"Tab to the first field  ·  H ends work by hand  ·  ← → step  ·  ? keys", TransportTone::Hint};
  return {"Space play  ·  ← → step  ·  Shift tile  ·  PgUp PgDn Q tile  ·  Home End  ·  G go to  ·  ? keys",
          TransportTone::Hint};
}

// The first tiles that meet: within a few steps, the loads before them.
std::string words_of_begin(const Schedule& schedule) {
  constexpr std::int64_t kMostSteps = 24;
  for (std::int64_t k = 0; k < std::min(kMostSteps, schedule.step_count()); ++k)
    if (const Step step = schedule.step(k); step.q_tile >= 0 && step.kv_tile >= 0)
      return fmt::format("Play: {} meets {}", tile_name(TensorId::Q, step.q_tile),
                         tile_name(TensorId::K, step.kv_tile));
  return "Play";
}

bool waits_for_play(const Session& session) {
  return session.cursor() == 0 && session.schedule().step_count() > 0 && !session.walk().playback().playing &&
         !session.lesson().lesson() && !session.hand().on() && !session.tour().offers() &&
         !session.walk().selection() && session.problem().fault == Fault::None;
}

}  // namespace

TransportModel build_transport_model(const Session& session, double timeline_width) {
  const Schedule& schedule = session.schedule();
  const StepUnit unit = session.document().view.unit;
  TransportModel m;
  m.playing = session.walk().playback().playing;
  m.at_start = session.cursor() == 0;
  m.at_end = session.cursor() == schedule.step_count();
  m.unit = unit;
  m.back = back_by(unit);
  m.forward = forward_by(unit);
  m.units[int(StepUnit::Phase)] = "by phase";
  m.units[int(StepUnit::Tile)] = "by tile";  // the third unit is the outer tile of the schedule
  m.units[int(StepUnit::QTile)] = schedule.kv_outside(schedule.visit_section()) ? "by KV tile" : "by Q tile";
  m.speed = speed_text(session.document().view.speed);
  m.news = news_of(session);
  if (waits_for_play(session)) m.begin = words_of_begin(schedule);
  m.timeline = build_timeline_model(schedule, session.state(), session.check(), timeline_width);
  return m;
}

}  // namespace tilewalk
