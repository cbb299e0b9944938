// Recorders of a fast kernel's build. Silent writes nothing and costs nothing: races use it. Stamps writes when each
// role of a thread block ended what; State writes m, l and O of each tile visit. Each thread that may write has a
// Recorder; a build without one has no code at its calls.
#pragma once

#include <cuda_runtime.h>

#include "kernels/fast/forward_args.h"
#include "kernels/fast/softmax.h"
#include "measured/stamp.h"

namespace tilewalk::fast {

// Roles of a thread block that stamp. A watcher is a thread of the producer's warpgroup that sees tiles arrive.
enum StampLane { kProducerLane = 0, kWatcherLane = 1, kConsumerLane = 2 };
constexpr int kStampLanes = 5;

struct Silent {
  static constexpr bool watches = false;
  struct Recorder {
    __device__ Recorder(const Silent&, int) {}
    __device__ void mark(Stamp, int) {}
    template <int kCount>
    __device__ void hold(float (&)[kCount]) {}
    __device__ void sums(const ForwardArgs&, int, int, int, const float (&)[2], const float (&)[2]) {}
    template <int kCount>
    __device__ void output(const ForwardArgs&, int, int, int, const float (&)[kCount]) {}
    __device__ void joined(const ForwardArgs&, int, int, int, int, const float4&, float) {}
    __device__ void leave() {}
  };
};

// A stamp says what ended (measured/stamp.h), for which tile, and when by the multiprocessor's own clock (its low 32
// bits). Its interval begins at the lane's previous stamp. 8 bytes: x = what << 24 | tile + 1, y = clock.
struct Stamps {
  uint2* out;                // [blocks][kStampLanes][capacity], zeroed: a stamp of 0 was not written
  unsigned long long* ends;  // [blocks][5]: multiprocessor; clock64 and globaltimer (ns) at first and last stamp
  int blocks, capacity;
  static constexpr bool watches = true;

  struct Recorder {  // few registers, for the consumers have none to spare
    const Stamps& s;
    int lane, left = 0;  // room for more stamps; 0 for threads that do not stamp

    __device__ Recorder(const Stamps& stamps, int of_lane) : s(stamps), lane(of_lane) {
      if ((int)blockIdx.x >= s.blocks || threadIdx.x % (lane >= kConsumerLane ? 128 : 32) != 0) return;
      left = s.capacity;
      if (lane == kConsumerLane) {
        unsigned sm;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
        s.ends[blockIdx.x * 5] = sm;
        note(1);
      }
      mark(Stamp::Start, -1);
    }
    __device__ void note(int place) {
      unsigned long long clock, ns;
      asm volatile("mov.u64 %0, %%clock64;\n\tmov.u64 %1, %%globaltimer;" : "=l"(clock), "=l"(ns)::"memory");
      s.ends[blockIdx.x * 5 + place] = clock;
      s.ends[blockIdx.x * 5 + place + 1] = ns;
    }
    __device__ void mark(Stamp what, int tile) {
      if (left == 0) return;
      unsigned clock;
      asm volatile("mov.u32 %0, %%clock;" : "=r"(clock)::"memory");
      const uint2* const to = s.out + ((long long)(blockIdx.x * kStampLanes + lane + 1) * s.capacity - left--);
      asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(to), "r"((unsigned)(char)what << 24 | (unsigned)(tile + 1)),
                   "r"(clock)
                   : "memory");
    }
    // Arithmetic on these registers is not moved across the next stamp.
    template <int kCount>
    __device__ void hold(float (&r)[kCount]) {
#pragma unroll
      for (int i = 0; i < kCount; ++i) asm volatile("" : "+f"(r[i])::"memory");
    }
    __device__ void sums(const ForwardArgs&, int, int, int, const float (&)[2], const float (&)[2]) {}
    template <int kCount>
    __device__ void output(const ForwardArgs&, int, int, int, const float (&)[kCount]) {}
    __device__ void joined(const ForwardArgs&, int, int, int, int, const float4&, float) {}
    __device__ void leave() {
      if (lane == kConsumerLane && threadIdx.x % 128 == 0 && (int)blockIdx.x < s.blocks) note(3);
    }
  };
};

// m (in raw products: times c it is in log2 units), l of whole rows and unnormalised O after a visit, O before a later
// visit's rescale. Rows that skip a visit keep the buffer's old content.
struct State {
  float* m;  // [heads][KV tiles][n_q]
  float* l;  // the same
  float* o;  // [heads][KV tiles][n_q][d]
  int tiles;
  static constexpr bool watches = false;

  struct Recorder {
    const State& s;
    __device__ Recorder(const State& state, int) : s(state) {}
    __device__ void mark(Stamp, int) {}
    template <int kCount>
    __device__ void hold(float (&)[kCount]) {}
    // row: the first of the thread's two, which are 8 apart.
    __device__ void sums(const ForwardArgs& a, int head, int tile, int row, const float (&m)[2], const float (&l)[2]) {
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const float sum = quad_sum(l[h]);
        if (threadIdx.x % 4 != 0 || row + 8 * h >= a.n_q) continue;
        const long long place = ((long long)head * s.tiles + tile) * a.n_q + row + 8 * h;
        s.m[place] = m[h];
        s.l[place] = sum;
      }
    }
    template <int kCount>
    __device__ void output(const ForwardArgs& a, int head, int tile, int row, const float (&o)[kCount]) {
#pragma unroll
      for (int e = 0; e < kCount; ++e) {
        const int at = row + (e / 2 % 2) * 8, column = e / 4 * 8 + 2 * (threadIdx.x % 4) + e % 2;
        if (at >= a.n_q || column >= a.d) continue;
        s.o[(((long long)head * s.tiles + tile) * a.n_q + at) * a.d + column] = o[e];
      }
    }
    // For a kernel that keeps O normalised with its log-sum-exp (log2 units): m is that log-sum-exp; l is 1.
    __device__ void joined(const ForwardArgs& a, int head, int tile, int row, int column, const float4& o, float lse) {
      const long long place = ((long long)head * s.tiles + tile) * a.n_q + row;
      s.m[place] = lse;
      s.l[place] = lse == minus_infinity() ? 0.0f : 1.0f;
      *(float4*)(s.o + place * a.d + column) = o;
    }
    __device__ void leave() {}
  };
};

}  // namespace tilewalk::fast
