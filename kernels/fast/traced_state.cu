// flash_v1, flash_v2 and flash_v3 with their state written at each tile visit: see traced.h.
#include "kernels/fast/flash_v1.h"
#include "kernels/fast/flash_v2_short.h"
#include "kernels/fast/flash_v3_launch.h"
#include "kernels/fast/problem_args.h"
#include "kernels/fast/traced.h"

namespace tilewalk::fast {
namespace {

struct Job {
  const ForwardArgs& a;
  long long kv_heads;
  cudaStream_t stream;
  const State& state;
};

template <class T, int D, int Bc, bool kCausal, bool kLazy, int kBlocks>
const char* v2(const Job& j) {
  const cudaError_t error = launch_v2<T, D, Bc, kCausal, kLazy, false, kBlocks>(j.a, j.stream, j.state);
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

template <class T, int D>
const char* wide(const Job& j, bool causal) {
  const cudaError_t error = causal ? launch_v2_short<T, D, true, false>(j.a, j.stream, j.state)
                                   : launch_v2_short<T, D, false, false>(j.a, j.stream, j.state);
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

// The shapes of flash_v2.cu's variants 0 and 1.
template <class T, bool kLazy>
const char* v2_shape(const Job& j, bool causal) {
  if constexpr (kLazy) {
    if (j.a.d > 192) return wide<T, 256>(j, causal);
    if (j.a.d > 160) return wide<T, 192>(j, causal);
    if (j.a.d > 128) return wide<T, 160>(j, causal);
    if (j.a.d <= 32) return causal ? v2<T, 32, 64, true, true, 3>(j) : v2<T, 32, 64, false, true, 3>(j);
    if (j.a.d > 64 && j.a.d <= 96) return causal ? v2<T, 96, 64, true, true, 2>(j) : v2<T, 96, 64, false, true, 2>(j);
  }
  if (j.a.d > 64) return causal ? v2<T, 128, 64, true, kLazy, 2>(j) : v2<T, 128, 64, false, kLazy, 2>(j);
  return causal ? v2<T, 64, 128, true, kLazy, 2>(j) : v2<T, 64, 64, false, kLazy, 3>(j);
}

template <class T, int D, int kKeys>
const char* v3_build(const Job& j, bool causal) {
  return causal ? launch<T, D, true, Build<2, kKeys>>(j.a, j.kv_heads, j.stream, j.state)
                : launch<T, D, false, Build<2, kKeys>>(j.a, j.kv_heads, j.stream, j.state);
}

template <class T, unsigned kOptions>
const char* v3(const Job& j, bool causal) {
  using Wide = Build<2, 128, kOptions>;
  using Narrow = Build<3, 128, kOptions>;
  if constexpr (kOptions == kAll) {
    if (j.a.d > 192) return v3_build<T, 256, 64>(j, causal);
    if (j.a.d > 160) return v3_build<T, 192, 112>(j, causal);
    if (j.a.d > 128) return v3_build<T, 160, 112>(j, causal);
    if (j.a.d > 64 && j.a.d <= 96) return v3_build<T, 96, 128>(j, causal);
  }
  if (j.a.d > 64)
    return causal ? launch<T, 128, true, Wide>(j.a, j.kv_heads, j.stream, j.state)
                  : launch<T, 128, false, Wide>(j.a, j.kv_heads, j.stream, j.state);
  return causal ? launch<T, 64, true, Narrow>(j.a, j.kv_heads, j.stream, j.state)
                : launch<T, 64, false, Narrow>(j.a, j.kv_heads, j.stream, j.state);
}

// The optimisation that a traced variant of flash_v3 leaves out; the numbers are flash_v3_variants.h's.
enum class Left { Nothing, Overlap, Lazy, Specialised, NotTraced };
Left left_out(int variant, int d) {
  const int at = d > 64 || variant == 0 ? variant : variant - 1;  // the narrow list has one more tile shape
  if (variant == 0) return Left::Nothing;
  if (d > 128) return Left::NotTraced;
  return at == 2 ? Left::Overlap : at == 4 ? Left::Lazy : at == 5 ? Left::Specialised : Left::NotTraced;
}

template <class T>
const char* traced(int rung, int variant, const Job& j, bool causal) {
  if (rung == TILEWALK_FAST_FLASH_V2 && variant == 0) return v2_shape<T, true>(j, causal);
  if (rung == TILEWALK_FAST_FLASH_V2 && variant == 1) return v2_shape<T, false>(j, causal);
  if (rung == TILEWALK_FAST_FLASH_V3) {
    switch (left_out(variant, j.a.d)) {
      case Left::Nothing: return v3<T, kAll>(j, causal);
      case Left::Overlap: return v3<T, kAll & ~kOverlap>(j, causal);
      case Left::Lazy: return v3<T, kAll & ~kLazy>(j, causal);
      case Left::Specialised: return v3<T, kAll & ~kSpecialised>(j, causal);
      case Left::NotTraced: break;
    }
  }
  return "This variant has no build that traces its state";
}

}  // namespace
}  // namespace tilewalk::fast

extern "C" int tilewalk_fast_traced_keys(int rung, int variant, int d, int mask) {
  using namespace tilewalk::fast;
  if (variant < 0 || (d > 128 && variant > 0)) return 0;
  if (rung == TILEWALK_FAST_FLASH_V1) return variant > 0 ? 0 : d > 128 ? 64 : d > 64 ? 128 : 256;
  if (rung == TILEWALK_FAST_FLASH_V2) {
    if (variant > 1) return 0;
    if (d <= 32 && variant == 0) return 64;
    return d <= 64 && mask != TILEWALK_FAST_NO_MASK ? 128 : 64;
  }
  if (rung != TILEWALK_FAST_FLASH_V3 || left_out(variant, d) == Left::NotTraced) return 0;
  return d > 192 ? 64 : d > 128 ? 112 : 128;
}

extern "C" const char* tilewalk_fast_trace_state(int rung, int variant, const TilewalkFastProblem* p, float* m,
                                                 float* l, float* o, void* stream) {
  using namespace tilewalk::fast;
  if (p->d % 8 != 0) return "d must be a multiple of 8";
  const int keys = tilewalk_fast_traced_keys(rung, variant, (int)p->d, p->mask);
  if (keys == 0) return "This variant has no build that traces its state";
  const ForwardArgs a = forward_args(*p, tilewalk::contender_of_fast_number(rung)->who);
  const State state{m, l, o, (a.n_kv + keys - 1) / keys};
  const bool bf16 = p->dtype == TILEWALK_FAST_BF16;
  if (rung == TILEWALK_FAST_FLASH_V1) {
    unsigned char* const work = (unsigned char*)p->workspace + kCounterBytes;
    const cudaError_t error =
        flash_v1_launch(a, work, bf16, p->mask != TILEWALK_FAST_NO_MASK, (cudaStream_t)stream, &state);
    return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
  }
  const Job job{a, p->batch * p->kv_heads, (cudaStream_t)stream, state};
  const bool causal = p->mask != TILEWALK_FAST_NO_MASK;
  return bf16 ? traced<__nv_bfloat16>(rung, variant, job, causal) : traced<__half>(rung, variant, job, causal);
}
