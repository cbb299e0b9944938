// wgmma, the warpgroup-wide asynchronous product of sm_90a: acc (64 x N, fp32, registers) += A (64 x 16) B (16 x N).
// B comes from shared memory, A from shared memory (ss) or from registers (rs: the accumulator layout of 16 columns
// packed in pairs). Operands in shared memory are described by 64-bit descriptors, here always with the 128-byte
// swizzle:
//   bits  0-13  address / 16
//   bits 16-29  leading offset / 16: operand contiguous along rows or columns (V): from one 64-element block to the
//               next
//   bits 32-45  stride offset / 16: from one group of 8 lines of 128 bytes to the next
//   bits 62-63  1, the 128-byte swizzle
// K-major operands (Q, K) step 16 elements along k by adding 32 bytes to the address; V steps 16 keys by 2048 bytes.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <type_traits>

namespace tilewalk::fast {

__device__ inline uint64_t wgmma_descriptor(uint32_t address, int leading_bytes, int stride_bytes) {
  return (uint64_t)((address & 0x3ffff) >> 4) | (uint64_t)(leading_bytes >> 4) << 16 |
         (uint64_t)(stride_bytes >> 4) << 32 | (uint64_t)1 << 62;
}

__device__ inline void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int kPending>
__device__ inline void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kPending) : "memory");
}
// Tells the compiler that the asynchronous product reads and writes these registers.
template <int kCount>
__device__ inline void wgmma_pin(float (&r)[kCount]) {
#pragma unroll
  for (int i = 0; i < kCount; ++i) asm volatile("" : "+f"(r[i])::"memory");
}

template <int N>
struct Wgmma;  // ss<T>: A and B K-major in shared memory. tt<T>: A contiguous along M, B along N, both in shared
               // memory. rs<T>: A in registers, B (V) contiguous along N.

#define TILEWALK_ACC8_AS(F, i) \
  F(acc[i]), F(acc[i + 1]), F(acc[i + 2]), F(acc[i + 3]), F(acc[i + 4]), F(acc[i + 5]), F(acc[i + 6]), F(acc[i + 7])
#define TILEWALK_ACC32_AS(F, i) \
  TILEWALK_ACC8_AS(F, i), TILEWALK_ACC8_AS(F, i + 8), TILEWALK_ACC8_AS(F, i + 16), TILEWALK_ACC8_AS(F, i + 24)
#define TILEWALK_ACC8(i) TILEWALK_ACC8_AS("+f", i)
#define TILEWALK_ACC32(i) TILEWALK_ACC32_AS("+f", i)
#define TILEWALK_NEW32(i) TILEWALK_ACC32_AS("=f", i)

#define TILEWALK_WGMMA_SS(N, TYPE, REGS, A, B, KEEP, TRANSPOSED, ...)                                   \
  asm volatile("{\n.reg .pred keep;\nsetp.ne.b32 keep, " KEEP                                           \
               ", 0;\n"                                                                                 \
               "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32." TYPE "." TYPE " {" REGS "}, " A ", " B \
               ", keep, 1, 1, " TRANSPOSED ";\n}"                                                       \
               : __VA_ARGS__                                                                            \
               : "l"(a), "l"(b), "r"(keep_acc))
#define TILEWALK_WGMMA_RS(N, TYPE, REGS, A, B, ...)                                                                    \
  asm volatile(                                                                                                        \
      "{\n.reg .pred keep;\nsetp.ne.b32 keep, 1, 0;\n"                                                                 \
      "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32." TYPE "." TYPE " {" REGS "}, {" A "}, " B ", keep, 1, 1, 1;\n}" \
      : __VA_ARGS__                                                                                                    \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b))

// A0 .. A4: the numbers of the operands that follow the accumulators.
#define TILEWALK_WGMMA(N, REGS, A0, A1, A2, A3, A4, ...)                                          \
  template <>                                                                                     \
  struct Wgmma<N> {                                                                               \
    template <class T>                                                                            \
    static __device__ inline void ss(float (&acc)[N / 2], uint64_t a, uint64_t b, int keep_acc) { \
      if constexpr (std::is_same_v<T, __half>) {                                                  \
        TILEWALK_WGMMA_SS(N, "f16", REGS, A0, A1, A2, "0, 0", __VA_ARGS__);                       \
      } else {                                                                                    \
        TILEWALK_WGMMA_SS(N, "bf16", REGS, A0, A1, A2, "0, 0", __VA_ARGS__);                      \
      }                                                                                           \
    }                                                                                             \
    template <class T>                                                                            \
    static __device__ inline void tt(float (&acc)[N / 2], uint64_t a, uint64_t b, int keep_acc) { \
      if constexpr (std::is_same_v<T, __half>) {                                                  \
        TILEWALK_WGMMA_SS(N, "f16", REGS, A0, A1, A2, "1, 1", __VA_ARGS__);                       \
      } else {                                                                                    \
        TILEWALK_WGMMA_SS(N, "bf16", REGS, A0, A1, A2, "1, 1", __VA_ARGS__);                      \
      }                                                                                           \
    }                                                                                             \
    template <class T>                                                                            \
    static __device__ inline void rs(float (&acc)[N / 2], const uint32_t (&a)[4], uint64_t b) {   \
      if constexpr (std::is_same_v<T, __half>) {                                                  \
        TILEWALK_WGMMA_RS(N, "f16", REGS, A0 ", " A1 ", " A2 ", " A3, A4, __VA_ARGS__);           \
      } else {                                                                                    \
        TILEWALK_WGMMA_RS(N, "bf16", REGS, A0 ", " A1 ", " A2 ", " A3, A4, __VA_ARGS__);          \
      }                                                                                           \
    }                                                                                             \
  };

