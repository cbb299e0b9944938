// Times the CPU kernels side by side and writes raw samples as CSV to stdout, each with the peak measured around it:
//   cpu_attention_bench [SECONDS_A_CELL [THREADS…]]
// tiled: cpu_tiled. untiled: the same vector code with one tile of all keys, so that a panel's scores fill a stripe of
// n_kv x panel floats before they are used: what tiling buys, apart from what the vector code buys. naive: cpu_naive.
// tiled_dot, tiled_widened: bf16 by the dot product, and widened to fp32.
// gflops_peak is the fp32 FMA's, for tiled_dot the dot product's. Work and times are a call's, wall clock.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

#include "base/small_float.h"
#include "kernels/cpu/tiled.h"

using namespace tilewalk;
using Clock = std::chrono::steady_clock;

namespace {

constexpr double kPeakSeconds = 0.002;
constexpr int kLeastSamples = 7, kLargestSamples = 25;  // the first is a warm-up

struct Contender {
  const char* name;
  CpuDType dtype, peak;
  std::function<std::string(const CpuAttention&)> run;
  bool fills_square;  // slow: a quarter of the samples
};

double milliseconds(Clock::time_point from) {
  return std::chrono::duration<double, std::milli>(Clock::now() - from).count();
}

std::string untiled(const CpuAttention& a) { return cpu::tiled_with(a, {a.n_kv, 1, cpu::Bf16Way::Best}); }

std::vector<Contender> contenders() {
  const auto by = [](cpu::Bf16Way way) { return [way](const CpuAttention& a) { return cpu::tiled_with(a, {0, 0, way}); }; };
  std::vector<Contender> all = {
      {"tiled", CpuDType::Fp32, CpuDType::Fp32, cpu_tiled, false},
      {"untiled", CpuDType::Fp32, CpuDType::Fp32, untiled, false},
      {"tiled_widened", CpuDType::Bf16, CpuDType::Fp32, by(cpu::Bf16Way::Widen), false},
      {"tiled_dot", CpuDType::Bf16, CpuDType::Bf16, by(cpu::Bf16Way::Dot), false},
      {"naive", CpuDType::Fp32, CpuDType::Fp32, cpu_naive, true},
      {"naive", CpuDType::Bf16, CpuDType::Fp32, cpu_naive, true},
  };
  if (!cpu_has_bf16_dot()) all.erase(all.begin() + 3);
  return all;
}

void measure_cell(std::int64_t n, std::int64_t d, CpuMask mask, int threads, double seconds) {
  const std::int64_t heads = n >= 8192 ? 2 : 8;
  std::vector<float> q(std::size_t(heads * n * d)), k(q), v(q), o(q);
  std::uint32_t state = 1;
  for (std::vector<float>* t : {&q, &k, &v}) {
    for (float& x : *t) {
      float sum = 0;
      for (int i = 0; i < 4; ++i) sum += float((state = state * 1664525u + 1013904223u) >> 8) * 0x1p-24f - 0.5f;
      x = sum * 1.7f;  // near normal
    }
  }
  std::vector<std::uint16_t> q16, k16, v16;
  for (const float x : q) q16.push_back(bf16_from_float(x));
  for (const float x : k) k16.push_back(bf16_from_float(x));
  for (const float x : v) v16.push_back(bf16_from_float(x));

  const auto start = Clock::now();
  for (int sample = 0; sample < kLargestSamples; ++sample) {
    if (sample >= kLeastSamples && milliseconds(start) > seconds * 1e3) break;
    for (const Contender& c : contenders()) {
      if (c.fills_square && sample % 4 != 0) continue;
      CpuAttention a;
      const bool fp32 = c.dtype == CpuDType::Fp32;
      a.q = fp32 ? static_cast<const void*>(q.data()) : q16.data();
      a.k = fp32 ? static_cast<const void*>(k.data()) : k16.data();
      a.v = fp32 ? static_cast<const void*>(v.data()) : v16.data();
      a.o = o.data();
      a.heads = a.kv_heads = heads, a.n_q = a.n_kv = n, a.d = d;
      a.dtype = c.dtype, a.mask = mask, a.scale = float(1 / std::sqrt(double(d))), a.threads = threads;
      const double peak_before = cpu_fma_peak_gflops(threads, c.peak, kPeakSeconds);
      const auto from = Clock::now();
      const std::string wrong = c.run(a);
      const double ms = milliseconds(from);
      if (c.fills_square) std::this_thread::sleep_for(std::chrono::milliseconds(60));  // OpenBLAS's threads still spin
      const double peak_after = cpu_fma_peak_gflops(threads, c.peak, kPeakSeconds);
      if (!wrong.empty()) {
        std::fprintf(stderr, "%s: %s\n", c.name, wrong.c_str());
        std::exit(2);
      }
      if (sample == 0 && !c.fills_square) continue;
      std::printf("%s,%s,%d,%d,1,%d,%d,%d,%d,%.4f,%.1f,%.4f\n", c.name, fp32 ? "fp32" : "bf16", int(d), int(heads), int(n),
                  mask != CpuMask::None, threads, sample, ms, (peak_before + peak_after) / 2,
                  cpu_tiled_flops(a) * 1e-9);
    }
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 3;
  std::vector<int> threads;
  for (int i = 2; i < argc; ++i) threads.push_back(std::atoi(argv[i]));
  if (threads.empty()) threads = {1, 2};
  std::printf("# cpu: %s, %u hardware threads, bf16 dot product: %s\n", cpu_name().c_str(),
              std::thread::hardware_concurrency(), cpu_has_bf16_dot() ? "yes" : "no");
  std::printf("contender,dtype,d,heads,batch,n,causal,threads,sample,ms,gflops_peak,gflop_visited\n");
  for (const int t : threads) {
    for (const std::int64_t n : {2048, 8192}) {
      for (const std::int64_t d : {64, 128}) {
        for (const CpuMask mask : {CpuMask::None, CpuMask::CausalTopLeft}) measure_cell(n, d, mask, t, seconds);
      }
    }
  }
}
