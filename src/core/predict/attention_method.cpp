#include "core/predict/attention_method.h"

#include <algorithm>
#include <stdexcept>

#include "core/chip/fast_run.h"
#include "core/predict/launch_costs.h"
#include "core/predict/pencil_method.h"
#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

double naive_extra_bytes(const AttentionCall& call) { return call.scores() * call.element_bytes(); }

// Of calls whose Q and K differ in length: products with fewer rows, and of rows that begin inside 16 bytes, were not
// measured.
constexpr std::int64_t kLeastRows = 64, kAlignedKeys = 8;

// Two matrices of scores at a time, and the mask; a copy of K and V for every query head.
double eager_extra_bytes(const AttentionCall& call) {
  const double rows = call.all_kv_heads() < call.all_heads() ? 2 * double(call.keys()) * double(call.all_heads()) : 0;
  return 2 * naive_extra_bytes(call) + (call.causal ? double(call.n) * double(call.keys()) : 0) +
         rows * double(call.d) * call.element_bytes();
}

}  // namespace

const std::vector<AttentionMethod>& attention_methods() {
  static const std::vector<AttentionMethod> rows = {
      {.who = Contender::Eager,
       .operations = eager_operations,
       .extra_bytes = eager_extra_bytes,
       .launch_s = kPyTorchOperation},
      {.who = Contender::Naive,
       .operations = naive_operations,
       .schedule = ScheduleKind::Standard,
       .pencil_s = naive_by_pencil,
       .extra_bytes = naive_extra_bytes,
       .launch_s = kLibraryLaunch},
      {.who = Contender::FlashV1, .schedule = ScheduleKind::FlashV1, .launch_s = kOwnLaunch},
      {.who = Contender::FlashV2,
       .schedule = ScheduleKind::FlashV2,
       .pencil_s = flash_v2_by_pencil,
       .launch_s = kOwnLaunch},
      {.who = Contender::FlashV3,
       .schedule = ScheduleKind::FlashV3,
       .pencil_s = flash_v3_by_pencil,
       .launch_s = kOwnLaunch},
      {.who = Contender::FlashV2Backward,
       .kernels = flash_v2_backward_cost,
       .schedule = ScheduleKind::Backward,
       .launch_s = kOwnLaunch},
      {.who = Contender::FlashV3Backward,
       .kernels = flash_v3_backward_cost,
       .schedule = ScheduleKind::Backward,
       .launch_s = kOwnLaunch},
      {.who = Contender::TorchFlash, .from_capability = 80},
      {.who = Contender::TorchEfficient},
      {.who = Contender::TorchCudnn, .from_capability = 80}};
  return rows;
}

const AttentionMethod* method_named(const std::string& id) {
  const auto at = std::find_if(attention_methods().begin(), attention_methods().end(),
                               [&](const AttentionMethod& c) { return c.id == id; });
  return at == attention_methods().end() ? nullptr : &*at;
}

const AttentionMethod* fast_method_of(ScheduleKind schedule) {
  for (const AttentionMethod& method : attention_methods())
    if (method.schedule == schedule && method.tiled() && !method.backward) return &method;
  return nullptr;
}

const AttentionMethod& method_of(Contender who) {
  if (const AttentionMethod* const method = method_named(word_of(who))) return *method;
  throw std::logic_error(std::string("no method of a GPU is called ") + word_of(who));
}

bool by_mma_sync(const AttentionMethod& method) {
  return method.tiled() && !hopper_only(method.who) &&
         schedule_row(*method.schedule).chip.products_by == ProductBy::MmaSync;
}

