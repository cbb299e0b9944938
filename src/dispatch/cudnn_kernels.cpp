#include "dispatch/cudnn_kernels.h"

#include "core/predict/attention_method.h"
#include "core/problem/device_model.h"
#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

constexpr Version kSeen{91900};

// For one query row on Hopper. The bounds are those of the recorded calls.
std::optional<bool> one_row_is_split(const Call& c) {
  constexpr std::int64_t longest_whole = 237, shortest_split = 736, most_blocks = 32;
  if (c.is_causal || c.keys() <= longest_whole) return false;
  const std::int64_t blocks = c.batch * c.heads * (c.d > 128 ? 2 : 1);
  const bool plain = !c.has_mask() && c.heads == c.heads_of_kv();
  if (plain && c.keys() >= shortest_split && blocks <= most_blocks) return true;
  return std::nullopt;
}

}  // namespace

CudnnKernel cudnn_kernel(const Call& call, Version cudnn) {
  const int sm = call.sm();
  const bool one_row = call.n_q == 1;
  if (sm >= 80 && sm < 90) return {.built_for = 80, .split_kv = {}, .br = {}, .bc = {}};
  if (sm / 10 == 10 && !one_row) return {.built_for = 100, .split_kv = {}, .br = {}, .bc = {}};
  if (sm != 90 || (one_row && cudnn != kSeen)) return {};
  if (one_row) return {.built_for = 80, .split_kv = one_row_is_split(call), .br = {}, .bc = {}};
  CudnnKernel out{.built_for = 90, .split_kv = false, .br = {}, .bc = {}};
  if (cudnn == kSeen) out.br = out.bc = 128;
  return out;
}

bool has_cudnn_tiles(const Problem& p) {
  if (!call_of(p) || !row_of(p).settings.warp_roles || contender_of(p, device_of(p.machine))) return false;
  Call call;
  call.device = p.machine.device;
  call.batch = p.shape.batch, call.heads = p.shape.heads, call.kv_heads = p.shape.kv_heads;
  call.n_q = p.shape.n_q, call.d = p.shape.d;
  const CudnnKernel kernel = cudnn_kernel(call, kSeen);
  return kernel.built_for == 90 && kernel.br == p.tiling.br && kernel.bc == p.tiling.bc;
}

}  // namespace tilewalk
