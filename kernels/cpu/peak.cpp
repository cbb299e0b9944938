// Compiled once for each instruction set: the rate of independent multiply-adds.
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
#include <array>
#include <chrono>
#include <fstream>
#include <string>
#include <vector>

#include "kernels/cpu/bf16_dot.h"
#include "kernels/cpu/cpu_attention.h"
#include "kernels/cpu/panel_kernels.h"
#include "kernels/cpu/peak.h"
#include "kernels/cpu/workers.h"

namespace tilewalk::cpu {
namespace {

HWY_EXPORT(multiply_adds);

// Rounds of a slice of about 20 µs: 48,000 cycles at two multiply-adds of fp32, or one dot product, a cycle.
constexpr long kFmaRounds = 8000, kDotRounds = 2000;
constexpr long kRestedSlices = 20;  // of those in one slice after a rest
constexpr std::size_t kSettling = 2, kSlices = 14;

bool has(Unit unit) { return unit == Unit::Fp32Fma || cpu_has_bf16_dot(); }

double slice_gflops(Unit unit, long slices, float* sink) {
  using Clock = std::chrono::steady_clock;
  const auto from = Clock::now();
  const double flops = unit == Unit::Bf16Dot ? bf16_dots(slices * kDotRounds, sink)
                                             : HWY_DYNAMIC_DISPATCH(multiply_adds)(slices * kFmaRounds, sink);
  return flops / std::chrono::duration<double, std::nano>(Clock::now() - from).count();
}

}  // namespace

double rested_gflops(Unit unit, double seconds) {
  using Clock = std::chrono::steady_clock;
  if (!has(unit)) return 0;
  float sink[1] = {1};
  double best = 0;  // the thread's rate while nothing else runs
  const auto start = Clock::now();
  do {
    best = std::max(best, slice_gflops(unit, kRestedSlices, sink));
  } while (std::chrono::duration<double>(Clock::now() - start).count() < seconds);
  return sink[0] == 0 ? 0 : best;
}

double working_gflops(Unit unit) {
  if (!has(unit)) return 0;
  float sink[1] = {1};
  std::array<double, kSlices> rates;
  for (double& rate : rates) rate = slice_gflops(unit, 1, sink);
  const auto middle = rates.begin() + (kSettling + kSlices) / 2;
  std::nth_element(rates.begin() + kSettling, middle, rates.end());
  return sink[0] == 0 ? 0 : *middle;
}

}  // namespace tilewalk::cpu

namespace tilewalk {

double cpu_fma_peak_gflops(int threads, CpuDType dtype, double seconds) {
  const cpu::Unit unit = dtype == CpuDType::Fp32 ? cpu::Unit::Fp32Fma : cpu::Unit::Bf16Dot;
  std::vector<double> rates(std::size_t(std::max(threads, 1)), 0.0);
  cpu::on_threads(std::max(threads, 1),
                  [&](int thread) { rates[std::size_t(thread)] = cpu::rested_gflops(unit, seconds); });
  double sum = 0;
  for (const double rate : rates) sum += rate;
  return sum;
}

// The name of a virtual machine's processor may be only "Intel(R) Xeon(R) Processor": then its model number identifies
// it.
std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  std::string name = "CPU", number;
  const auto value = [](const std::string& line) {
    const std::size_t colon = line.find(": ");
    return colon == std::string::npos ? std::string() : line.substr(colon + 2);
  };
  for (std::string line; std::getline(info, line) && !line.empty();) {
    if (line.rfind("model name", 0) == 0 && !value(line).empty())
      name = value(line);
    else if (line.rfind("model", 0) == 0)
      number = value(line);
  }
  const bool says_which = name.find_first_of("0123456789") != std::string::npos;
  return name + (says_which || number.empty() ? "" : ", model " + number) + ", " + cpu::fp32_target_name();
}

}  // namespace tilewalk
#endif
