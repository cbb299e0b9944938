// For head sizes that are not a multiple of 8: copies tensors into rows of the next multiple, padded with zeros, and
// copies a kernel's results back. The copies are in the problem's workspace, after the work counter.
#pragma once

#include <algorithm>

#include "kernels/fast/problem_args.h"

namespace tilewalk::fast {

// by_query: for a tensor like Q and O; else like K and V.
inline long long rows_of(const TilewalkFastProblem& p, bool by_query) {
  return by_query ? p.batch * p.heads * p.n_q : p.batch * p.kv_heads * p.n_kv;
}

inline size_t padded_bytes(const TilewalkFastProblem& p, bool by_query) {
  return (size_t)(rows_of(p, by_query) * padded_d(p.d) * 2 + 255) / 256 * 256;
}

// The work counter and, where d is not a multiple of 8, that many padded tensors.
inline size_t padding_bytes(const TilewalkFastProblem& p, int by_query, int by_key) {
  if (padded_d(p.d) == p.d) return kCounterBytes;
  return kCounterBytes + by_query * padded_bytes(p, true) + by_key * padded_bytes(p, false);
}

// Copies rows of `from_d` elements into rows of `to_d`: the overlap, and zeros beyond it.
__global__ static void copy_rows(const unsigned short* from, unsigned short* to, long long rows, int from_d, int to_d) {
  const long long stride = (long long)gridDim.x * blockDim.x;
  for (long long e = (long long)blockIdx.x * blockDim.x + threadIdx.x; e < rows * to_d; e += stride) {
    const long long row = e / to_d;
    const int x = (int)(e % to_d);
    to[e] = x < from_d ? from[row * from_d + x] : (unsigned short)0;
  }
}

inline void launch_copy(const void* from, void* to, long long rows, long long from_d, long long to_d,
                        cudaStream_t stream) {
  const long long blocks = std::min<long long>((rows * to_d + 255) / 256, 65535);
  copy_rows<<<(int)blocks, 256, 0, stream>>>((const unsigned short*)from, (unsigned short*)to, rows, (int)from_d,
                                             (int)to_d);
}

// Copies rows of kFrom chunks of 16 bytes to the beginnings of rows of `to` chunks, and zeros into the chunk after an
// odd number, so that whole pieces of 32 bytes are written. Fewer than 2^31 chunks.
template <int kFrom>
__global__ static void __launch_bounds__(256)
    spread_rows(const uint4* k, const uint4* v, uint4* out, int rows, int to) {
  constexpr int kWritten = (kFrom + 1) / 2 * 2, kEach = 4;
  const uint4* const from = blockIdx.y == 0 ? k : v;
  uint4* const place = out + (long long)blockIdx.y * rows * to;
  const int first = blockIdx.x * 256 * kEach + threadIdx.x, end = rows * kWritten;
  uint4 values[kEach];
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int at = first + i * 256, row = at / kWritten, x = at % kWritten;
    values[i] = at < end && x < kFrom ? __ldcs(from + row * kFrom + x) : uint4{0, 0, 0, 0};
  }
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int at = first + i * 256, row = at / kWritten, x = at % kWritten;
    if (at < end) place[row * to + x] = values[i];
  }
}

template <int kFrom>
inline void launch_spread(const void* k, const void* v, void* out, int rows, int to, cudaStream_t stream) {
  const int chunks = rows * ((kFrom + 1) / 2 * 2);
  spread_rows<kFrom>
      <<<dim3((chunks + 1023) / 1024, 2), 256, 0, stream>>>((const uint4*)k, (const uint4*)v, (uint4*)out, rows, to);
}

// The padded copies of a problem's tensors, one after the other in its workspace; the tensors themselves where d needs
// no padding.
class Padding {
 public:
  Padding(const TilewalkFastProblem& p, cudaStream_t stream)
      : p_(p), padded_d_(padded_d(p.d)), place_((unsigned char*)p.workspace + kCounterBytes), stream_(stream) {}

  const void* in(const void* tensor, bool by_query) {
    if (padded_d_ == p_.d) return tensor;
    void* const copy = take(by_query);
    launch_copy(tensor, copy, rows_of(p_, by_query), p_.d, padded_d_, stream_);
    return copy;
  }
  void* room(void* tensor, bool by_query) { return padded_d_ == p_.d ? tensor : take(by_query); }
  void out(const void* copy, void* tensor, bool by_query) const {
    if (padded_d_ != p_.d) launch_copy(copy, tensor, rows_of(p_, by_query), padded_d_, p_.d, stream_);
  }

 private:
  void* take(bool by_query) {
    void* const taken = place_;
    place_ += padded_bytes(p_, by_query);
    return taken;
  }
  const TilewalkFastProblem& p_;
  long long padded_d_;
  unsigned char* place_;  // of the next copy
  cudaStream_t stream_;
};

}  // namespace tilewalk::fast
