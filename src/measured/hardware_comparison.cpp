#include "measured/hardware_comparison.h"

#include <cmath>

namespace tilewalk {
namespace {

// The distance of a measurement from a problem: octaves for every size, and four for each setting that differs.
double distance(const Problem& a, const Problem& b) {
  const auto octaves = [](std::int64_t x, std::int64_t y) { return std::fabs(std::log2(double(x) / double(y))); };
  double far = octaves(a.shape.n_q, b.shape.n_q) + octaves(a.shape.n_kv, b.shape.n_kv) + octaves(a.shape.d, b.shape.d) +
               octaves(a.tiling.br, b.tiling.br) + octaves(a.tiling.bc, b.tiling.bc) +
               octaves(a.shape.batch * a.shape.heads, b.shape.batch * b.shape.heads) +
               octaves(a.shape.head_group(), b.shape.head_group()) + octaves(a.tiling.splits, b.tiling.splits);
  constexpr double kOtherKind = 4;
  if (a.shape.mask.kind != b.shape.mask.kind) far += kOtherKind;
  if (a.numerics.dtype != b.numerics.dtype) far += kOtherKind;
  return far;
}

}  // namespace

L2Options as_profilers_measure() {
  L2Options options;
  options.teaching_kernels = true;
  options.cold_launches = true;
  options.count_instructions = true;
  return options;
}

std::optional<HardwareComparison> compare_with_hardware(const HardwareTraffic& traffic, const Problem& p) {
  const HardwareMeasurement* found = traffic.find(p);
  if (!found) return std::nullopt;
  const L2Estimate estimate = estimate_l2(*make_schedule(found->problem), as_profilers_measure());
  HardwareComparison out{.problem = found->problem,
                         .measured = found->total(),
                         .asked = estimate.asked_total(),
                         .dram = estimate.dram_total()};
  for (const L2Launch& launch : estimate.launches) out.dirty_bytes += launch.dirty_bytes;
  for (const HardwareLaunch& launch : found->launches) out.most_own_bytes += most_own_writes(launch);
  return out;
}

const Problem* nearest_measured(const HardwareTraffic& traffic, const Problem& p) {
  const Problem* found = nullptr;
  double least = 0;
  for (const HardwareMeasurement& m : traffic.measurements) {
    if (m.problem.schedule != p.schedule) continue;
    const double far = distance(m.problem, p);
    if (found && far >= least) continue;
    found = &m.problem;
    least = far;
  }
  return found;
}

}  // namespace tilewalk
