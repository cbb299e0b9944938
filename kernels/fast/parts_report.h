// Shared by parts.cu and parts_backward.cu: operands that need as much power as a kernel's, a thread block's span by
// the multiprocessor's own clocks, and the line of CSV for a part.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace tilewalk::fast {

struct Span {  // one block's
  long long cycles, nanoseconds;
};

__device__ inline long long nanoseconds() {
  long long t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  return t;
}

// Operands around 1, different in every place, so that products need the power that they need in a kernel.
template <class T>
__device__ void fill(unsigned char* shared, int bytes) {
  for (int i = threadIdx.x; i < bytes / 2; i += blockDim.x) {
    const unsigned mixed = (i * 2654435761u) ^ (blockIdx.x * 40503u);
    ((T*)shared)[i] = T(float(int(mixed >> 8 & 0xffff)) / 32768.0f - 1.0f);
  }
  __syncthreads();
}

struct PartLine {
  const char *part, *kernel;
  int d, br, bc, blocks;
};

// Launches several times and prints the line of the last launch: cycles a visit and GHz, the median of `spans` thread
// blocks.
template <class Launch>
void report(const PartLine& line, int visits, const Span* device_spans, int spans, Launch launch) {
  for (int i = 0; i < 5; ++i) launch();
  if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) {
    std::fprintf(stderr, "%s %s d %d: %s\n", line.part, line.kernel, line.d, cudaGetErrorString(error));
    return;
  }
  std::vector<Span> all(std::size_t(spans), Span{});
  cudaMemcpy(all.data(), device_spans, all.size() * sizeof(Span), cudaMemcpyDeviceToHost);
  std::sort(all.begin(), all.end(), [](const Span& a, const Span& b) { return a.cycles < b.cycles; });
  const Span mid = all[all.size() / 2];
  std::printf("%s,%s,%d,%d,%d,%d,%d,%.1f,%.4f\n", line.part, line.kernel, line.d, line.br, line.bc, line.blocks, visits,
              double(mid.cycles) / visits, double(mid.cycles) / double(mid.nanoseconds));
  std::fflush(stdout);
}

}  // namespace tilewalk::fast
