#include "app/window/film_cursors.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "base/words.h"
#include "core/problem/device_model.h"
#include "core/schedules/registry.h"
#include "render/film.h"
#include "session/controllers/endless_zoom_controller.h"
#include "session/document/playback.h"
#include "session/document/step_motion.h"

namespace tilewalk {
namespace {

constexpr int kMillisecondsOfEnd = 2000, kLeastOfTitle = 3500;
constexpr int kCharactersASecond = 16;

// Seconds of a motion: of a phase somewhat less than a slow reader's, of a tile visit as while playing.
double seconds_of(StepUnit every) { return every == StepUnit::Phase ? 1.2 : kSecondsATile; }

std::string title_of_film(const Schedule& schedule) {
  const ScheduleKind kind = schedule.problem().schedule, naive = row_of(schedule.problem()).family.naive;
  std::string out = fmt::format("{}: attention one {}. Each byte between HBM and SRAM is counted.", title_of(kind),
                                kind == naive ? "matrix at a time, each stored in HBM" : "tile at a time");
  if (naive != kind) out += fmt::format(" At the end: {} attention's bytes beside them.", lower_case(title_of(naive)));
  return out;
}

// Long enough to read at the pace of the film of the first minute.
int milliseconds_of(const std::string& title) {
  return std::max(kLeastOfTitle, int(title.size()) * 1000 / kCharactersASecond);
}

}  // namespace

std::vector<FilmFrame> frames_of(const Schedule& schedule, const AnimationRequest& request) {
  const int moving = int(seconds_of(request.every) * request.rate);
  std::vector<FilmFrame> out;
  if (request.ends) {
    const std::string title = title_of_film(schedule);
    out.push_back({request.from, 1, milliseconds_of(title), title});
  }
  out.push_back({request.from, 1, request.milliseconds});
  for (std::int64_t at = request.from; at < request.to && std::int64_t(out.size()) <= kMostFrames;) {
    at = std::min(request.to, next_stop(schedule, request.every, at));
    for (int i = 1; i < moving; ++i) out.push_back({at, double(i) / moving, 1000 / request.rate});
    out.push_back({at, 1, request.milliseconds});
  }
  if (request.ends) out.push_back({schedule.step_count(), 1, kMillisecondsOfEnd});
  if (std::int64_t(out.size()) > kMostFrames) out.resize(std::size_t(kMostFrames) + 1);
  return out;
}

std::vector<FilmFrame> frames_of_zoom(const std::vector<ZoomSquare>& squares, const AnimationRequest& request) {
  std::vector<FilmFrame> out;
  const auto add = [&](double t, int milliseconds) { out.push_back({request.from, 1, milliseconds, {}, t}); };
  if (request.rate == 0) {
    for (const ZoomSquare& square : squares) add(square.t, request.milliseconds);
    return out;
  }
  const int moving = int(kSecondsOfZoom * request.rate);
  add(0, request.milliseconds);
  for (int i = 1; i < moving; ++i) add(eased(double(i) / moving), 1000 / request.rate);
  add(1, 2 * request.milliseconds);
  return out;
}

}  // namespace tilewalk
