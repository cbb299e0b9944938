// Times the CPU kernels side by side and writes raw samples as CSV to stdout, each with the peak measured around it:
//   cpu_attention_bench [SECONDS_A_CELL [THREADS…]]
// tiled: cpu_tiled. untiled: the same vector code with one tile of all keys, so that a panel's scores fill a stripe of
// n_kv x panel floats before they are used. square: the same vector code with a head's whole square of scores in
// memory, one thread, no mask. Both separate the gain of tiling from that of the vector code. naive: cpu_naive.
// tiled_dot, tiled_widened: bf16 by the dot product, and widened to fp32. ggml, ggml_fp16_keys, ggml_bf16_keys: ggml's
// ggml_flash_attn_ext, where CMake finds it (-Dggml_DIR), with K and V of that dtype and Q, sums and O in fp32; a
// result that differs from cpu_tiled's ends the program. gflops_peak is the fp32 FMA's, for tiled_dot the dot
// product's, the mean of before and after: of a rested clock, and of a clock lowered by the sample. ms is a call's wall
// clock, cpu_ms its processor time over all threads, which a busy machine disturbs less. gflops_at_clock, only for
// tiled rows: the same unit's multiply-adds straight after a further, untimed run, on that run's own threads, at the
// clock of that moment.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "base/small_float.h"
#include "kernels/cpu/panel_kernels.h"
#include "kernels/cpu/tiled.h"
#include "tests/bench/ggml_attention.h"

using namespace tilewalk;
using Clock = std::chrono::steady_clock;

