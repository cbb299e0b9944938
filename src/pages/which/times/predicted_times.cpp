#include "pages/which/times/predicted_times.h"

#include "core/predict/predict.h"
#include "core/predict/published.h"
#include "core/problem/device_model.h"
#include "dispatch/kernel_schedule.h"
#include "measured/win_pair.h"
#include "session/document/window_call.h"
#include "view/words/race_row_text.h"

namespace tilewalk {
namespace {

// The method whose modelled time is shown for a backend; null where no kernel here has that backend's schedule.
const AttentionMethod* method_for(SdpaBackend backend, const Call& call, const RuleTable& table) {
  if (backend == SdpaBackend::Math) return &method_of(Contender::Eager);
  if (backend == SdpaBackend::Efficient) return nullptr;
  const KernelSchedule shown = kernel_schedule(call, table, backend);
  return shown.schedule ? fast_method_of(*shown.schedule) : nullptr;
}

double ratio_to(SdpaBackend backend, const AttentionMethod& method, const AttentionCall& call, const RaceTimes* races) {
  const std::optional<Contender> raced = contender_of(backend);
  if (!raced || !races) return 1;
  return recorded_ratio(*races, *raced, method.who, call).value_or(1);
}

// Whether rates of a backend's kernel are published under this name.
bool is_of(SdpaBackend backend, const std::string& method) {
  return (backend == SdpaBackend::Flash && method == "FA-2 as released") ||
         (backend == SdpaBackend::Cudnn && method == "cuDNN");
}

}  // namespace

std::vector<PredictedTime> predicted_times(const Call& asked, const RuleTable& table,
                                           const std::vector<SdpaBackend>& backends, const RaceTimes* races) {
  Call call = asked;
  call.mask = CallMask::None;
  const std::optional<AttentionCall> modelled = modelled_call(call);
  const std::optional<DeviceModel> device = device_named(call.device);
  std::vector<PredictedTime> out;
  if (!modelled || !device || call.training || call.dropout > 0) return out;
  if (races && races->device != call.device) races = nullptr;
  const std::vector<PublishedTime> published = published_times(*modelled, *device);
  for (const SdpaBackend backend : backends) {
    PredictedTime one{.backend = backend};
    if (const AttentionMethod* const method = method_for(backend, call, table)) {
      const Prediction p = predict(*method, *modelled, *device);
      if (p.predicted_ms)
        one.ratio = ratio_to(backend, *method, *modelled, races), one.ms = one.ratio * *p.predicted_ms,
        one.as = rung_title(method->id);
      if (!fits_in_memory(*modelled, p.extra_bytes, *device)) one.lacks_room = p.note;
    }
    for (const PublishedTime& each : published)
      if (is_of(backend, each.rate->method)) {
        one.published_least_ms = each.least_ms, one.published_most_ms = each.most_ms;
        one.published_source = each.rate->source;
      }
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace tilewalk
