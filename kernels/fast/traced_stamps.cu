// flash_v3 with stamps: see traced.h.
#include <iterator>

#include "kernels/fast/flash_v3_launch.h"
#include "kernels/fast/flash_v3_variants.h"
#include "kernels/fast/problem_args.h"
#include "kernels/fast/traced.h"

namespace tilewalk::fast {
namespace {

template <int D, class B>
const char* stamped(const ForwardArgs& a, long long kv_heads, bool causal, cudaStream_t stream, const Stamps& stamps) {
  return causal ? launch<__nv_bfloat16, D, true, B>(a, kv_heads, stream, stamps)
                : launch<__nv_bfloat16, D, false, B>(a, kv_heads, stream, stamps);
}

using Run = const char* (*)(const ForwardArgs&, long long, bool, cudaStream_t, const Stamps&);

#define TILEWALK_STAMPED(D, CONSUMERS, KEYS, OPTIONS, NAME) &stamped<D, Build<CONSUMERS, KEYS, (OPTIONS)>>,
const Run kWide[] = {TILEWALK_V3_WIDE(TILEWALK_STAMPED)};
const Run kNarrow[] = {TILEWALK_V3_NARROW(TILEWALK_STAMPED)};
#undef TILEWALK_STAMPED

}  // namespace
}  // namespace tilewalk::fast

extern "C" const char* tilewalk_fast_trace_stamps(int variant, const TilewalkFastProblem* p, void* stamps, void* ends,
                                                  int blocks, int capacity, void* stream) {
  using namespace tilewalk::fast;
  const ForwardArgs a = forward_args(*p, tilewalk::Contender::FlashV3);
  if (p->d % 8 != 0) return "d must be a multiple of 8";
  const std::int64_t built = tilewalk::built_d(tilewalk::Contender::FlashV3, p->d);
  if (built != 64 && built != 128) return "stamps are taken of the builds for head sizes 64 and 128";
  if (p->dtype != TILEWALK_FAST_BF16) return "stamps are taken of bf16 problems";
  const int count = a.d > 64 ? (int)std::size(kWide) : (int)std::size(kNarrow);
  if (variant < 0 || variant >= count) return "There is no such variant";
  const Stamps record{(uint2*)stamps, (unsigned long long*)ends, blocks, capacity};
  return (a.d > 64 ? kWide : kNarrow)[variant](a, p->batch * p->kv_heads, p->mask != TILEWALK_FAST_NO_MASK,
                                               (cudaStream_t)stream, record);
}
