#include "core/predict/attention_method.h"

#include <algorithm>

#include "core/predict/paper.h"
#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

// What the processor needs before a launch: an operation of PyTorch, one of a library, one by way of this project's
// interface. Measured alone (operations_h200_2026-11-22.csv: the median of calls on next to nothing), on that machine.
constexpr double kPyTorchOperation = 15.7e-6, kLibraryLaunch = 14.1e-6, kOwnLaunch = 17.9e-6;

// The copy engine's pieces, d 72 to 120 beside d 80 to 128: 1.04 to 1.34, head_sizes_h200_2026-11-23.csv. cp.async
// takes 16 bytes at a time anyway.
constexpr double kCopyOfOddRows = 1.16;

double naive_held(const AttentionCall& call) { return call.scores() * call.element_bytes(); }

// Two matrices of scores at a time, and the mask.
double eager_held(const AttentionCall& call) {
  return 2 * naive_held(call) + (call.causal ? double(call.n) * double(call.n) : 0);
}

MethodTile flash_v1_tile(std::int64_t d, bool, const DeviceModel&) {
  const std::int64_t bc = d <= 64 ? 256 : d <= 128 ? 128 : 64;
  return {16, bc, 2 * d * (2 * bc + 16)};
}

MethodTile flash_v2_tile(std::int64_t d, bool causal, const DeviceModel& device) {
  // Q and two stages of K and V. Where that leaves an SM one thread block, one stage, as the released kernels have it.
  const auto shared = [d](std::int64_t bc, int stages) { return 2 * d * (128 + 2 * stages * bc); };
  std::int64_t bc = d <= 64 && causal ? 128 : 64;
  if (d <= 128 && 2 * shared(bc, 2) > device.sram_per_sm_bytes) return {128, bc, shared(bc, 1)};
  if (shared(bc, 2) > device.sram_per_block_bytes) bc /= 2;
  return {128, bc, shared(bc, 2)};
}

MethodTile flash_v3_tile(std::int64_t d, bool, const DeviceModel&) {
  const std::int64_t br = d <= 64 ? 192 : 128, bc = d <= 128 ? 128 : 64;
  return {br, bc, 2 * d * ((d <= 128 ? 3 : 1) * br + 4 * bc)};  // two Q and O, or one Q that O goes out through
}

MethodTile flash_v2_backward_tile(std::int64_t d, bool, const DeviceModel& device) {
  const auto [br, bc] = backward_visit(d, device).tile;
  return {br, bc, 2 * d * (2 * bc + 4 * br) + 4 * bc * br + 16 * br};
}

// Of heads whose K and V, 16 bit, take 24 MiB together at most.
std::int64_t sections_in_l2(const AttentionCall& call) {
  const std::int64_t sharing = call.all_heads() / call.all_kv_heads(), d = (call.d + 7) / 8 * 8;
  const std::int64_t most =
      std::clamp<std::int64_t>((std::int64_t(24) << 20) * sharing / (4 * call.n * d), 1, call.all_heads());
  return (call.all_heads() + most - 1) / most;
}

}  // namespace

