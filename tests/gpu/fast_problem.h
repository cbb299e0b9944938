// Problems for the tests of the fast kernels: shapes, random inputs, and outputs between guard bands. Included by one
// file of each test.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "kernels/fast/fast_attention.h"

namespace {

constexpr size_t kGuard = 1024;
constexpr unsigned char kGuardByte = 0xa5, kPoison = 0xff;

void must(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::printf("FAILED %s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

struct Shape {
  long long batch, heads, kv_heads, n_q, n_kv, d;
  int mask;
  float spread;  // standard deviation of Q and K
  bool rising;   // keys grow towards the first, so that the running max rises again and again
};

// Device bytes between two guard bands.
struct Guarded {
  unsigned char* base = nullptr;
  size_t bytes = 0;
  explicit Guarded(size_t size) : bytes(size) { must(cudaMalloc(&base, size + 2 * kGuard), "cudaMalloc"); }
  ~Guarded() { cudaFree(base); }
  Guarded(const Guarded&) = delete;
  unsigned char* data() const { return base + kGuard; }
  void poison() const {
    must(cudaMemset(base, kGuardByte, bytes + 2 * kGuard), "cudaMemset");
    must(cudaMemset(data(), kPoison, bytes), "cudaMemset");
  }
  bool guards_hold() const {
    std::vector<unsigned char> all(bytes + 2 * kGuard);
    must(cudaMemcpy(all.data(), base, all.size(), cudaMemcpyDeviceToHost), "read guards");
    const auto intact = [](unsigned char byte) { return byte == kGuardByte; };
    return std::all_of(all.begin(), all.begin() + kGuard, intact) && std::all_of(all.end() - kGuard, all.end(), intact);
  }
  template <class V>
  std::vector<V> read() const {
    std::vector<V> out(bytes / sizeof(V));
    must(cudaMemcpy(out.data(), data(), bytes, cudaMemcpyDeviceToHost), "read output");
    return out;
  }
};

template <class T>
__device__ float as_float(T x) {
  return float(x);
}

template <class T>
T* upload(long long rows, const Shape& s, float spread, bool rising, std::mt19937_64& random) {
  std::vector<T> host(size_t(rows * s.d));
  std::normal_distribution<float> normal(0.0f, spread);
  for (size_t e = 0; e < host.size(); ++e) {
    const long long key = (long long)e / s.d % s.n_kv;
    host[e] = T(normal(random) * (rising ? 1.0f + 3.0f * float(s.n_kv - key) / float(s.n_kv) : 1.0f));
  }
  T* device = nullptr;
  must(cudaMalloc(&device, host.size() * sizeof(T)), "cudaMalloc");
  must(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice), "upload");
  return device;
}

Shape random_shape(std::mt19937_64& random) {
  const auto from = [&](long long low, long long high) {
    return std::uniform_int_distribution<long long>(low, high)(random);
  };
  Shape s{};
  s.batch = from(1, 2);
  s.kv_heads = from(1, 2);
  s.heads = s.kv_heads * from(1, 3);
  const long long most = from(0, 9) == 0 ? 700 : 270;  // few span more than two tiles of 128
  s.n_q = from(1, most), s.n_kv = from(1, most);
  s.d = from(0, 2) == 0 ? 64 * (1ll << from(0, 2)) : from(1, 256);
  s.mask = int(from(0, 2));
  s.spread = 0.25f * float(from(1, 12));
  s.rising = from(0, 3) == 0;
  return s;
}

}  // namespace
