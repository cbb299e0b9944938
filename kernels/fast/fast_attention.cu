// The C interface of the fast kernels: checks a problem, pads head sizes that are not a multiple of 8, selects the
// kernel.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/problem/build_choice.h"
#include "core/problem/fast_kernels.h"
#include "core/problem/shares_plan.h"
#include "kernels/fast/fast_attention.h"
#include "kernels/fast/flash_v1.h"
#include "kernels/fast/flash_v2.h"
#include "kernels/fast/flash_v3.h"
#include "kernels/fast/multiprocessors.h"
#include "kernels/fast/naive.h"
#include "kernels/fast/padding.h"
#include "kernels/fast/problem_args.h"

namespace tilewalk::fast {
namespace {

std::string refusal(const TilewalkFastProblem& p) {
  const auto count = [](const char* name, long long value) {
    const bool fits = value >= 1 && value <= std::numeric_limits<int>::max() / 2;
    return fits ? std::string() : std::string(name) + " is " + std::to_string(value) + "; it must be from 1 to 2^30";
  };
  const std::pair<const char*, long long> counts[] = {{"batch", p.batch}, {"heads", p.heads}, {"kv_heads", p.kv_heads},
                                                      {"n_q", p.n_q},     {"n_kv", p.n_kv},   {"d", p.d}};
  for (const auto& [name, value] : counts) {
    if (const std::string text = count(name, value); !text.empty()) return text;
  }
  if (p.d > kLargestFastHead)
    return "d is " + std::to_string(p.d) + "; the fast kernels take head sizes up to " +
           std::to_string(kLargestFastHead) + ": split the heads";
  if (p.heads % p.kv_heads != 0)
    return "heads (" + std::to_string(p.heads) + ") must be a multiple of kv_heads (" + std::to_string(p.kv_heads) +
           ")";
  if (p.batch * p.heads > (1ll << 30) / ((p.n_q + 63) / 64))
    return "batch x heads x Q tiles is above 2^30; split the batch";
  if (p.dtype != TILEWALK_FAST_FP16 && p.dtype != TILEWALK_FAST_BF16) return "dtype must be fp16 or bf16";
  if (p.mask < TILEWALK_FAST_NO_MASK || p.mask > TILEWALK_FAST_CAUSAL_BOTTOM_RIGHT)
    return "mask must be none, causal or causal bottom-right";
  if (!(p.scale > 0.0f) || !std::isfinite(p.scale)) return "scale must be finite and above 0";
  for (const void* pointer : {p.q, p.k, p.v, (const void*)p.o, (const void*)p.workspace}) {
    if (pointer == nullptr || (size_t)pointer % 16 != 0)
      return "q, k, v, o and workspace must be device pointers aligned to 16 bytes";
  }
  return {};
}

// Why this GPU cannot run the kernel at this head size; empty where it can.
std::string gpu_refusal(Contender kernel, const TilewalkFastProblem& p) {
  int device = 0, major = 0, minor = 0, shared = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return "There is no GPU";
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
  cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  return why_no_fast_kernel(kernel, p.d, p.mask != TILEWALK_FAST_NO_MASK, major * 10 + minor, shared, "this GPU");
}

// The problem that flash_v2 and flash_v3 compute in place of p, with the same results: a last row sees every key; and
// without a mask, rows of query heads that share K and V are rows of one head.
TilewalkFastProblem as_computed(TilewalkFastProblem p) {
  if (p.mask == TILEWALK_FAST_CAUSAL_BOTTOM_RIGHT && p.n_q == 1) p.mask = TILEWALK_FAST_NO_MASK;
  if (p.mask == TILEWALK_FAST_NO_MASK && p.n_q * (p.heads / p.kv_heads) <= std::numeric_limits<int>::max() / 2) {
    p.n_q *= p.heads / p.kv_heads;
    p.heads = p.kv_heads;
  }
  return p;
}

bool has_choice(int rung) { return rung == TILEWALK_FAST_FLASH_V2 || rung == TILEWALK_FAST_FLASH_V3; }

// p: as_computed().
BuildChoice choice_for(int rung, const TilewalkFastProblem& p) {
  const Contender kernel = contender_of_fast_number(rung)->who;
  const ForwardArgs a = forward_args(p, kernel);
  const bool causal = p.mask != TILEWALK_FAST_NO_MASK;
  return choose_build(kernel, a.d, {a.all_heads, a.n_q, a.n_kv, causal, a.causal_shift}, multiprocessors(),
                      dram_gb_per_s());
}

// Copies of K and V in rows of flash_v3's head size, after the parts' results; 0: there are none.
size_t spread_bytes(int rung, const TilewalkFastProblem& p) {
  if (rung != TILEWALK_FAST_FLASH_V3) return 0;
  const bool causal = p.mask != TILEWALK_FAST_NO_MASK;
  if (!spreads_rows(p.d, p.batch * p.kv_heads, {p.batch * p.heads, p.n_q, p.n_kv, causal, 0})) return 0;
  return (size_t)(2 * rows_of(p, false) * built_d(Contender::FlashV3, p.d) * 2);
}

KvRows spread(ForwardArgs& a, const TilewalkFastProblem& p, unsigned char* place, cudaStream_t stream) {
  const int rows = (int)rows_of(p, false), width = (int)built_d(Contender::FlashV3, p.d);
  switch (p.d) {
    case 72: launch_spread<9>(a.k, a.v, place, rows, width / 8, stream); break;
    case 88: launch_spread<11>(a.k, a.v, place, rows, width / 8, stream); break;
    case 104: launch_spread<13>(a.k, a.v, place, rows, width / 8, stream); break;
    default: launch_spread<15>(a.k, a.v, place, rows, width / 8, stream);
  }
  a.k = place, a.v = place + (long long)rows * width * 2;
  return {p.batch * p.kv_heads, width};
}

// The parts' results at `place`, after which comes nothing. Divided tiles of causal calls are one section.
void divide(ForwardArgs& a, const BuildChoice& choice, unsigned char* place) {
  const PartsPlan& plan = choice.plan;
  a.parts = {plan.first, plan.tiles, plan.each, plan.whole_first, plan.whole, (float*)place, nullptr};
  a.parts.lse = a.parts.o + choice.part_slots() * choice.build.rows * choice.build.d;
  a.section_heads = a.all_heads, a.larger_sections = 0;
}

std::string forward(int rung, int variant, const TilewalkFastProblem& asked, cudaStream_t stream) {
  if (std::string text = refusal(asked); !text.empty()) return text;
  const TilewalkFastProblem p = has_choice(rung) ? as_computed(asked) : asked;
  if (tilewalk_fast_rung_name(rung) == nullptr)
    return "rung is " + std::to_string(rung) + "; it must be 1 (naive), 2 (flash_v2), 3 (flash_v3) or 4 (flash_v1)";
  if (tilewalk_fast_variant_name(rung, variant, (int)p.d) == nullptr)
    return "There is no variant " + std::to_string(variant) + " for this head size";
  if (std::string text = gpu_refusal(contender_of_fast_number(rung)->who, p); !text.empty()) return text;

  ForwardArgs a = forward_args(p, contender_of_fast_number(rung)->who);
  Padding padding(p, stream);
  a.q = padding.in(p.q, true), a.k = padding.in(p.k, false), a.v = padding.in(p.v, false),
  a.o = padding.room(p.o, true);
  const bool bf16 = p.dtype == TILEWALK_FAST_BF16, causal = p.mask != TILEWALK_FAST_NO_MASK;
  unsigned char* const place = (unsigned char*)p.workspace + padding_bytes(p, 2, 2);  // the kernel's own workspace
  BuildChoice choice{.variant = variant};
  if (variant == 0 && has_choice(rung)) choice = choice_for(rung, p);
  const bool divided = choice.plan.divided();
  if (divided) divide(a, choice, place);
  KvRows kv(p.batch * p.kv_heads);
  if (spread_bytes(rung, p) > 0) kv = spread(a, p, place + choice.workspace_bytes(), stream);
  cudaError_t error = cudaSuccess;
  if (choice.variant == kFewRowsVariant) {
    error = few_rows_launch(a, bf16, stream);
  } else if (choice.variant == kBulkRowsVariant) {
    error = few_rows_bulk_launch(a, choice.plan.blocks, bf16, stream);
  } else if (rung == TILEWALK_FAST_NAIVE) {
    if (const char* text = naive_launch(a, p.scale, place, bf16, causal, stream)) return text;
  } else if (rung == TILEWALK_FAST_FLASH_V3) {
    const char* const text = divided ? flash_v3_parts_launch(choice.variant, a, kv, bf16, causal, stream)
                                     : flash_v3_launch(choice.variant, a, kv, bf16, causal, stream);
    if (text != nullptr) return text;
  } else if (rung == TILEWALK_FAST_FLASH_V1) {
    error = flash_v1_launch(a, place, bf16, causal, stream);
  } else {
    error = divided ? flash_v2_parts_launch(choice.variant, a, bf16, causal, stream)
                    : flash_v2_launch(choice.variant, a, bf16, causal, stream);
  }
  if (error != cudaSuccess) return cudaGetErrorString(error);
  padding.out(a.o, p.o, true);
  error = cudaGetLastError();
  return error == cudaSuccess ? std::string() : cudaGetErrorString(error);
}

// The contender whose backward pass a rung runs; null: none.
const ContenderRow* backward_of(int rung) {
  const ContenderRow* const forward = contender_of_fast_number(rung);
  return forward == nullptr ? nullptr : contender_raced_as(forward->word, true);
}

// Q, O, dO and dQ; K, V, dK and dV.
size_t backward_padding_bytes(const TilewalkFastProblem& p) { return padding_bytes(p, 4, 4); }

SharesShape backward_shape(const TilewalkFastProblem& p) {
  return {p.batch * p.kv_heads, p.heads / p.kv_heads, p.n_q, p.n_kv, padded_d(p.d), p.mask != TILEWALK_FAST_NO_MASK};
}

// How many shares the query heads of a backward pass are divided into.
long long shares_for(Contender kernel, const TilewalkFastProblem& p) {
  return shares_of(kernel, backward_shape(p), multiprocessors());
}

// dK and dV of all shares in fp32; 0 for one share.
size_t shares_bytes(const TilewalkFastProblem& p, long long shares) {
  return shares == 1 ? 0 : (size_t)(2 * shares * rows_of(p, false) * padded_d(p.d) * 4);
}

std::string backward(int rung, const TilewalkFastProblem& p, const TilewalkFastGradients& g, cudaStream_t stream) {
  if (std::string text = refusal(p); !text.empty()) return text;
  const ContenderRow* const kernel = backward_of(rung);
  if (kernel == nullptr)
    return "rung is " + std::to_string(rung) + "; backward, it must be 2 (flash_v2) or 3 (flash_v3)";
  if (std::string text = gpu_refusal(kernel->who, p); !text.empty()) return text;
  const bool v3 = rung == TILEWALK_FAST_FLASH_V3;
  for (const void* pointer : {g.d_o, (const void*)g.d_q, (const void*)g.d_k, (const void*)g.d_v, (const void*)p.lse,
                              v3 ? p.lse : (const void*)g.row_dot, v3 ? p.lse : (const void*)g.dq_sum}) {
    if (pointer == nullptr || (size_t)pointer % 16 != 0)
      return "lse, gradients and work space must be device pointers aligned to 16 bytes";
  }
  BackwardArgs b{forward_args(p, kernel->who), g.d_o, g.d_q, g.d_k, g.d_v, g.row_dot, g.dq_sum, p.scale};
  Padding padding(p, stream);
  ForwardArgs& a = b.forward;
  a.q = padding.in(p.q, true), a.k = padding.in(p.k, false), a.v = padding.in(p.v, false);
  a.o = const_cast<void*>(padding.in(p.o, true)), b.d_o = padding.in(g.d_o, true);
  b.d_q = padding.room(g.d_q, true), b.d_k = padding.room(g.d_k, false), b.d_v = padding.room(g.d_v, false);
  const bool bf16 = p.dtype == TILEWALK_FAST_BF16, causal = p.mask != TILEWALK_FAST_NO_MASK;
  unsigned char* place = (unsigned char*)p.workspace + backward_padding_bytes(p);
  b.shares = (int)shares_for(kernel->who, p);
  if (b.shares > 1) {
    b.part_k = (float*)place, b.part_v = b.part_k + shares_bytes(p, b.shares) / 8;
    place += shares_bytes(p, b.shares);
  }
  const BackwardSections sections =
      backward_sections(kernel->who, {p.batch * p.kv_heads, p.heads / p.kv_heads, p.n_q, p.n_kv, a.d, causal}, b.shares,
                        multiprocessors());
  a.section_heads = (int)sections.heads, a.larger_sections = (int)sections.larger;
  cudaError_t error = cudaSuccess;
  if (v3) {
    if (const char* text = flash_v3_backward_launch(b, place, p.batch * p.kv_heads, bf16, causal, stream)) return text;
  } else {
    error = flash_v2_backward_launch(b, p.batch * p.kv_heads, bf16, causal, stream);
  }
  if (error != cudaSuccess) return cudaGetErrorString(error);
  padding.out(b.d_q, g.d_q, true), padding.out(b.d_k, g.d_k, false), padding.out(b.d_v, g.d_v, false);
  error = cudaGetLastError();
  return error == cudaSuccess ? std::string() : cudaGetErrorString(error);
}

}  // namespace
}  // namespace tilewalk::fast

