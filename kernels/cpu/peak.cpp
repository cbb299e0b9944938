// Compiled once for each instruction set: the rate of multiply-adds that wait for nothing.
#include "kernels/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/peak.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tilewalk::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// FLOPs done by `rounds` rounds: enough chains that none waits for its own result, few enough for 16 registers.
double multiply_adds(long rounds, float* sink) {
  const hn::ScalableTag<float> d;
  constexpr int kChains = 12;
  hn::Vec<decltype(d)> chain[kChains];
  const auto factor = hn::Set(d, 0.5f);
  const auto term = hn::Set(d, sink[0]);
  TILEWALK_UNROLL
  for (int i = 0; i < kChains; ++i) chain[i] = hn::Set(d, float(i));
  for (long round = 0; round < rounds; ++round) {
    TILEWALK_UNROLL
    for (int i = 0; i < kChains; ++i) chain[i] = hn::MulAdd(chain[i], factor, term);
  }
  TILEWALK_UNROLL
  for (int i = 1; i < kChains; ++i) chain[0] = hn::Add(chain[0], chain[i]);
  sink[0] += hn::GetLane(chain[0]);
  return 2.0 * kChains * double(hn::Lanes(d)) * double(rounds);
}

}  // namespace HWY_NAMESPACE
}  // namespace tilewalk::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <string>
#include <vector>

#include "kernels/cpu/bf16_dot.h"
#include "kernels/cpu/cpu_attention.h"
#include "kernels/cpu/panel_kernels.h"
#include "kernels/cpu/workers.h"

namespace tilewalk::cpu {
namespace {

HWY_EXPORT(multiply_adds);

// Short slices, each timed by itself; the best of them is what the thread can do when nobody else runs.
double fp32_gflops(double seconds) {
  using Clock = std::chrono::steady_clock;
  float sink[1] = {1};
  double best = 0;
  const auto start = Clock::now();
  do {
    const auto from = Clock::now();
    const double flops = HWY_DYNAMIC_DISPATCH(multiply_adds)(150000, sink);
    best = std::max(best, flops / std::chrono::duration<double, std::nano>(Clock::now() - from).count());
  } while (std::chrono::duration<double>(Clock::now() - start).count() < seconds);
  return sink[0] == 0 ? 0 : best;
}

}  // namespace
}  // namespace tilewalk::cpu

namespace tilewalk {

double cpu_fma_peak_gflops(int threads, CpuDType dtype, double seconds) {
  if (dtype == CpuDType::Bf16 && !cpu_has_bf16_dot()) return 0;
  std::vector<double> rates(std::size_t(std::max(threads, 1)), 0.0);
  cpu::on_threads(std::max(threads, 1), [&](int thread) {
    rates[std::size_t(thread)] = dtype == CpuDType::Fp32 ? cpu::fp32_gflops(seconds) : cpu::bf16_dot_gflops(seconds);
  });
  double sum = 0;
  for (const double rate : rates) sum += rate;
  return sum;
}

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  std::string model = "CPU";
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("model name", 0) != 0 || line.find(": ") == std::string::npos) continue;
    model = line.substr(line.find(": ") + 2);
    break;
  }
  return model + ", " + cpu::fp32_target_name();
}

}  // namespace tilewalk
#endif