namespace {

constexpr double kPeakSeconds = 0.002;
constexpr std::int64_t kBlockedKeys = 128;  // of the control's product P V, blocked for the cache like any good product
constexpr double kSameResult = 0.02;        // bf16 rounds P and O
constexpr int kLeastSamples = 7, kLargestSamples = 25;  // the first is a warm-up

struct Contender {
  const char* name;
  CpuDType dtype, peak;
  std::function<std::string(const CpuAttention&)> run;
  std::function<double(const CpuAttention&)> peak_at_clock;  // GFLOP/s; may be empty
  bool slow;                                                 // a quarter of the samples, bf16 only for the shorter n
  std::function<std::unique_ptr<PreparedAttention>(const CpuAttention&)> prepare = {};  // in place of run
};

double milliseconds(Clock::time_point from) {
  return std::chrono::duration<double, std::milli>(Clock::now() - from).count();
}

std::string untiled(const CpuAttention& a) { return cpu::tiled_with(a, {a.n_kv, 1, cpu::Bf16Way::Best}); }

struct FreeAligned {
  void operator()(float* space) const { std::free(space); }
};

// A head at a time, on one thread: all weights, then all of O; fp32, no mask, lengths a multiple of 16, kv_heads =
// heads.
std::string square(const CpuAttention& a) {
  const cpu::PanelKernels& kernels = cpu::fp32_kernels(false);
  const std::int64_t rows = kernels.rows, d = a.d, panels = (a.n_q + rows - 1) / rows, opening = 2 * kernels.key_step;
  const std::int64_t panel_floats = (2 * d + 2) * rows, weights = a.n_kv * rows;
  const std::unique_ptr<float, FreeAligned> space(
      static_cast<float*>(std::aligned_alloc(64, std::size_t(panels * (panel_floats + weights) * 4))));
  const std::vector<float> factors(std::size_t(d), a.scale * 1.44269504f);
  for (std::int64_t head = 0; head < a.heads; ++head) {
    const std::int64_t at = head * a.n_q * d;
    const auto visit_of = [&](std::int64_t panel) {
      float* const own = space.get() + panel * (panel_floats + weights);
      cpu::PanelVisit visit;
      visit.q = own, visit.o = own + d * rows, visit.m = own + 2 * d * rows, visit.l = visit.m + rows;
      visit.p = own + panel_floats;
      visit.k = static_cast<const float*>(a.k) + at, visit.v = static_cast<const float*>(a.v) + at;
      visit.k_stride = visit.v_stride = visit.d = visit.columns = d;
      return visit;
    };
    for (std::int64_t panel = 0; panel < panels; ++panel) {
      cpu::PanelVisit visit = visit_of(panel);
      float* const q = space.get() + panel * (panel_floats + weights);
      std::fill(q, q + panel_floats, 0.0f);
      const std::int64_t held = std::min(rows, a.n_q - panel * rows);
      cpu::transpose(static_cast<const float*>(a.q) + at + panel * rows * d, d, held, d, factors.data(), q, rows);
      visit.keys = opening;
      kernels.weights_careful(visit);
      visit.k = static_cast<const float*>(visit.k) + opening * d;
      visit.p = static_cast<float*>(visit.p) + opening * rows;
      visit.keys = a.n_kv - opening;
      if (!kernels.weights(visit)) return "scores too far apart for the control";
    }
    for (std::int64_t panel = 0; panel < panels; ++panel) {
      cpu::PanelVisit visit = visit_of(panel);
      for (std::int64_t key = 0; key < a.n_kv; key += kBlockedKeys) {
        cpu::PanelVisit some = visit;
        some.p = static_cast<float*>(visit.p) + key * rows;
        some.v = static_cast<const float*>(visit.v) + key * d;
        some.keys = std::min(kBlockedKeys, a.n_kv - key);
        kernels.accumulate(some);
      }
      std::vector<float> inverse;
      const std::int64_t held = std::min(rows, a.n_q - panel * rows);
      for (std::int64_t r = 0; r < held; ++r) inverse.push_back(1 / visit.l[r]);
      cpu::transpose(visit.o, rows, d, held, inverse.data(), static_cast<float*>(a.o) + at + panel * rows * d, d);
    }
  }
  return {};
}

std::vector<Contender> contenders() {
  const auto by = [](cpu::Bf16Way way) {
    return [way](const CpuAttention& a) { return cpu::tiled_with(a, {0, 0, way}); };
  };
  const auto peak_after = [](cpu::Bf16Way way) {
    return [way](const CpuAttention& a) { return cpu::fma_peak_after(a, {0, 0, way}); };
  };
  using cpu::Bf16Way;
  std::vector<Contender> all = {
      {"tiled", CpuDType::Fp32, CpuDType::Fp32, cpu_tiled, cpu_fma_peak_after_tiled_gflops, false},
      {"untiled", CpuDType::Fp32, CpuDType::Fp32, untiled, {}, false},
      {"square", CpuDType::Fp32, CpuDType::Fp32, square, {}, false},
      {"tiled_widened", CpuDType::Bf16, CpuDType::Fp32, by(Bf16Way::Widen), peak_after(Bf16Way::Widen), false},
      {"tiled_dot", CpuDType::Bf16, CpuDType::Bf16, by(Bf16Way::Dot), peak_after(Bf16Way::Dot), false},
      {"naive", CpuDType::Fp32, CpuDType::Fp32, cpu_naive, {}, true},
      {"naive", CpuDType::Bf16, CpuDType::Fp32, cpu_naive, {}, true},
  };
  if (!cpu_has_bf16_dot()) all.erase(all.begin() + 4);
  if (ggml_name().empty()) return all;
  const auto by_ggml = [&](const char* name, CpuDType dtype, GgmlKeys keys, bool slow) {
    const auto prepare = [keys](const CpuAttention& a) { return prepare_ggml(a, keys); };
    all.push_back({name, dtype, CpuDType::Fp32, {}, {}, slow, prepare});
  };
  by_ggml("ggml", CpuDType::Fp32, GgmlKeys::Fp32, false);
  by_ggml("ggml_fp16_keys", CpuDType::Bf16, GgmlKeys::Fp16, false);
  by_ggml("ggml_bf16_keys", CpuDType::Bf16, GgmlKeys::Bf16, true);
  return all;
}

// The largest difference from cpu_tiled's O, over its largest value.
double distance_from_tiled(const CpuAttention& a, const std::vector<float>& o) {
  std::vector<float> ours(o.size());
  std::vector<std::uint16_t> ours16(o.size());
  CpuAttention tiled = a;
  const bool fp32 = a.dtype == CpuDType::Fp32;
  tiled.o = fp32 ? static_cast<void*>(ours.data()) : ours16.data();
  if (!cpu_tiled(tiled).empty()) return INFINITY;
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < o.size(); ++i) {
    const double want = fp32 ? ours[i] : float_from_bf16(ours16[i]), apart = std::fabs(o[i] - want);
    if (!(apart <= worst)) worst = apart;  // a NaN stays
    largest = std::max(largest, std::fabs(want));
  }
  return worst / largest;
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

