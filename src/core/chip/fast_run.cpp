#include "core/chip/fast_run.h"

#include <limits>

#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

bool divides_tiles(Contender kernel) { return kernel == Contender::FlashV2 || kernel == Contender::FlashV3; }

std::optional<Contender> kernel_of(const Problem& p) {
  const Contender built = row_of(p).chip.built_as;
  return divides_tiles(built) ? std::optional(built) : std::nullopt;
}

fast::BuildChoice choice_of(Contender kernel, const Problem& p, const DeviceModel& device) {
  const MaskKind mask = p.shape.mask.kind;
  const std::int64_t shift = mask == MaskKind::CausalBottomRight ? p.shape.n_kv - p.shape.n_q : 0;
  return fast::choose_build(kernel, p.shape.d,
                            {p.shape.heads * p.shape.batch, p.shape.n_q, p.shape.n_kv, is_causal(mask), shift},
                            device.sms, device.hbm_gb_per_s);
}

}  // namespace

Problem as_computed(const Problem& p) {
  const std::int64_t group = p.shape.head_group();
  if (!kernel_of(p) || p.shape.mask.kind != MaskKind::None || group == 1) return p;
  if (p.shape.n_q > std::numeric_limits<int>::max() / 2 / group) return p;
  Problem out = p;
  out.shape.n_q *= group;
  out.shape.heads = out.shape.kv_heads;
  return out;
}

FastTile chosen_tile(Contender kernel, const Problem& p, const DeviceModel& device) {
  if (!divides_tiles(kernel)) return fast_tile(kernel, p.shape.d, is_causal(p.shape.mask.kind));
  const fast::BuildPace build = choice_of(kernel, as_computed(p), device).build;
  return {build.rows, build.keys};
}

std::optional<fast::BuildChoice> build_of(const Problem& p, const DeviceModel& device) {
  const std::optional<Contender> kernel = kernel_of(p);
  const MaskKind mask = p.shape.mask.kind;
  if (!kernel || p.numerics.dtype == DType::Fp32 || p.shape.d > kLargestFastHead) return std::nullopt;
  if (mask != MaskKind::None && !is_causal(mask)) return std::nullopt;
  if (p.shape.n_q > (1 << 30) || p.shape.n_kv > (1 << 30)) return std::nullopt;
  const fast::BuildChoice choice = choice_of(*kernel, p, device);
  if (FastTile{choice.build.rows, choice.build.keys} != FastTile{p.tiling.br, p.tiling.bc}) return std::nullopt;
  return choice;
}

}  // namespace tilewalk
