// Attention without tiles: two products by OpenBLAS with a softmax between them, scores in memory.
#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <new>

#include "base/small_float.h"
#include "kernels/cpu/attention_problem.h"
#include "kernels/cpu/openblas.h"
#include "kernels/cpu/panel_kernels.h"
#include "kernels/cpu/row_softmax.h"
#include "kernels/cpu/workers.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kSoftmaxRows = 16;  // rows that a thread gets at a time

// Floats beyond the tensors: one head's scores, and its tensors widened where they are bf16.
std::int64_t floats_needed(const CpuAttention& a) {
  const std::int64_t widened = a.dtype == CpuDType::Bf16 ? 2 * (a.n_q + a.n_kv) * a.d : 0;
  return a.n_q * a.n_kv + widened;
}

std::string naive_refusal(const CpuAttention& a) {
  if (std::string text = cpu::refusal(a); !text.empty()) return text;
  constexpr std::int64_t kLargest = std::numeric_limits<int>::max();
  if (std::max(a.n_q, a.n_kv) <= kLargest && double(a.n_q) * double(a.n_kv) < 0x1p60) return {};
  return "n_q x n_kv is " + std::to_string(a.n_q) + " x " + std::to_string(a.n_kv) +
         "; BLAS takes lengths below 2^31: use the tiled kernel";
}

void softmax(const CpuAttention& a, float* scores, float* lse) {
  std::atomic<std::int64_t> next{0};
  cpu::on_threads(a.threads, [&](int) {
    for (std::int64_t first = next.fetch_add(kSoftmaxRows); first < a.n_q; first = next.fetch_add(kSoftmaxRows)) {
      for (std::int64_t row = first; row < std::min(first + kSoftmaxRows, a.n_q); ++row) {
        const float sum = cpu::softmax_row(scores + row * a.n_kv, cpu::visible_keys(a, row), a.n_kv);
        if (lse != nullptr) lse[row] = sum;
      }
    }
  });
}

// One head, fp32.
void attend(const CpuAttention& a, const float* q, const float* k, const float* v, float* scores, float* o,
            float* lse) {
  const int n_q = int(a.n_q), n_kv = int(a.n_kv), d = int(a.d);
  const cpu::OpenBlas& blas = cpu::openblas();
  blas.sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n_q, n_kv, d, a.scale, q, d, k, d, 0, scores, n_kv);
  softmax(a, scores, lse);
  blas.sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n_q, d, n_kv, 1, scores, n_kv, v, d, 0, o, d);
}

}  // namespace

std::string cpu_blas_name() {
  if (!cpu::why_no_openblas().empty()) return {};
  const std::string config = cpu::openblas().config();
  return config.substr(0, config.find(' ', config.find(' ') + 1)) + ", kernels for " + cpu::openblas().core();
}

std::int64_t cpu_naive_extra_bytes(const CpuAttention& a) {
  return naive_refusal(a).empty() ? floats_needed(a) * 4 : 0;
}

std::string cpu_naive(const CpuAttention& a) {
  if (std::string text = naive_refusal(a); !text.empty()) return text;
  if (const std::string& why = cpu::why_no_openblas(); !why.empty()) return why + ": use the tiled kernel";
  const std::unique_ptr<float[]> space(new (std::nothrow) float[std::size_t(floats_needed(a))]);
  if (!space) {
    return "n_q x n_kv is " + std::to_string(a.n_q) + " x " + std::to_string(a.n_kv) + "; naive attention needs " +
           std::to_string(floats_needed(a) * 4) + " bytes for it, and the machine has none: use the tiled kernel";
  }
  const int threads_before = cpu::openblas().threads();
  cpu::openblas().set_threads(a.threads);
  float* const scores = space.get();
  float* const wide_q = scores + a.n_q * a.n_kv;
  float* const wide_k = wide_q + a.n_q * a.d;
  float* const wide_v = wide_k + a.n_kv * a.d;
  float* const wide_o = wide_v + a.n_kv * a.d;
  for (std::int64_t head = 0; head < a.batch * a.heads; ++head) {
    const std::int64_t kv_head = head / (a.heads / a.kv_heads);
    const char* const q = cpu::head_at(static_cast<const char*>(a.q), a, head, a.n_q);
    const char* const k = cpu::head_at(static_cast<const char*>(a.k), a, kv_head, a.n_kv);
    const char* const v = cpu::head_at(static_cast<const char*>(a.v), a, kv_head, a.n_kv);
    char* const o = cpu::head_at(static_cast<char*>(a.o), a, head, a.n_q);
    float* const lse = a.lse == nullptr ? nullptr : a.lse + head * a.n_q;
    if (a.dtype == CpuDType::Fp32) {
      attend(a, reinterpret_cast<const float*>(q), reinterpret_cast<const float*>(k), reinterpret_cast<const float*>(v),
             scores, reinterpret_cast<float*>(o), lse);
      continue;
    }
    cpu::widen(reinterpret_cast<const std::uint16_t*>(q), a.n_q * a.d, wide_q);
    cpu::widen(reinterpret_cast<const std::uint16_t*>(k), a.n_kv * a.d, wide_k);
    cpu::widen(reinterpret_cast<const std::uint16_t*>(v), a.n_kv * a.d, wide_v);
    attend(a, wide_q, wide_k, wide_v, scores, wide_o, lse);
    for (std::int64_t e = 0; e < a.n_q * a.d; ++e) reinterpret_cast<std::uint16_t*>(o)[e] = bf16_from_float(wide_o[e]);
  }
  cpu::openblas().set_threads(threads_before);
  return {};
}

}  // namespace tilewalk
