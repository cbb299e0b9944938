// The types that Q, K, V, S, P and O may have in global memory, and their conversion to fp32 and back.
// Conversion to 16 bits rounds to nearest even, keeps subnormals and turns overflow into infinity.
#pragma once

#include "kernels/common/device.h"

#if defined(__CUDACC__)
#include <cuda_fp16.h>
#endif

namespace tilewalk::TILEWALK_SIDE {

struct Fp16 {
  unsigned short bits;
};
struct Bf16 {
  unsigned short bits;
};

__device__ inline float to_float(float x) { return x; }
__device__ inline float to_float(Bf16 x) { return exact::float_of(unsigned(x.bits) << 16); }

#if defined(__CUDA_ARCH__)
__device__ inline float to_float(Fp16 x) { return __half2float(__ushort_as_half(x.bits)); }
#else
__device__ inline float to_float(Fp16 x) {
  const unsigned sign = unsigned(x.bits & 0x8000u) << 16, rest = x.bits & 0x7fffu;
  if (rest >= 0x7c00u) return exact::float_of(sign | 0x7f800000u | ((rest & 0x3ffu) << 13));
  const float magnitude = exact::float_of(rest << 13) * 0x1p112f;  // changes the exponent's bias; exact, subnormals too
  return exact::float_of(sign | exact::bits_of(magnitude));
}
#endif

// from_float<T>(x): x in the storage type.
template <class T>
__device__ T from_float(float x);
template <>
__device__ inline float from_float<float>(float x) {
  return x;
}

template <>
__device__ inline Bf16 from_float<Bf16>(float x) {
  const unsigned bits = exact::bits_of(x);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return {(unsigned short)((bits >> 16) | 0x40u)};
  return {(unsigned short)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16)};
}

#if defined(__CUDA_ARCH__)
template <>
__device__ inline Fp16 from_float<Fp16>(float x) {
  return {__half_as_ushort(__float2half_rn(x))};
}
#else
template <>
__device__ inline Fp16 from_float<Fp16>(float x) {
  const unsigned bits = exact::bits_of(x), sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return {(unsigned short)(sign | 0x7fffu)};
  if (magnitude >= 0x477ff000u) return {(unsigned short)(sign | 0x7c00u)};  // 65520 and more round to infinity
  // The last kept place is 2^-24 below 2^-14 and 2^(e-10) above it. Adding 1.5 * 2^23 of those places makes the
  // addition itself round there, to nearest even.
  const unsigned exponent = magnitude < 0x38800000u ? 113u : magnitude >> 23;
  const float shift = exact::float_of((exponent + 13u) << 23) * 1.5f;
  const float rounded = (exact::float_of(magnitude) + shift) - shift;
  return {(unsigned short)(sign | (exact::bits_of(rounded * 0x1p-112f) >> 13))};
}
#endif

// x rounded to the storage type and back.
template <class T>
__device__ inline float rounded_to(float x) {
  return to_float(from_float<T>(x));
}

}  // namespace tilewalk::TILEWALK_SIDE
