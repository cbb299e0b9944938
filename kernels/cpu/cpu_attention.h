// Attention on the CPU at the machine's speed: tiled (FlashAttention's schedule on vector units) beside naive attention
// by a good library.
//
// Tensors are contiguous: q and o [batch, heads, n_q, d], k and v [batch, kv_heads, n_kv, d], all of one dtype (bf16 as
// its 16 bits), aligned to their elements; o may not overlap the inputs. Sums, softmax and lse are fp32.
// lse [batch, heads, n_q] is in natural units: log(sum over visible keys of exp(scale q k)).
// A row that sees no key gives o = 0 and lse = -inf.
//
// cpu_tiled gives the same bytes for the same input on the same machine, with any number of threads; the order of each
// row's sums depends on the instruction set alone. Sources: FlashAttention (Dao 2022) for the tiling, FlashAttention-2
// (Dao 2023) for Q outside.
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

// Both functions return an empty string after they have written all of o and lse. For an invalid problem they write
// nothing, and return a sentence with the field, its value, the rule and what to do. If the system grants fewer threads
// than `threads`, they run on those.

// Tiles of scores stay in the L1 cache; masked tiles are skipped. Highway's best instruction set.
// bf16 uses the CPU's bf16 dot product where that is faster (cpu_uses_bf16_dot()), with P rounded to bf16 for its
// product with V; elsewhere K and V tiles are widened to fp32, and P is not rounded.
std::string cpu_tiled(const CpuAttention&);

// The work of a framework without a fused kernel: S = Q K^T by OpenBLAS for every pair, masked ones too, a vectorised
// softmax over rows, O = P V by OpenBLAS, all on `threads` threads. One head's scores at a time, which needs less cache
// and memory than a framework that stores every head's scores. bf16 is widened to fp32 first and O rounded at the end.
// Not reentrant, and not to be run beside other uses of OpenBLAS: it sets the library's number of threads.
std::string cpu_naive(const CpuAttention&);

// Bytes allocated beyond the tensors, exactly; 0 for a problem that is refused. Thread stacks are not counted.
std::int64_t cpu_tiled_extra_bytes(const CpuAttention&);  // a few tiles a thread: does not grow with n_q or n_kv
std::int64_t cpu_naive_extra_bytes(const CpuAttention&);  // grows with n_q x n_kv; without OpenBLAS's own buffers

// The FLOPs (2 per multiply-add of the two products) of the score elements that cpu_tiled visits: each row of a panel
// (48 rows with AVX-512) counts the keys of the panel's last row; padding does not count. 0 for a problem that is
// refused.
double cpu_tiled_flops(const CpuAttention&);

// The rate of multiply-adds alone on `threads` threads, measured now for about `seconds`: fp32 FMA of the widest
// vectors, or the bf16 dot product (VDPBF16PS), 0 where there is none. A ceiling for work on the same unit: on CPUs
// where the dot product is slower (see cpu_uses_bf16_dot), compare bf16 with Fp32's rate. Measured after a rest: many
// CPUs lower their clock as soon as dense vector work runs, and then no such work reaches this rate for long.
double cpu_fma_peak_gflops(int threads, CpuDType, double seconds);

// The same rate at the clock that follows cpu_tiled's work, GFLOP/s. Runs cpu_tiled (o and lse are written); then each
// of its threads, as soon as it has no work left and without a pause, does a quarter of a millisecond of multiply-adds
// on the unit that it used for products. The result is the sum over the threads that had work. A thread that ends early
// is measured while others still work. 0 for a problem that is refused or finds no memory.
double cpu_fma_peak_after_tiled_gflops(const CpuAttention&);

bool cpu_has_bf16_dot();   // the CPU has the instruction (AVX512_BF16)
bool cpu_uses_bf16_dot();  // … and cpu_tiled uses it: not on Intel's, where it runs at half of the fp32 FMA's rate
// "OpenBLAS 0.3.21, kernels for SkylakeX". An OpenBLAS older than the CPU may choose the kernels of a much older CPU,
// which makes cpu_naive several times slower; OPENBLAS_CORETYPE in the environment corrects this.
// Empty without OpenBLAS.
std::string cpu_blas_name();
// "Intel(R) Xeon(R) Processor, model 207, AVX3": the system's name, the model's number where the name has none, then
// Highway's target.
std::string cpu_name();

}  // namespace tilewalk
