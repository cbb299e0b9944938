// The instruction sets that the CPU kernels are compiled for; include it before any Highway header.
// Left out: vectors without a size at compile time (SVE, RVV), SSSE3, and everything above AVX-512's common part
// (AVX3), which gains nothing here. Highway numbers x86 targets downwards, so that is every bit below AVX3's.
#pragma once

#define HWY_DISABLED_TARGETS (((1LL << 8) - 1) | HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)

// A loop of a fixed count whose arrays must become registers.
#if defined(__clang__)
#define TILEWALK_UNROLL _Pragma("clang loop unroll(full)")
#else
#define TILEWALK_UNROLL _Pragma("GCC unroll 16")
#endif
