#include "view/pipes/pipes_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/predict/predict.h"
#include "core/schedules/registry.h"
#include "core/walk/in_step.h"
#include "view/pipes/pipes_model.h"
#include "view/words/predict_words.h"

namespace tilewalk {
namespace {

Pace even_over(const Schedule& schedule) {
  return row_of(schedule.problem()).memory.scores_in_hbm ? Pace::Byte : Pace::Tile;
}

// A launch of the naive attention that races: its bytes, and its share of the call's time by the model of time.
struct TimedLaunch {
  std::int64_t first_byte = 0, end_byte = 0;
  double begin = 0, end = 0;
};

// Empty for a walk, whose kernels have no times.
std::vector<TimedLaunch> timed_launches(const Schedule& schedule) {
  const Problem& p = schedule.problem();
  const std::optional<AttentionCall> call = p.numerics.narrow_scores ? call_of(p) : std::nullopt;
  if (!call) return {};
  const Prediction naive = predict(method_of(Contender::Naive), *call, device_of(p.machine));
  if (int(naive.operations.size()) != schedule.section_count()) return {};
  std::vector<TimedLaunch> out;
  double seconds = 0;
  std::int64_t bytes = 0;
  for (int section = 0; section < schedule.section_count(); ++section) {
    TimedLaunch launch{.first_byte = bytes, .begin = seconds};
    launch.end_byte = bytes += section_cost(schedule, section).hbm_total().bytes();
    launch.end = seconds += naive.operations[std::size_t(section)].seconds;
    out.push_back(launch);
  }
  for (TimedLaunch& each : out) each.begin /= seconds, each.end /= seconds;
  return out;
}

}  // namespace

double share_of_time(const Schedule& schedule, std::int64_t cursor) {
  if (cursor >= schedule.step_count()) return 1;
  if (const std::vector<TimedLaunch> launches = timed_launches(schedule); !launches.empty()) {
    const std::int64_t moved = schedule.totals_before(cursor).cost.hbm_total().bytes();
    for (const TimedLaunch& each : launches)
      if (moved < each.end_byte)
        return each.begin + (each.end - each.begin) * double(moved - each.first_byte) /
                                double(std::max<std::int64_t>(1, each.end_byte - each.first_byte));
  }
  const WalkProgress at = progress_at(schedule, cursor);
  const bool bytes = even_over(schedule) == Pace::Byte;
  const double done = double(bytes ? at.bytes : at.visits), all = double(bytes ? at.of_bytes : at.of_visits);
  return all > 0 ? done / all : 0;
}

std::int64_t cursor_at_time(const Schedule& schedule, double share) {
  if (share >= 1) return schedule.step_count();
  for (const TimedLaunch& each : timed_launches(schedule))
    if (share < each.end) {
      const double part = (share - each.begin) / (each.end - each.begin);
      return last_cursor_within(
          schedule, each.first_byte + std::int64_t(std::floor(part * double(each.end_byte - each.first_byte))),
          Pace::Byte);
    }
  const WalkProgress all = progress_at(schedule, schedule.step_count());
  const Pace pace = even_over(schedule);
  const double of = double(pace == Pace::Byte ? all.of_bytes : all.of_visits);
  return last_cursor_within(schedule, std::int64_t(std::floor(share * of)), pace);
}

std::int64_t pinned_cursor_by_time(const Schedule& now, std::int64_t cursor, const Schedule& pinned,
                                   const CallTimes& times) {
  if (times.ms[0] <= 0) return pinned.step_count();
  return cursor_at_time(pinned, share_of_time(now, cursor) * times.ms[1] / times.ms[0]);
}

void describe_times(const CallTimes& times, PipesModel& model) {
  model.by_time = true;
  const auto timed = [&](int side) {
    const std::string& variant = times.variants[side];
    return fmt::format("{}{}{} {}", model.sides[side].title, times.by(side), variant.empty() ? "" : " with " + variant,
                       ms_text(times.ms[side]));
  };
  model.time_text =
      fmt::format("{}, {}, {} an {}", timed(0), timed(1), times.recorded ? "recorded on" : "modelled for", times.card);
  model.time_detail = fmt::format(
      "The whole call, all heads: {}. Within it, naive's time is spread evenly over the bytes {}, a tiled walk's over "
      "its tile visits.{}",
      times.recorded ? "medians of a recorded race" : "no race has both, so both are modelled",
      times.variant().empty() ? "of each launch, whose times are the model's" : "of the whole walk",
      times.variant().empty() ? "" : " The naive attention that races keeps S in 16 bits; this walk keeps it in fp32.");
}

}  // namespace tilewalk
