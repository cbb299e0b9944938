#include "core/chip/head_pace.h"

#include <algorithm>

#include "core/problem/fast_kernels.h"
#include "core/problem/measured_card.h"
#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

constexpr HeadPace kHeadPaces[] = {
    {64, {3.23, 3.37}, {1.66, 2.20}, {1.565, 1.965}, {0.065, 0.02}, {0.0008, 0.0023}, {1.08, 1.015, 1.11, 1.04, 0.995}},
    {128, {3.27, 4.23}, {1.71, 2.05}, {1.766, 2.255}, {-0.05, 0}, {0.0013, 0.0020}, {1.085, 1.05, 1.083, 1.078, 1.04}},
    {256, {4.16}, {1.49}, {2.272}, {-0.035}, {0.0019}, {1.03, 1.018, 1.025, 1.028, 1.01}}};
constexpr std::int64_t kFewBlocks[] = {2, 8, 22, 36, 100};  // of each lone_share
constexpr double kLoneRound = 0.65;                         // of one block alone on the card
constexpr double kOfDram = 0.5;                             // of a round's loads: what heads that share K and V save
constexpr std::int64_t kTileRows = 16;
constexpr double kWithoutRows[] = {0.03, 0.1};  // of a visit, where a lone Q tile's rows are missing

// Share of the card's places for as many blocks an SM that have one.
double filled(const Problem& p, const DeviceModel& device, int together) {
  return std::min(1.0, double(thread_blocks(p)) / double(together * device.sms));
}

}  // namespace

double HeadPace::visit(const Problem& p, const DeviceModel& device, int together) const {
  const std::size_t at = std::size_t(together - 1);
  const double us =
      visit_us[at] - column_us[at] * double(d - p.shape.d) + (is_causal(p.shape.mask.kind) ? causal_us[at] : 0);
  const std::int64_t missing = std::max<std::int64_t>(0, kTileRows - p.shape.n_q);
  const double present = us * (1 - kWithoutRows[at] * double(missing) / double(kTileRows));
  if (together > 1 || device.name != head_pace_card().name) return present;
  for (std::size_t i = 0; i < std::size(kFewBlocks); ++i)
    if (thread_blocks(p) <= kFewBlocks[i]) return present * lone_share[i];
  return present;
}

double HeadPace::round(const Problem& p, const DeviceModel& device, int together) const {
  const double slower = head_pace_card().reached_bytes_per_s() / device.reached_bytes_per_s();
  const double shared = kOfDram * (1 - 1 / double(p.shape.head_group()));
  const double loads = (round_us[together - 1] - kLoneRound) * (1 - shared);
  return kLoneRound + loads * slower * filled(p, device, together);
}

double HeadPace::first(const Problem& p, const DeviceModel& device) const {
  const bool two = thread_blocks(p) > device.sms && first_us[1] > 0;
  return first_us[two] * filled(p, device, 1);
}

const HeadPace* head_pace(const Problem& p, const DeviceModel& device) {
  const ScheduleRow& row = row_of(p);
  const bool forward = row.family.forward == p.schedule;  // the backward pass walks whole heads too
  if (device.compute_capability != kHopper || row.walk.block != BlockKind::Head || !forward) return nullptr;
  if (p.numerics.dtype == DType::Fp32 || p.shape.d > kLargestFastHead) return nullptr;
  const FastTile tile = fast_tile(Contender::FlashV1, p.shape.d, is_causal(p.shape.mask.kind));
  if (FastTile{p.tiling.br, p.tiling.bc} != tile) return nullptr;
  const std::int64_t built = built_d(Contender::FlashV1, p.shape.d);
  const auto at =
      std::find_if(std::begin(kHeadPaces), std::end(kHeadPaces), [&](const HeadPace& x) { return x.d == built; });
  return at == std::end(kHeadPaces) ? nullptr : at;
}

}  // namespace tilewalk
