// 2^x by Highway, for x up to 127: a polynomial of degree 5 on a unit interval (minimax, relative error 7.5e-8 before
// rounding) times a power of two. Relative error below 2.5e-7 where the result is normal; -inf gives 0, NaN NaN.
// With AVX-512 seven instructions: the exponent is added by VSCALEF, and subnormal results are rounded as they should
// be. Elsewhere results below 2^-126 become 0 and x above 126 counts as 126 (the kernels then see a sum out of bounds).
#if defined(TILEWALK_FAST_EXP2_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TILEWALK_FAST_EXP2_INL_H
#undef TILEWALK_FAST_EXP2_INL_H
#else
#define TILEWALK_FAST_EXP2_INL_H
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tilewalk::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

HWY_INLINE V fast_exp2_lanes(V x) {
  const D d;
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  const V f{_mm512_reduce_ps(x.raw, 1)};  // x - floor(x)
  V p = hn::Set(d, 1.877576695e-3f);
  p = hn::MulAdd(p, f, hn::Set(d, 8.989339694e-3f));
  p = hn::MulAdd(p, f, hn::Set(d, 5.582631752e-2f));
  p = hn::MulAdd(p, f, hn::Set(d, 2.401536107e-1f));
  p = hn::MulAdd(p, f, hn::Set(d, 6.931530833e-1f));
  p = hn::MulAdd(p, f, hn::Set(d, 9.999999404e-1f));
  return V{_mm512_scalef_ps(p.raw, x.raw)};  // p x 2^floor(x)
#else
  const hn::RebindToSigned<D> di;
  const V shift = hn::Set(d, 0x1.8p23f);  // adding it rounds to an integer, which is then in the low bits
  const V most = hn::Set(d, 126.0f);
  const V in_range = hn::IfThenElse(hn::Gt(x, most), most, x);  // Min would lose NaN
  const V shifted = hn::Add(in_range, shift);
  const V f = hn::Sub(in_range, hn::Sub(shifted, shift));
  V p = hn::Set(d, 1.327647245e-3f);
  p = hn::MulAdd(p, f, hn::Set(d, 9.675540961e-3f));
  p = hn::MulAdd(p, f, hn::Set(d, 5.550713092e-2f));
  p = hn::MulAdd(p, f, hn::Set(d, 2.402212024e-1f));
  p = hn::MulAdd(p, f, hn::Set(d, 6.931469440e-1f));
  p = hn::MulAdd(p, f, hn::Set(d, 1.000000119f));
  const V y = hn::BitCast(d, hn::Add(hn::BitCast(di, p), hn::ShiftLeft<23>(hn::BitCast(di, shifted))));
  return hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, -126.0f)), y);
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace tilewalk::cpu
HWY_AFTER_NAMESPACE();
#endif  // include guard by target
