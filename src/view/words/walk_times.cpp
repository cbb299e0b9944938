#include "view/words/walk_times.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/fields/validate.h"
#include "core/predict/attention_method.h"
#include "core/schedules/registry.h"
#include "dispatch/cudnn_kernels.h"
#include "session/document/compared_problems.h"
#include "view/words/predict_words.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

// Of the race that recorded naive at the call: files' names end with their day.
std::string date_of(const Problem& p, const RaceTimes& recorded) {
  const std::optional<AttentionCall> call = call_of(p);
  std::string newest;
  if (!call) return newest;
  const RaceCell cell = cell_of(*call);
  for (const RaceTime& time : recorded.times) {
    const std::size_t at = time.file.rfind('_');
    if (time.rung != word_of(Contender::Naive) || !(static_cast<const RaceCell&>(time) == cell) ||
        at == std::string::npos)
      continue;
    newest = std::max(newest, time.file.substr(at + 1, 10));
  }
  return newest;
}

}  // namespace

ScheduleKind other_way(const Problem& p, ScheduleKind tiled) {
  const ScheduleKind naive = row_of(p).family.naive;
  return p.schedule == naive ? tiled : naive;
}

namespace {

std::optional<Comparison> comparison_with_other_way(Problem p, ScheduleKind tiled) {
  p.fault = Fault::None;
  const Problem other = compared_under(p, other_way(p, tiled));
  if (makes(row_of(p), Quantity::DQ) || other.schedule == p.schedule) return std::nullopt;
  if (!validate(p).empty() || !validate(other).empty() || !why_not_comparable(other, p).empty()) return std::nullopt;
  const auto own = make_schedule(p), beside = make_schedule(other);
  return build_comparison(*beside, *own, run_time(*beside), run_time(*own));
}

}  // namespace

std::string kernel_of_walk(const Problem& p) {
  if (is_tiny(p)) return "";
  const char* by = contender_of(p, device_of(p.machine)) ? "by Tilewalk" : has_cudnn_tiles(p) ? "by cuDNN" : nullptr;
  return by ? fmt::format("{} {}, tiles {}×{}", title_of(p.schedule), by, p.tiling.br, p.tiling.bc) : "";
}

std::string few_blocks(ScheduleKind kind, std::int64_t heads, const DeviceModel& device) {
  if (schedule_row(kind).walk.block != BlockKind::Head || heads >= device.sms) return "";
  return fmt::format("one thread block walks a whole head: {} for {} SMs", heads, device.sms);
}

WalkTimes walk_times(const Problem& p, ScheduleKind tiled, const RaceTimes* recorded, WalkTimesCache& cache) {
  if (!cache.of || !(*cache.of == p)) cache.of = p, cache.comparison = comparison_with_other_way(p, tiled);
  const std::optional<Comparison>& comparison = cache.comparison;
  if (!comparison) return {};
  if (comparison->too_small())
    return {.title = "Too short to compare times: the launch of a kernel takes longer than its work", .bars = {}};
  if (const std::string why = why_no_time(*comparison); !why.empty())
    return {.title = "Naive cannot run here. " + why, .bars = {}};
  const std::optional<CallTimes> pair = call_times(*comparison, recorded);
  const Problem& own = comparison->right;
  if (!pair && has_cudnn_tiles(own)) return {.title = "cuDNN's time for this call was not recorded", .bars = {}};
  if (!pair) return {};
  WalkTimes out{.title = fmt::format("Time on an {}, {}", pair->card, pair->kind()), .bars = {}};
  if (!pair->variant().empty()) out.title += ", " + pair->variant();
  const double most = std::max(pair->ms[0], pair->ms[1]), least = std::min(pair->ms[0], pair->ms[1]);
  out.slower = pair->ms[1] > pair->ms[0];
  out.ratio = times_text_of(most / least);
  if (out.slower)
    if (const std::string why = few_blocks(own.schedule, own.shape.batch * own.shape.heads, device_of(own.machine));
        !why.empty())
      out.title += fmt::format(". {} is slower: {}", title_of(own.schedule), why);
  if (pair->recorded) out.date = date_of(own, *recorded);
  for (const int side : {1, 0})
    out.bars.push_back({title_of((side == 1 ? comparison->right : comparison->left).schedule) + pair->by(side),
                        ms_text(pair->ms[side]), pair->ms[side] / most});
  return out;
}

}  // namespace tilewalk
