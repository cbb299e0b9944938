// Attention on the CPU at the machine's speed: tiled (FlashAttention's schedule on vector units) beside the honest
// naive.
//
// Tensors are contiguous: q and o [batch, heads, n_q, d], k and v [batch, kv_heads, n_kv, d], all of one dtype (bf16 as
// its 16 bits), aligned to their elements; o may not overlap the inputs. Sums, softmax and lse are fp32.
// lse [batch, heads, n_q] is in natural units: log(sum over visible keys of exp(scale q k)).
// A row that sees no key gives o = 0 and lse = -inf.
//
// Same input, same machine, same `threads` or others: same bytes from cpu_tiled; the order of each row's sums depends
// on the instruction set alone. Sources: FlashAttention (Dao 2022) for the tiling, FlashAttention-2 (Dao 2023) for Q
// outside.
//
// Not modelled: windows, dropout, biases, fp16, strides, backward, splitting one row's keys among threads (decoding one
// query of one head runs on one thread), NUMA placement. Infinities and NaN in q, k, v give rows that are not finite or
// are NaN, not an error.
#pragma once

#include <cstdint>
#include <string>

namespace tilewalk {

enum class CpuDType { Fp32, Bf16 };

enum class CpuMask {
  None,
  CausalTopLeft,      // row i sees keys 0 .. i
  CausalBottomRight,  // row i sees keys 0 .. i + n_kv - n_q
};

struct CpuAttention {
  const void* q = nullptr;
  const void* k = nullptr;
  const void* v = nullptr;
  void* o = nullptr;
  float* lse = nullptr;                                                       // may be null
  std::int64_t batch = 1, heads = 1, kv_heads = 1, n_q = 0, n_kv = 0, d = 0;  // kv_heads divides heads; d up to 256
  CpuDType dtype = CpuDType::Fp32;
  CpuMask mask = CpuMask::None;
  float scale = 1;  // finite and above 0; usually 1 / sqrt(d)
  int threads = 1;
};

// Each returns an empty string, or a sentence that says what is wrong: field, value, rule, way out. Nothing is written
// then. Both block until o and lse are whole; a machine that grants fewer threads than asked for runs on those.

// Tiles of scores that live in the L1 cache; hidden tiles are never touched. Highway's best instruction set.
// bf16 runs on the CPU's bf16 dot product where that is the faster way (cpu_uses_bf16_dot()), P rounded to bf16 for its
// product with V; elsewhere K and V tiles are widened to fp32, and P is not rounded.
std::string cpu_tiled(const CpuAttention&);

// What a framework does without a fused kernel: S = Q K^T by OpenBLAS for every pair, masked ones too, a vectorised
// softmax over rows, O = P V by OpenBLAS, all on `threads` threads. One head's scores at a time, which is kinder to
// caches and memory than a framework that holds every head's. bf16 is widened to fp32 first and O rounded at the end.
// Neither reentrant nor to be run beside other uses of OpenBLAS: it sets the library's number of threads.
std::string cpu_naive(const CpuAttention&);

// Bytes allocated beyond the tensors, exactly; 0 for a problem that would be refused. Thread stacks are not counted.
std::int64_t cpu_tiled_extra_bytes(const CpuAttention&);  // a few tiles a thread: does not grow with n_q or n_kv
std::int64_t cpu_naive_extra_bytes(const CpuAttention&);  // grows with n_q x n_kv; without OpenBLAS's own buffers

// The FLOPs (2 per multiply-add of the two products) of the score elements that cpu_tiled visits: each row of a panel
// (48 rows with AVX-512) pays for the keys of the panel's last row; nothing for padding. 0 for a problem that would be
// refused.
double cpu_tiled_flops(const CpuAttention&);

// The rate of nothing but multiply-adds on `threads` threads, measured now for about `seconds`: fp32 FMA of the widest
// vectors, or the bf16 dot product (VDPBF16PS), 0 where there is none. A ceiling for work on the same unit alone: on
// CPUs where the dot product is the slower way (see cpu_uses_bf16_dot) hold bf16 against Fp32's. After a rest: many
// CPUs lower their clock as soon as dense vector work runs, and then no such work reaches this rate for long.
double cpu_fma_peak_gflops(int threads, CpuDType, double seconds);

// The same rate at the clock that cpu_tiled's work leaves, GFLOP/s: runs cpu_tiled (o and lse are written), then, on
// each of its threads as it runs out of work and without a pause, a quarter of a millisecond of multiply-adds on the
// unit that it multiplies by; the sum over the threads that had work. A thread that ends early is measured while others
// still work. 0 for a problem that would be refused or finds no memory.
double cpu_fma_peak_after_tiled_gflops(const CpuAttention&);

bool cpu_has_bf16_dot();   // the instruction is there (AVX512_BF16)
bool cpu_uses_bf16_dot();  // … and cpu_tiled takes it: not on Intel's, where it runs at half of the fp32 FMA's rate
// "OpenBLAS 0.3.21, kernels for SkylakeX": an OpenBLAS older than the CPU may take it for a much older one, which makes
// cpu_naive several times slower than it should be; OPENBLAS_CORETYPE in the environment tells it better.
// Empty where there is none.
std::string cpu_blas_name();
// "Intel(R) Xeon(R) Processor, model 207, AVX3": the name as the system tells it, the model's number where that has
// none, then Highway's target.
std::string cpu_name();

}  // namespace tilewalk