std::string why_not_there(const AttentionMethod& c, const AttentionCall& call, const DeviceModel& device) {
  if (call.dtype == DType::Bf16 && device.compute_capability < 80)
    return device.title + " has no bf16 tensor cores: they came with Ampere";
  if (device.compute_capability < c.from_capability)
    return std::string(c.title) + " is made of Ampere's instructions, and " + device.title + " lacks them";
  if (!call.square()) {
    if (c.backward) return "Backward passes are predicted with as many keys as rows of Q";
    if (c.operations && (call.n < kLeastRows || call.keys() % kAlignedKeys != 0))
      return "With unequal lengths its operations are predicted from 64 rows of Q on, and with keys that are "
             "a multiple of 8";
  }
  if (!c.has_kernel()) return {};
  if (call.dtype == DType::Fp32) return "The fast kernels support fp16 and bf16, not fp32";
  if (call.d % 8 != 0)
    return "A head size that is not a multiple of 8 is padded to one before the kernel, and that copy is not modelled";
  return why_no_fast_kernel(c.who, call.d, call.causal, device.compute_capability, device.sram_per_block_bytes,
                            device.title);
}

Problem walked_by(const AttentionMethod& c, const AttentionCall& call, const DeviceModel& device) {
  Problem p;
  p.schedule = *c.schedule;
  p.shape.n_q = call.n, p.shape.n_kv = call.keys();
  p.shape.d = call.d;
  p.shape.heads = call.heads;
  p.shape.kv_heads = call.kv_heads > 0 ? call.kv_heads : call.heads;
  p.shape.batch = call.batch;
  p.shape.mask.kind = call.causal ? MaskKind::Causal : MaskKind::None;
  p.numerics.dtype = call.dtype;
  p.machine.device = device.name;
  const FastTile tile = !c.tiled()   ? FastTile{64, 64}
                        : c.backward ? fast_tile(c.who, call.d, call.causal)
                                     : chosen_tile(c.who, p, device);
  p.tiling.br = tile.rows, p.tiling.bc = tile.keys;
  if (!c.tiled()) {  // S as its products write it, and rows of S on chip where the card has room for them
    p.numerics.narrow_scores = may_have_narrow_scores(p);
    p.machine.sram_bytes = std::max(p.machine.sram_bytes, device.sram_per_block_bytes);
  }
  p.machine.sram_bytes = std::max(p.machine.sram_bytes, peak_bytes(p));
  return p;
}

FastTile tile_of(const AttentionMethod& method, const AttentionCall& call, const DeviceModel& device) {
  const Problem p = walked_by(method, call, device);
  return {p.tiling.br, p.tiling.bc};
}

std::optional<AttentionCall> call_of(const Problem& p) {
  const MaskKind mask = p.shape.mask.kind;  // either corner, where Q is as long as K
  const bool causal = is_causal(mask);
  if (p.shape.n_q != p.shape.n_kv || p.numerics.dtype == DType::Fp32) return std::nullopt;
  if (!causal && mask != MaskKind::None) return std::nullopt;
  return AttentionCall{.n = p.shape.n_q,
                       .d = p.shape.d,
                       .heads = p.shape.heads,
                       .kv_heads = p.shape.kv_heads == p.shape.heads ? 0 : p.shape.kv_heads,
                       .batch = p.shape.batch,
                       .causal = causal,
                       .dtype = p.numerics.dtype};
}

const AttentionMethod* contender_of(const Problem& p, const DeviceModel& device) {
  const std::optional<AttentionCall> call = call_of(p);
  const ScheduleSettings& settings = row_of(p).settings;
  const LaneSettings& lanes = p.lanes;
  if (settings.warp_roles && !(lanes.warp_specialised && lanes.ping_pong && lanes.overlap)) return nullptr;
  if (!call || (settings.stages && p.tiling.stages != Tiling().stages)) return nullptr;
  for (const AttentionMethod& method : attention_methods())
    if (method.tiled() && method.schedule == p.schedule && why_not_there(method, *call, device).empty() &&
        tile_of(method, *call, device) == FastTile{p.tiling.br, p.tiling.bc})
      return &method;
  return nullptr;
}

}  // namespace tilewalk