#define TILEWALK_REGS_0_15 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
#define TILEWALK_REGS_0_23 TILEWALK_REGS_0_15 ", %16, %17, %18, %19, %20, %21, %22, %23"
#define TILEWALK_REGS_0_31 TILEWALK_REGS_0_23 ", %24, %25, %26, %27, %28, %29, %30, %31"
#define TILEWALK_REGS_32_63                                                          \
  "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
  "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define TILEWALK_REGS_0_63 TILEWALK_REGS_0_31 ", " TILEWALK_REGS_32_63
#define TILEWALK_REGS_64_95                                                          \
  "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, " \
  "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95"
#define TILEWALK_REGS_96_127                                                                     \
  "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
  "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
#define TILEWALK_REGS_0_47 \
  TILEWALK_REGS_0_31 ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47"
#define TILEWALK_REGS_0_55 TILEWALK_REGS_0_47 ", %48, %49, %50, %51, %52, %53, %54, %55"
#define TILEWALK_REGS_0_79 \
  TILEWALK_REGS_0_63       \
  ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79"
#define TILEWALK_REGS_0_95 TILEWALK_REGS_0_63 ", " TILEWALK_REGS_64_95
#define TILEWALK_REGS_0_127 TILEWALK_REGS_0_63 ", " TILEWALK_REGS_64_95 ", " TILEWALK_REGS_96_127

TILEWALK_WGMMA(32, TILEWALK_REGS_0_15, "%16", "%17", "%18", "%19", "%20", TILEWALK_ACC8(0), TILEWALK_ACC8(8))
TILEWALK_WGMMA(48, TILEWALK_REGS_0_23, "%24", "%25", "%26", "%27", "%28", TILEWALK_ACC8(0), TILEWALK_ACC8(8),
               TILEWALK_ACC8(16))
TILEWALK_WGMMA(64, TILEWALK_REGS_0_31, "%32", "%33", "%34", "%35", "%36", TILEWALK_ACC32(0))
TILEWALK_WGMMA(128, TILEWALK_REGS_0_63, "%64", "%65", "%66", "%67", "%68", TILEWALK_ACC32(0), TILEWALK_ACC32(32))
TILEWALK_WGMMA(96, TILEWALK_REGS_0_47, "%48", "%49", "%50", "%51", "%52", TILEWALK_ACC32(0), TILEWALK_ACC8(32),
               TILEWALK_ACC8(40))
TILEWALK_WGMMA(112, TILEWALK_REGS_0_55, "%56", "%57", "%58", "%59", "%60", TILEWALK_ACC32(0), TILEWALK_ACC8(32),
               TILEWALK_ACC8(40), TILEWALK_ACC8(48))
TILEWALK_WGMMA(160, TILEWALK_REGS_0_79, "%80", "%81", "%82", "%83", "%84", TILEWALK_ACC32(0), TILEWALK_ACC32(32),
               TILEWALK_ACC8(64), TILEWALK_ACC8(72))
TILEWALK_WGMMA(192, TILEWALK_REGS_0_95, "%96", "%97", "%98", "%99", "%100", TILEWALK_ACC32(0), TILEWALK_ACC32(32),
               TILEWALK_ACC32(64))
TILEWALK_WGMMA(256, TILEWALK_REGS_0_127, "%128", "%129", "%130", "%131", "%132", TILEWALK_ACC32(0), TILEWALK_ACC32(32),
               TILEWALK_ACC32(64), TILEWALK_ACC32(96))

// acc = A B, both K-major in shared memory. The values before it are dead, so their registers are free until then.
template <class T, int N>
__device__ inline void wgmma_first(float (&acc)[N / 2], uint64_t a, uint64_t b) {
  static_assert(N == 64 || N == 128);
  constexpr int keep_acc = 0;
  if constexpr (N == 64 && std::is_same_v<T, __half>) {
    TILEWALK_WGMMA_SS(64, "f16", TILEWALK_REGS_0_31, "%32", "%33", "%34", "0, 0", TILEWALK_NEW32(0));
  } else if constexpr (N == 64) {
    TILEWALK_WGMMA_SS(64, "bf16", TILEWALK_REGS_0_31, "%32", "%33", "%34", "0, 0", TILEWALK_NEW32(0));
  } else if constexpr (std::is_same_v<T, __half>) {
    TILEWALK_WGMMA_SS(128, "f16", TILEWALK_REGS_0_63, "%64", "%65", "%66", "0, 0", TILEWALK_NEW32(0),
                      TILEWALK_NEW32(32));
  } else {
    TILEWALK_WGMMA_SS(128, "bf16", TILEWALK_REGS_0_63, "%64", "%65", "%66", "0, 0", TILEWALK_NEW32(0),
                      TILEWALK_NEW32(32));
  }
}

}  // namespace tilewalk::fast