const std::vector<AttentionMethod>& attention_methods() {
  static const std::vector<AttentionMethod> rows = {
      {.id = "eager",
       .title = "eager",
       .operations = eager_operations,
       .schedule = schedule_from("standard"),
       .held_bytes = eager_held,
       .launch_s = kPyTorchOperation},
      {.id = "naive",
       .title = "naive",
       .operations = naive_operations,
       .schedule = schedule_from("standard"),
       .paper_s = naive_on_paper,
       .held_bytes = naive_held,
       .launch_s = kLibraryLaunch},
      {.id = "flash_v1",
       .title = "FA-1",
       .tile = flash_v1_tile,
       .schedule = schedule_from("flash_v1"),
       .launch_s = kOwnLaunch,
       .from_capability = 80},
      {.id = "flash_v2",
       .title = "FA-2",
       .tile = flash_v2_tile,
       .sections = sections_in_l2,
       .schedule = schedule_from("flash_v2"),
       .paper_s = flash_v2_on_paper,
       .launch_s = kOwnLaunch,
       .from_capability = 80},
      {.id = "flash_v3",
       .title = "FA-3",
       .tile = flash_v3_tile,
       .sections = sections_in_l2,
       .odd_rows = kCopyOfOddRows,
       .schedule = schedule_from("flash_v3"),
       .paper_s = flash_v3_on_paper,
       .launch_s = kOwnLaunch,
       .from_capability = 90,
       .to_capability = 90},
      {.id = "flash_v2_backward",
       .title = "FA-2 backward",
       .tile = flash_v2_backward_tile,
       .kernels = backward_kernel,
       .backward = true,
       .schedule = schedule_from("backward"),
       .launch_s = kOwnLaunch,
       .from_capability = 80},
      {.id = "torch_flash", .title = "PyTorch FLASH", .from_capability = 80},
      {.id = "torch_efficient", .title = "PyTorch EFFICIENT"},
      {.id = "torch_cudnn", .title = "PyTorch cuDNN", .from_capability = 80}};
  return rows;
}

const AttentionMethod* method_named(const std::string& id) {
  const auto at = std::find_if(attention_methods().begin(), attention_methods().end(),
                               [&](const AttentionMethod& c) { return c.id == id; });
  return at == attention_methods().end() ? nullptr : &*at;
}

// From the last row on: eager, which is walked as naive is, stands before it.
const AttentionMethod* kernel_of(ScheduleKind schedule) {
  const auto at = std::find_if(attention_methods().rbegin(), attention_methods().rend(),
                               [&](const AttentionMethod& c) { return c.schedule == schedule; });
  return at == attention_methods().rend() ? nullptr : &*at;
}

std::string why_not_there(const AttentionMethod& c, const AttentionCall& call, const DeviceModel& device) {
  if (call.dtype == DType::Bf16 && device.compute_capability < 80)
    return device.title + " has no bf16 tensor cores: they came with Ampere";
  if (device.compute_capability < c.from_capability)
    return std::string(c.title) +
           (c.from_capability >= 90 ? " is made of Hopper's instructions (wgmma), and "
                                    : " is made of Ampere's instructions, and ") +
           device.title + " lacks them";
  if (device.compute_capability > c.to_capability)
    return std::string(c.title) + " is made of Hopper's own instructions (wgmma), which " + device.title + " lacks";
  if (c.tile && call.dtype == DType::Fp32) return "The fast kernels take fp16 and bf16, not fp32";
  if (c.tile && call.d > 256) return "The kernels are built for head sizes up to 256";
  if (c.tile && call.d % 8 != 0) return "The kernels take head sizes that are multiples of 8";
  return {};
}

Problem walked_by(const AttentionMethod& c, const AttentionCall& call, const DeviceModel& device) {
  Problem p;
  p.schedule = *c.schedule;
  p.shape.n_q = p.shape.n_kv = call.n;
  p.shape.d = call.d;
  p.shape.heads = call.heads;
  p.shape.kv_heads = call.kv_heads > 0 ? call.kv_heads : call.heads;
  p.shape.batch = call.batch;
  p.shape.mask.kind = call.causal ? MaskKind::Causal : MaskKind::None;
  p.numerics.dtype = call.dtype;
  const MethodTile tile = c.tile ? tile_of(c, call, device) : MethodTile{.br = 64, .bc = 64};
  p.tiling.br = tile.br, p.tiling.bc = tile.bc;
  p.machine.device = device.name;
  p.machine.sram_bytes = std::max(p.machine.sram_bytes, peak_bytes(p));
  return p;
}

MethodTile tile_of(const AttentionMethod& method, const AttentionCall& call, const DeviceModel& device) {
  return method.tile(built_d(call.d), call.causal, device);
}

Problem built_for(const Problem& walked) {
  Problem p = walked;
  p.shape.d = built_d(p.shape.d);
  p.machine.sram_bytes = std::max(p.machine.sram_bytes, peak_bytes(p));
  return p;
}

}  // namespace tilewalk
