#include "app/cli/text/compare_text.h"

#include <fmt/format.h>

#include "base/units.h"
#include "core/fields/validate.h"
#include "core/schedules/registry.h"
#include "measured/prediction_error.h"
#include "pages/compare/compare_model.h"
#include "session/document/compared_problems.h"
#include "session/resources.h"
#include "view/words/in_step_model.h"

namespace tilewalk {

Result<Against> set_against(const Schedule& schedule, std::int64_t at, const std::string& name) {
  const Problem& now = schedule.problem();
  const std::optional<ScheduleKind> kind = schedule_from(name);
  if (!kind || *kind == now.schedule)
    return Issue{"against", name, "is not the name of another schedule", "Try flash_v1 or standard"};
  if (schedule_row(*kind).family.backward || row_of(now).family.backward)
    return Issue{"against", name, "is compared for forward schedules alone", "Leave it out for a backward pass"};
  const Problem other = compared_under(now, *kind);
  if (Issues issues = validate(other); !issues.empty()) return issues;
  const auto there = make_schedule(other);
  Against out{
      build_comparison(*there, schedule, run_time(*there), run_time(schedule)), {}, progress_at(schedule, at), {}};
  if (const Result<std::string> root = find_resource_root(); root && was_raced(now.machine.device)) {
    Result<RaceTimes> times = load_race_times(*root, now.machine.device);
    if (!times) return times.issues();
    out.times = std::move(*times);
  }
  for (const Pace pace : {Pace::Tile, Pace::Flop, Pace::Byte})
    out.there.push_back({pace, progress_at(*there, cursor_in_step(schedule, at, *there, pace))});
  return out;
}

std::string against_text(const Against& a) {
  const RaceTimes* const times = a.times ? &*a.times : nullptr;
  const CompareModel model = build_compare_model(a.comparison, words_with_times(a.comparison, times), times);
  std::vector<std::vector<std::string>> rows;
  const auto of = [](const std::string& figure, const std::string& variant) {
    return variant.empty() ? figure : figure + ", " + variant;
  };
  for (const CompareLine& line : model.lines)
    rows.push_back({line.title + (line.modelled ? " *" : ""), of(line.left, line.left_variant),
                    of(line.right, line.right_variant), line.difference});
  std::string out = table_text({model.heading, model.left_title, model.right_title, "difference"}, rows, "  ");
  out += fmt::format("  * modelled\n  {}\n\n  {} is at step {} of {}: {}\n", model.verdict, model.right_title,
                     format_count(a.here.cursor), format_count(a.here.steps), so_far_text(a.here));
  for (const auto& [pace, there] : a.there)
    out += fmt::format("  {}, {} is at step {} of {}: {}\n", pace_text(pace, a.comparison.left, a.comparison.right),
                       model.left_title, format_count(there.cursor), format_count(there.steps), so_far_text(there));
  return out;
}

Json json_against(const Against& a) {
  Json rows = Json::array(), in_step = Json::object();
  const ComparisonWords words = words_with_times(a.comparison, a.times ? &*a.times : nullptr);
  for (std::size_t i = 0; i < words.titles.size(); ++i) {
    const CompareRow& row = a.comparison.rows[i];
    rows.push_back({{"id", row.id},
                    {"title", words.titles[i]},
                    {"other", json_number(row.left)},
                    {"this", json_number(row.right)},
                    {"modelled", row.modelled}});
  }
  const WalkPrediction other = timed_walk(a.comparison.left, a.comparison.left_run.ms(), a.times ? &*a.times : nullptr),
                       here =
                           timed_walk(a.comparison.right, a.comparison.right_run.ms(), a.times ? &*a.times : nullptr);
  const char* keys[] = {"tile", "flop", "byte"};
  for (const auto& [pace, there] : a.there)
    in_step[keys[int(pace)]] = {{"step", there.cursor},
                                {"step_count", there.steps},
                                {"tile_visits", there.visits},
                                {"hbm_bytes", there.bytes},
                                {"flops", there.flops}};
  return {{"schedule", name_of(a.comparison.left.schedule)},
          {"rows", std::move(rows)},
          {"modelled_ms", {{"other", a.comparison.left_run.ms()}, {"this", a.comparison.right_run.ms()}}},
          {"recorded_ms", {{"other", or_null(other.recorded_ms)}, {"this", or_null(here.recorded_ms)}}},
          {"error", {{"other", or_null(other.error)}, {"this", or_null(here.error)}}},
          {"verdict", words.verdict},
          {"in_step", std::move(in_step)}};
}

}  // namespace tilewalk