  const std::vector<Contender> all = contenders();
  std::vector<std::unique_ptr<PreparedAttention>> prepared(all.size());
  const auto start = Clock::now();
  for (int sample = 0; sample < kLargestSamples; ++sample) {
    if (sample >= kLeastSamples && milliseconds(start) > seconds * 1e3) break;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Contender& c = all[i];
      if (c.slow && (sample % 4 != 0 || (n > 2048 && c.dtype == CpuDType::Bf16))) continue;
      if (c.name == std::string("square") && (threads > 1 || mask != CpuMask::None)) continue;
      CpuAttention a;
      const bool fp32 = c.dtype == CpuDType::Fp32;
      a.q = fp32 ? static_cast<const void*>(q.data()) : q16.data();
      a.k = fp32 ? static_cast<const void*>(k.data()) : k16.data();
      a.v = fp32 ? static_cast<const void*>(v.data()) : v16.data();
      a.o = o.data();
      a.heads = a.kv_heads = heads, a.n_q = a.n_kv = n, a.d = d;
      a.dtype = c.dtype, a.mask = mask, a.scale = float(1 / std::sqrt(double(d))), a.threads = threads;
      if (c.prepare && !prepared[i]) prepared[i] = c.prepare(a);
      const double peak_before = cpu_fma_peak_gflops(threads, c.peak, kPeakSeconds);
      const std::clock_t cpu_from = std::clock();
      const auto from = Clock::now();
      std::string wrong;
      if (c.prepare)
        prepared[i]->run();
      else
        wrong = c.run(a);
      const double ms = milliseconds(from), cpu_ms = double(std::clock() - cpu_from) * 1e3 / CLOCKS_PER_SEC;
      if (c.slow) std::this_thread::sleep_for(std::chrono::milliseconds(60));  // OpenBLAS's threads still spin
      const double peak_after = cpu_fma_peak_gflops(threads, c.peak, kPeakSeconds);
      if (c.prepare && sample == 0 && !(distance_from_tiled(a, prepared[i]->output()) < kSameResult))
        wrong = "another result than cpu_tiled's";
      if (!wrong.empty()) {
        std::fprintf(stderr, "%s: %s\n", c.name, wrong.c_str());
        std::exit(2);
      }
      if (sample == 0 && !c.slow) continue;
      std::printf("%s,%s,%d,%d,1,%d,%d,%d,%d,%.4f,%.1f,%.4f,%.3f,", c.name, fp32 ? "fp32" : "bf16", int(d), int(heads),
                  int(n), mask != CpuMask::None, threads, sample, ms, (peak_before + peak_after) / 2,
                  cpu_tiled_flops(a) * 1e-9, cpu_ms);
      if (c.peak_at_clock) std::printf("%.1f", c.peak_at_clock(a));
      std::printf("\n");
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
  std::printf("# blas: %s\n", cpu_blas_name().c_str());
  if (!ggml_name().empty()) std::printf("# ggml: %s\n", ggml_name().c_str());
  std::printf(
      "contender,dtype,d,heads,batch,n,causal,threads,sample,ms,gflops_peak,gflop_visited,cpu_ms,gflops_at_clock\n");
  for (const int t : threads) {
    for (const std::int64_t n : {2048, 8192}) {
      for (const std::int64_t d : {64, 128}) {
        for (const CpuMask mask : {CpuMask::None, CpuMask::CausalTopLeft}) measure_cell(n, d, mask, t, seconds);
      }
    }
  }
}