extern "C" {

size_t tilewalk_fast_workspace_bytes(int rung, const TilewalkFastProblem* p) {
  using namespace tilewalk::fast;
  const long long all_heads = p->batch * p->heads;
  const size_t own = has_choice(rung)
                         ? choice_for(rung, as_computed(*p)).workspace_bytes() + spread_bytes(rung, as_computed(*p))
                     : rung == TILEWALK_FAST_NAIVE    ? naive_workspace_bytes(all_heads, p->n_q, p->n_kv)
                     : rung == TILEWALK_FAST_FLASH_V1 ? flash_v1_workspace_bytes(all_heads, p->n_q, padded_d(p->d))
                                                      : 0;
  return padding_bytes(*p, 2, 2) + own;
}

size_t tilewalk_fast_backward_workspace_bytes(int rung, const TilewalkFastProblem* p) {
  using namespace tilewalk::fast;
  const tilewalk::ContenderRow* const kernel = backward_of(rung);
  if (kernel == nullptr) return 0;
  return backward_padding_bytes(*p) + shares_bytes(*p, shares_for(kernel->who, *p)) +
         (rung == TILEWALK_FAST_FLASH_V3 ? flash_v3_backward_workspace_bytes(backward_shape(*p)) : 0);
}

const char* tilewalk_fast_forward(int rung, int variant, const TilewalkFastProblem* p, void* stream) {
  thread_local std::string text;
  text = tilewalk::fast::forward(rung, variant, *p, (cudaStream_t)stream);
  return text.empty() ? nullptr : text.c_str();
}

const char* tilewalk_fast_backward(int rung, const TilewalkFastProblem* p, const TilewalkFastGradients* g,
                                   void* stream) {
  thread_local std::string text;
  text = tilewalk::fast::backward(rung, *p, *g, (cudaStream_t)stream);
  return text.empty() ? nullptr : text.c_str();
}

const char* tilewalk_fast_variant_name(int rung, int variant, int d) {
  switch (rung) {
    case TILEWALK_FAST_NAIVE: return variant == 0 ? "cuBLAS and softmax" : nullptr;
    case TILEWALK_FAST_FLASH_V1: return tilewalk::fast::flash_v1_variant(variant, d);
    case TILEWALK_FAST_FLASH_V2: return tilewalk::fast::flash_v2_variant(variant, d);
    case TILEWALK_FAST_FLASH_V3: return tilewalk::fast::flash_v3_variant(variant, d);
    default: return nullptr;
  }
}

int tilewalk_fast_runs_as_named(int rung, const TilewalkFastProblem* p) {
  using namespace tilewalk::fast;
  if (!has_choice(rung)) return 1;
  const BuildChoice choice = choice_for(rung, as_computed(*p));
  return choice.variant == 0 && !choice.plan.divided();
}

const char* tilewalk_fast_rung_name(int rung) {
  const tilewalk::ContenderRow* const row = tilewalk::contender_of_fast_number(rung);
  return row ? row->word : nullptr;
}

}  // extern "C"
