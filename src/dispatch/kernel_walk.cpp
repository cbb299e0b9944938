#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "core/fields/validate.h"
#include "core/problem/device_model.h"
#include "core/schedules/registry.h"
#include "dispatch/kernel/shows.h"
#include "dispatch/kernel_schedule.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kUsual = 64;

// The call's card, or one of the device table with equal tiles.
std::string device_for(const Call& call) {
  const std::optional<DeviceModel> device = device_named(call.device);
  return device ? device->name : device_of_capability(call.sm()).name;
}

// What is_causal masks. Aligned to the bottom right one query masks nothing.
MaskKind causal_mask(const Call& call, bool bottom_right) {
  if (!call.is_causal || (bottom_right && call.n_q == 1)) return MaskKind::None;
  return bottom_right && call.n_q != call.keys() ? MaskKind::CausalBottomRight : MaskKind::Causal;
}

Problem shaped_as(const Call& call, const KernelSchedule& shown) {
  Problem p;
  p.schedule = *shown.schedule;
  p.machine.device = device_for(call);
  p.machine.sram_bytes = device_named(p.machine.device)->sram_per_block_bytes;
  p.shape = {.batch = call.batch,
             .heads = call.heads,
             .kv_heads = call.heads_of_kv(),
             .n_q = call.n_q,
             .n_kv = call.keys(),
             .d = call.d,
             .mask = {}};
  p.shape.mask.kind = causal_mask(call, shown.bottom_right);
  p.numerics.dtype = call.type == CallType::Bf16 ? DType::Bf16 : call.is_16_bit() ? DType::Fp16 : DType::Fp32;
  p.numerics.narrow_scores = may_have_narrow_scores(p);  // as the products of frameworks write S
  return p;
}

std::string tile_text(const Problem& p) { return fmt::format("{}×{}", p.tiling.br, p.tiling.bc); }

}  // namespace

std::optional<KernelWalk> kernel_walk(const Call& call, const KernelSchedule& shown) {
  if (!shown.schedule || call.n_q < 1 || call.keys() < 1 || call.d > 256 || call.heads % call.heads_of_kv()) return {};
  Problem p = shaped_as(call, shown);
  const bool eager = *shown.schedule == shows::unfused, known = shown.br && shown.bc;
  p.tiling.br = shown.br.value_or(std::min(kUsual, call.n_q));
  p.tiling.bc = shown.bc.value_or(std::min(kUsual, call.keys()));
  choose_default_splits(p);
  if (shown.splits && row_of(p).settings.splits) p.tiling.splits = std::min(*shown.splits, p.kv_tiles());
  std::string words = title_of(p.schedule);
  if (known)
    words += " with that kernel's tiles, " + tile_text(p);
  else if (!eager)
    words += ", with tiles of the walk's own, " + tile_text(p) + ", as the kernel's are not known";
  if (row_of(p).settings.splits)
    words += fmt::format(", {} splits{}", p.tiling.splits, shown.splits ? "" : " of the walk's own");
  if (const std::int64_t needed = peak_bytes(p); needed > p.machine.sram_bytes) {
    p.machine.sram_bytes = needed;
    words += fmt::format("; SRAM is {} here, {}", format_bytes(needed),
                         call.on_gpu ? "as scores and sums count, which kernels keep in registers"
                                     : "as the tiles lie in a core's cache there");
  }
  if (!validate(p).empty()) return std::nullopt;
  return KernelWalk{std::move(p), std::move(words)};
}

std::optional<Problem> problem_of(const DecodedKernel& kernel) {
  constexpr std::int64_t kTiles = 8;
  if (!kernel.schedule) return {};
  Problem p;
  p.schedule = *kernel.schedule;
  p.tiling.br = kernel.tile ? kernel.tile->q_rows : kUsual;
  p.tiling.bc = kernel.tile ? kernel.tile->keys : kUsual;
  p.shape.n_q = p.shape.n_kv = kTiles * std::max(p.tiling.br, p.tiling.bc);
  p.shape.d = kernel.d.value_or(kUsual);
  for (const DType type : {DType::Fp16, DType::Bf16})
    if (kernel.dtype == name_of(type)) p.numerics.dtype = type;
  p.numerics.narrow_scores = may_have_narrow_scores(p);
  choose_default_splits(p);
  p.machine.sram_bytes = std::max(device_named(p.machine.device)->sram_per_block_bytes, peak_bytes(p));
  return validate(p).empty() ? std::optional(p) : std::nullopt;
}

}  // namespace tilewalk
