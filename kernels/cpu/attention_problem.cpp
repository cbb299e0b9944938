#include "kernels/cpu/attention_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilewalk::cpu {
namespace {

constexpr std::int64_t kLargestD = 256;
constexpr std::int64_t kLargestElements = std::int64_t(1) << 48;

bool overflows(std::initializer_list<std::int64_t> factors) {
  double product = 1;
  for (const std::int64_t factor : factors) product *= double(factor);
  return product > double(kLargestElements);
}

}  // namespace

std::string refusal(const CpuAttention& a) {
  const std::pair<const char*, std::int64_t> counts[] = {
      {"batch", a.batch}, {"heads", a.heads}, {"kv_heads", a.kv_heads}, {"n_q", a.n_q}, {"n_kv", a.n_kv}, {"d", a.d}};
  for (const auto& [name, value] : counts) {
    if (value < 1)
      return fmt::format("{} is {}; it must be at least 1: give the size of what q, k and v hold", name, value);
  }
  if (a.d > kLargestD) {
    return fmt::format("d is {}; the CPU kernels take head sizes up to {}: split the head, or use the replay", a.d,
                       kLargestD);
  }
  if (a.heads % a.kv_heads != 0) {
    return fmt::format("kv_heads is {}; it must divide heads ({}): use {} for one per head, or 1", a.kv_heads, a.heads,
                       a.heads);
  }
  if (overflows({a.batch, a.heads, std::max(a.n_q, a.n_kv), a.d})) {
    return fmt::format("batch x heads x n x d is {} x {} x {} x {}; it must be at most 2^48: split the batch", a.batch,
                       a.heads, std::max(a.n_q, a.n_kv), a.d);
  }
  if (a.dtype != CpuDType::Fp32 && a.dtype != CpuDType::Bf16) {
    return fmt::format("dtype is {}; it must be Fp32 or Bf16: widen other types first", int(a.dtype));
  }
  if (a.mask != CpuMask::None && a.mask != CpuMask::CausalTopLeft && a.mask != CpuMask::CausalBottomRight) {
    return fmt::format("mask is {}; it must be None, CausalTopLeft or CausalBottomRight: use the replay for others",
                       int(a.mask));
  }
  if (!std::isfinite(a.scale) || !(a.scale > 0)) {
    return fmt::format("scale is {}; it must be finite and above 0: 1 / sqrt(d) is usual", a.scale);
  }
  if (a.threads < 1 || a.threads > 1024) {
    return fmt::format("threads is {}; it must be from 1 to 1024: the number of cores is best", a.threads);
  }
  const std::pair<const char*, const void*> tensors[] = {{"q", a.q}, {"k", a.k}, {"v", a.v}, {"o", a.o}};
  for (const auto& [name, pointer] : tensors) {
    if (pointer == nullptr) return fmt::format("{} is null; it must point to the tensor: allocate it first", name);
    if (reinterpret_cast<std::uintptr_t>(pointer) % std::uintptr_t(element_bytes(a)) != 0) {
      return fmt::format("{} is at {}; it must be aligned to its elements of {} bytes: copy it", name, pointer,
                         element_bytes(a));
    }
  }
  return {};
}

std::int64_t visible_keys(const CpuAttention& a, std::int64_t row) {
  switch (a.mask) {
    case CpuMask::CausalTopLeft: return std::min(row + 1, a.n_kv);
    case CpuMask::CausalBottomRight: return std::clamp<std::int64_t>(row + 1 + a.n_kv - a.n_q, 0, a.n_kv);
    case CpuMask::None: break;
  }
  return a.n_kv;
}

}  // namespace tilewalk::cpu
