#include "dispatch/shown_by.h"

#include <algorithm>

#include "core/chip/real_tiles.h"
#include "core/problem/device_model.h"
#include "core/schedules/registry.h"
#include "core/schedules/validate.h"

namespace tilewalk {
namespace {

// A card of the device table that has the same tiles: itself, else one of its kind.
std::string device_for(const Call& call) {
  if (device_named(call.device)) return call.device;
  const int sm = call.sm();
  if (sm >= 100 && sm < 120) return "b200";
  if (sm >= 90 && sm < 100) return "h100";
  if (sm == 86) return "rtx3090";
  if (sm > 80) return "rtx4090";
  return sm == 80 ? "a100" : sm >= 75 ? "t4" : "v100";
}

Problem shaped_as(const Call& call, ScheduleKind schedule) {
  Problem p;
  p.schedule = schedule;
  p.machine.device = device_for(call);
  p.shape = {.batch = call.batch,
             .heads = call.heads,
             .kv_heads = call.heads_of_kv(),
             .n_q = call.n_q,
             .n_kv = call.keys(),
             .d = call.d,
             .mask = {}};
  if (call.is_causal) p.shape.mask.kind = MaskKind::Causal;
  p.numerics.dtype = call.type == CallType::Bf16 ? DType::Bf16 : call.is_16_bit() ? DType::Fp16 : DType::Fp32;
  return p;
}

void give_tile(const Call& call, ShownBy& out) {
  Problem p = shaped_as(call, *out.schedule);
  if (call.d > 256 || call.d < 1) return;
  if (const std::optional<RealTile> tile = real_tile(p)) {
    out.br = tile->br;
    out.bc = tile->bc;
    out.tile_source = tile->source;
  }
}

}  // namespace

ShownBy shown_by_generation(const Call& call, int generation) {
  constexpr ScheduleKind kinds[] = {ScheduleKind::FlashV1, ScheduleKind::FlashV2, ScheduleKind::FlashV3,
                                    ScheduleKind::FlashV4};
  ShownBy out{.schedule = kinds[generation - 1], .generation = "FA-" + std::to_string(generation)};
  out.sentence = "FlashAttention-" + std::to_string(generation) + "'s own kernel";
  give_tile(call, out);
  return out;
}

ShownBy shown_eager() {
  ShownBy out{.schedule = ScheduleKind::Standard};
  out.sentence = "attention operation by operation, so that S and P go to memory whole and come back";
  return out;
}

ShownBy shown_by(const Call& call, const RuleTable& table, SdpaBackend backend) {
  if (backend == SdpaBackend::Math) return shown_eager();
  if (!call.on_gpu) {  // ATen/native/cpu/FlashAttentionKernel.cpp
    ShownBy out{.schedule = ScheduleKind::FlashV2, .generation = "FA-2"};
    out.br = call.n_q >= 768 ? 256 : call.n_q >= 192 ? 64 : 32;
    out.bc = 512;
    out.tile_source = "ATen/native/cpu/FlashAttentionKernel.cpp";
    out.sentence = "PyTorch's own loop over tiles for CPUs, in the order of FA-2";
    return out;
  }
  if (backend == SdpaBackend::Flash) {
    ShownBy out = shown_by_generation(call, table.flash_generation == "FA-1" ? 1 : 2);
    out.sentence = "the kernel of " + table.flash_generation + ", compiled into PyTorch";
    return out;
  }
  if (backend == SdpaBackend::Efficient) {
    ShownBy out{.schedule = ScheduleKind::FlashV2, .generation = "FA-1"};
    out.sentence = "the CUTLASS kernel from xFormers: as old as FA-1, with the loop over Q outside, as FA-2 has it";
    return out;
  }
  const int major = call.sm() / 10;
  const int generation = major == 9 ? 3 : major == 10 ? 4 : 2;
  ShownBy out = shown_by_generation(call, generation);
  out.br.reset(), out.bc.reset();
  out.tile_source.clear();
  out.sentence = "cuDNN's own kernel for SM " + sm_text(call.sm()) + ", with a schedule of FA-" +
                 std::to_string(generation) + "'s kind";
  return out;
}

std::optional<Problem> problem_of(const Call& call, const ShownBy& shown) {
  if (!shown.schedule || call.n_q < 1 || call.keys() < 1 || call.d > 256 || call.heads % call.heads_of_kv()) return {};
  Problem p = shaped_as(call, *shown.schedule);
  p.tiling.br = std::min(shown.br.value_or(64), call.n_q);
  p.tiling.bc = std::min(shown.bc.value_or(64), call.keys());
  p.machine.sram_bytes = device_named(p.machine.device)->sram_per_block_bytes;
  // What the teaching walk keeps on chip may be more than the kernel keeps there.
  while (!validate(p).empty() && std::max(p.tiling.br, p.tiling.bc) > 16)
    (p.tiling.br >= p.tiling.bc ? p.tiling.br : p.tiling.bc) /= 2;
  return validate(p).empty() ? std::optional(p) : std::nullopt;
}

std::optional<Problem> problem_of(const DecodedKernel& kernel) {
  constexpr std::int64_t kUsual = 64, kTiles = 8;
  if (!kernel.schedule) return {};
  Problem p;
  p.schedule = *kernel.schedule;
  p.tiling.br = kernel.tile ? kernel.tile->q_rows : kUsual;
  p.tiling.bc = kernel.tile ? kernel.tile->keys : kUsual;
  p.shape.n_q = p.shape.n_kv = kTiles * std::max(p.tiling.br, p.tiling.bc);
  p.shape.d = kernel.d.value_or(kUsual);
  for (const DType type : {DType::Fp16, DType::Bf16})
    if (kernel.dtype == name_of(type)) p.numerics.dtype = type;
  choose_default_splits(p);
  p.machine.sram_bytes = std::max(device_named(p.machine.device)->sram_per_block_bytes, peak_bytes(p));
  return validate(p).empty() ? std::optional(p) : std::nullopt;
}

}  // namespace tilewalk
