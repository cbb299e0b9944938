// Memory of one NVIDIA GPU for the race: allocated, filled with random numbers, sampled.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

namespace tilewalk {

template <class T>
__global__ void fill_random(T* to, long long count, unsigned long long seed) {
  const long long stride = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
    unsigned long long x = seed + 0x9e3779b97f4a7c15ull * (unsigned long long)(i + 1);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    x ^= x >> 31;
    const float u = ((unsigned)(x >> 32) + 1.0f) * 2.3283064e-10f, angle = (unsigned)x * 1.4629181e-9f;
    to[i] = T(sqrtf(-2.0f * logf(fminf(u, 1.0f))) * cosf(angle));
  }
}

template <class T>
__global__ void pick_samples(const T* from, long long count, float* to, long long samples) {
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < samples) to[i] = float(from[i * count / samples]);
}

// Memory of the GPU, freed by the destructor.
class GpuMemory {
 public:
  GpuMemory() = default;
  GpuMemory(const GpuMemory&) = delete;
  GpuMemory& operator=(const GpuMemory&) = delete;
  ~GpuMemory() { drop(); }
  bool take(std::int64_t bytes) {
    drop();
    if (cudaMalloc(&at_, std::size_t(std::max<std::int64_t>(bytes, 16))) == cudaSuccess) return true;
    at_ = nullptr;
    cudaGetLastError();  // the caller reports a failed allocation
    return false;
  }
  void drop() {
    if (at_) cudaFree(at_);
    at_ = nullptr;
  }
  void* at() const { return at_; }

 private:
  void* at_ = nullptr;
};

inline std::int64_t free_on_card() {
  std::size_t free = 0, all = 0;
  return cudaMemGetInfo(&free, &all) == cudaSuccess ? std::int64_t(free) : 0;
}

}  // namespace tilewalk
