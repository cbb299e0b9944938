#include "view/words/call_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/units.h"
#include "core/predict/predict.h"
#include "core/schedules/registry.h"
#include "dispatch/cudnn_kernels.h"

namespace tilewalk {
namespace {

// Times of naive attention and of the other side, as they race; none where the two sides are alike or no prediction
// covers the call.
std::optional<CallTimes> naive_pair(const Comparison& c, const WalkPrediction& left, const WalkPrediction& right,
                                    const RaceTimes* times) {
  const bool on_left = row_of(c.left).memory.scores_in_hbm, on_right = row_of(c.right).memory.scores_in_hbm;
  const std::optional<AttentionCall> call = call_of(c.left);
  if (on_left == on_right || !call) return std::nullopt;
  const int of_naive = on_left ? 0 : 1, of_tiled = 1 - of_naive;
  const Problem &naive_walk = on_left ? c.left : c.right, &tiled_walk = on_left ? c.right : c.left;
  CallTimes out{.card = device_title(c.left.machine.device)};
  if (!naive_walk.numerics.narrow_scores) out.variants[of_naive] = std::string("S in ") + name_of(call->dtype);
  const Prediction predicted = predict(method_of(Contender::Naive), *call, device_of(c.left.machine));
  if (predicted.predicted_ms && !has_cudnn_tiles(tiled_walk)) {
    const AttentionMethod* const method = fast_method_of(tiled_walk.schedule);
    const double walked = (on_left ? c.right_run : c.left_run).ms();
    out.modelled_ms[of_naive] = *predicted.predicted_ms;
    out.modelled_ms[of_tiled] =
        method ? predict(*method, *call, device_of(c.left.machine)).predicted_ms.value_or(walked) : walked;
  }
  const bool raced = times && times->device == c.left.machine.device && call->kv_heads == 0;
  const std::optional<double> ms = raced ? times->ms_of(Contender::Naive, cell_of(*call)) : std::nullopt;
  const std::optional<double> beside = on_left ? right.recorded_ms : left.recorded_ms;
  if (ms && beside) {
    out.recorded = true, out.ms[of_naive] = *ms, out.ms[of_tiled] = *beside;
    return out;
  }
  if (!predicted.predicted_ms || has_cudnn_tiles(tiled_walk)) return std::nullopt;
  std::copy(std::begin(out.modelled_ms), std::end(out.modelled_ms), out.ms);
  return out;
}

CallTimes with_libraries(const Comparison& c, CallTimes times) {
  if (!times.recorded) return times;  // another library's kernel is not modelled
  for (int side = 0; side < 2; ++side)
    if (const std::optional<Contender> kernel = timed_kernel(side == 0 ? c.left : c.right))
      if (const ContenderRow& row = contender_row(*kernel); row.by == RunBy::PyTorch)
        times.libraries[side] = row.short_title;
  return times;
}

}  // namespace

std::string why_no_time(const Comparison& c) {
  if (row_of(c.left).memory.scores_in_hbm == row_of(c.right).memory.scores_in_hbm) return "";
  const DeviceModel& device = device_of(c.left.machine);
  const std::optional<AttentionCall> call = call_of(c.left);
  if (!call) {  // the races have no such call; the walk itself has S and P in fp32
    const Shape& s = c.left.shape;
    const double scores = 2.0 * 4 * double(s.batch * s.heads) * double(s.n_q) * double(s.n_kv);
    return scores <= device.memory_bytes() ? ""
                                           : fmt::format("Its scores do not fit: S and P take {} of the {}",
                                                         format_bytes(std::llround(scores)), memory_words(device));
  }
  const AttentionMethod& naive = method_of(Contender::Naive);
  return why_not_there(naive, *call, device).empty() ? why_not_run(naive, *call, device) : "";
}

std::optional<Contender> timed_kernel(const Problem& p) {
  if (has_cudnn_tiles(p)) return Contender::TorchCudnn;
  const AttentionMethod* const method = fast_method_of(p.schedule);
  return method ? std::optional(method->who) : std::nullopt;
}

WalkPrediction timed_walk(const Problem& p, double modelled_ms, const RaceTimes* times) {
  if (!times) return {};
  if (!has_cudnn_tiles(p)) return walk_prediction(p, modelled_ms, *times);
  const std::optional<AttentionCall> call = call_of(p);
  if (call->kv_heads > 0 || p.machine.device != times->device) return {};
  WalkPrediction out{.recorded_ms = times->ms_of(Contender::TorchCudnn, cell_of(*call)), .error = {}, .ran = {}};
  if (out.recorded_ms) out.ran = contender_row(Contender::TorchCudnn).short_title;
  return out;
}

std::optional<CallTimes> call_times(const Comparison& c, const RaceTimes* times) {
  if (!why_no_time(c).empty()) return std::nullopt;
  const WalkPrediction left = timed_walk(c.left, c.left_run.ms(), times),
                       right = timed_walk(c.right, c.right_run.ms(), times);
  if (std::optional<CallTimes> pair = naive_pair(c, left, right, times)) return with_libraries(c, std::move(*pair));
  const bool naive = row_of(c.left).memory.scores_in_hbm || row_of(c.right).memory.scores_in_hbm;
  if (naive && (has_cudnn_tiles(c.left) || has_cudnn_tiles(c.right))) return std::nullopt;  // cuDNN is not modelled
  CallTimes out{.card = device_title(c.left.machine.device)};
  out.recorded = left.recorded_ms && right.recorded_ms;
  out.of_walks = !out.recorded;
  out.modelled_ms[0] = c.left_run.ms(), out.modelled_ms[1] = c.right_run.ms();
  out.ms[0] = out.recorded ? *left.recorded_ms : out.modelled_ms[0];
  out.ms[1] = out.recorded ? *right.recorded_ms : out.modelled_ms[1];
  if (out.ms[0] <= 0 || out.ms[1] <= 0) return std::nullopt;
  return with_libraries(c, std::move(out));
}

}  // namespace tilewalk
