#include "view/pipes/call_times.h"

#include "core/predict/predict.h"
#include "core/schedules/registry.h"

namespace tilewalk {

std::optional<NaivePair> naive_pair(const Comparison& c, const WalkPrediction& left, const WalkPrediction& right,
                                    const RaceTimes* times) {
  const bool on_left = row_of(c.left).memory.scores_in_hbm, on_right = row_of(c.right).memory.scores_in_hbm;
  const std::optional<AttentionCall> call = call_of(c.left);
  if (on_left == on_right || !call) return std::nullopt;
  const Prediction naive = predict(method_of(Contender::Naive), *call, device_of(c.left.machine));
  const bool raced = times && times->device == c.left.machine.device && call->kv_heads == 0;
  const std::optional<double> ms = raced ? times->ms_of(Contender::Naive, cell_of(*call)) : std::nullopt;
  const std::optional<double> beside = on_left ? right.recorded_ms : left.recorded_ms;
  if (ms && beside) return NaivePair{*ms, *beside, true};
  if (!naive.predicted_ms) return std::nullopt;
  std::optional<double> fast;
  if (const AttentionMethod* const method = fast_method_of(on_left ? c.right.schedule : c.left.schedule))
    fast = predict(*method, *call, device_of(c.left.machine)).predicted_ms;
  return NaivePair{*naive.predicted_ms, fast.value_or(on_left ? c.right_run.ms() : c.left_run.ms()), false,
                   fast.has_value()};
}

std::optional<CallTimes> call_times(const Comparison& c, const RaceTimes* times) {
  const WalkPrediction left = times ? walk_prediction(c.left, c.left_run.ms(), *times) : WalkPrediction{},
                       right = times ? walk_prediction(c.right, c.right_run.ms(), *times) : WalkPrediction{};
  CallTimes out;
  out.card = device_title(c.left.machine.device);
  if (const std::optional<NaivePair> pair = naive_pair(c, left, right, times)) {
    const bool on_left = row_of(c.left).memory.scores_in_hbm;
    out.ms[0] = on_left ? pair->naive_ms : pair->tiled_ms;
    out.ms[1] = on_left ? pair->tiled_ms : pair->naive_ms;
    out.recorded = pair->recorded;
    return out;
  }
  out.recorded = left.recorded_ms && right.recorded_ms;
  out.ms[0] = out.recorded ? *left.recorded_ms : c.left_run.ms();
  out.ms[1] = out.recorded ? *right.recorded_ms : c.right_run.ms();
  if (out.ms[0] <= 0 || out.ms[1] <= 0) return std::nullopt;
  return out;
}

}  // namespace tilewalk
