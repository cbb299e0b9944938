// Other promises of the CPU kernels: the exponential's error, memory, counted work, and refusals.
#include <hwy/highway.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
#include <vector>

#include "kernels/cpu/cpu_attention.h"
#include "kernels/cpu/panel_kernels.h"
#include "kernels/cpu/row_softmax.h"
#include "kernels/cpu/tiled.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

std::atomic<std::int64_t> bytes_asked{0};

void* counted(std::size_t bytes, std::size_t alignment) {
  bytes_asked += std::int64_t(bytes);
  return std::aligned_alloc(alignment, (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment);
}

void* counted_or_throw(std::size_t bytes, std::size_t alignment) {
  if (void* const space = counted(bytes, alignment)) return space;
  throw std::bad_alloc();
}

}  // namespace

// All of this program's allocations are counted.
void* operator new(std::size_t bytes) { return counted_or_throw(bytes, 16); }
void* operator new[](std::size_t bytes) { return counted_or_throw(bytes, 16); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return counted(bytes, 16); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return counted(bytes, 16); }
void* operator new(std::size_t bytes, std::align_val_t a) { return counted_or_throw(bytes, std::size_t(a)); }
void* operator new(std::size_t bytes, std::align_val_t a, const std::nothrow_t&) noexcept {
  return counted(bytes, std::size_t(a));
}
void operator delete(void* space) noexcept { std::free(space); }
void operator delete[](void* space) noexcept { std::free(space); }
void operator delete(void* space, std::size_t) noexcept { std::free(space); }
void operator delete[](void* space, std::size_t) noexcept { std::free(space); }
void operator delete(void* space, std::align_val_t) noexcept { std::free(space); }
void operator delete(void* space, std::size_t, std::align_val_t) noexcept { std::free(space); }

namespace {

struct Tensors {
  explicit Tensors(std::int64_t n, std::int64_t d)
      : q(std::size_t(n * d), 0.25f), k(q), v(q), o(q), lse(std::size_t(n)) {
    a.q = q.data(), a.k = k.data(), a.v = v.data(), a.o = o.data(), a.lse = lse.data();
    a.n_q = a.n_kv = n, a.d = d;
  }
  std::vector<float> q, k, v, o, lse;
  CpuAttention a;
};

std::int64_t bytes_of(std::string (*kernel)(const CpuAttention&), const CpuAttention& a) {
  const std::int64_t before = bytes_asked;
  REQUIRE(kernel(a) == "");
  return bytes_asked - before;
}

constexpr std::int64_t kThreadBookkeeping = 256;  // bytes that a std::thread uses itself

}  // namespace

TEST_CASE("the exponential's error is at most the stated one", "[cpu]") {
  std::vector<float> x;
  for (int i = -126 * 8192; i <= 120 * 8192; ++i) x.push_back(float(i) / 8192 + float(i % 97) * 0x1p-21f);
  std::vector<float> y(x.size());
  const std::int64_t all = hwy::SupportedTargets();
  for (std::int64_t rest = all; rest != 0; rest &= rest - 1) {
    hwy::SetSupportedTargetsForTest(rest & -rest);
    CAPTURE(cpu_name());
    cpu::fast_exp2(x.data(), std::int64_t(x.size()), y.data());
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] < -126) continue;
      const double error = std::abs(double(y[i]) / std::exp2(double(x[i])) - 1);
      worst = !(error <= worst) ? error : worst;
    }
    CAPTURE(worst);
    REQUIRE(worst <= 2.5e-7);
    REQUIRE(worst >= 5e-8);  // a polynomial, not the library's
    const float odd[] = {-std::numeric_limits<float>::infinity(), -1e30f, -200,
                         std::numeric_limits<float>::quiet_NaN()};
    float out[4];
    cpu::fast_exp2(odd, 4, out);
    for (int i = 0; i < 3; ++i) REQUIRE(out[i] == 0);
    REQUIRE(std::isnan(out[3]));
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST_CASE("a row of weights sums to 1, masked keys are 0", "[cpu]") {
  for (const std::int64_t keys : {1, 5, 16, 31, 32, 33, 100}) {
    std::vector<float> row;
    for (int j = 0; j < 120; ++j) row.push_back(float(j % 13) - 3);
    double sum = 0, weights = 0;
    for (std::int64_t j = 0; j < keys; ++j) sum += std::exp(double(row[std::size_t(j)]));
    const std::vector<float> scores = row;
    const float lse = cpu::softmax_row(row.data(), keys, 120);
    REQUIRE(lse == Approx(std::log(sum)).epsilon(1e-6));
    for (std::int64_t j = 0; j < 120; ++j) {
      const auto at = std::size_t(j);
      REQUIRE(row[at] == Approx(j < keys ? std::exp(double(scores[at])) / sum : 0).epsilon(1e-6));
      weights += double(row[at]);
    }
    REQUIRE(weights == Approx(1).epsilon(1e-6));
  }
}

TEST_CASE("memory equals the stated bytes: tiles do not grow with n, scores do", "[cpu]") {
  for (const int threads : {1, 3}) {
    std::int64_t tiled_before = 0;
    for (const std::int64_t n : {1024, 2048}) {
      Tensors t(n, 32);
      t.a.threads = threads;
      CAPTURE(threads, n);
      const std::int64_t tiled = bytes_of(cpu_tiled, t.a), naive = bytes_of(cpu_naive, t.a);
      REQUIRE(tiled >= cpu_tiled_extra_bytes(t.a));
      REQUIRE(tiled <= cpu_tiled_extra_bytes(t.a) + threads * kThreadBookkeeping);
      REQUIRE(naive >= cpu_naive_extra_bytes(t.a));
      REQUIRE(naive <= cpu_naive_extra_bytes(t.a) + threads * kThreadBookkeeping);
      REQUIRE(cpu_naive_extra_bytes(t.a) == n * n * 4);
      if (tiled_before != 0) REQUIRE(cpu_tiled_extra_bytes(t.a) <= 2 * tiled_before);
      tiled_before = cpu_tiled_extra_bytes(t.a);
    }
  }
  Tensors small(64, 32), large(64, 32);  // only sizes count here
  small.a.n_q = small.a.n_kv = 1 << 16;
  large.a.n_q = large.a.n_kv = 1 << 22;
  REQUIRE(cpu_tiled_extra_bytes(small.a) > 0);
  REQUIRE(cpu_tiled_extra_bytes(small.a) == cpu_tiled_extra_bytes(large.a));
}

TEST_CASE("counted work is between the visible pairs and the square", "[cpu]") {
  Tensors t(64, 32);
  t.a.n_q = 1000, t.a.n_kv = 1000, t.a.heads = 6, t.a.kv_heads = 2, t.a.batch = 3;
  const double pairs = 18.0 * 1000 * 1000;
  REQUIRE(cpu_tiled_flops(t.a) == 4 * 32 * pairs);
  t.a.mask = CpuMask::CausalTopLeft;
  const double visible = 18.0 * 1000 * 1001 / 2;
  REQUIRE(cpu_tiled_flops(t.a) > 4 * 32 * visible);
  const double rows = double(cpu::fp32_kernels(false).rows);
  REQUIRE(cpu_tiled_flops(t.a) <= 4 * 32 * (visible + 18.0 * 1000 * (rows - 1) / 2));
  t.a.mask = CpuMask::CausalBottomRight;
  t.a.n_kv = 1;  // only the last row sees a key: its panel does that much work
  const double last = double(1000 % cpu::fp32_kernels(false).rows);
  REQUIRE(cpu_tiled_flops(t.a) == 4 * 32 * 18 * (last > 0 ? last : rows));
}

TEST_CASE("an invalid problem gets a reason, and nothing is written", "[cpu]") {
  Tensors t(8, 4);
  const auto refusals = [&](auto change, const std::string& text) {
    CpuAttention a = t.a;
    change(a);
    t.o[0] = 42;
    for (const auto kernel : {cpu_tiled, cpu_naive}) REQUIRE(kernel(a) == text);
    REQUIRE(t.o[0] == 42);
    REQUIRE(cpu_tiled_extra_bytes(a) == 0);
    REQUIRE(cpu_naive_extra_bytes(a) == 0);
    REQUIRE(cpu_tiled_flops(a) == 0);
  };
  refusals([](CpuAttention& a) { a.n_q = 0; },
           "n_q is 0; it must be at least 1: give the size of what q, k and v hold");
  refusals([](CpuAttention& a) { a.batch = -3; },
           "batch is -3; it must be at least 1: give the size of what q, k and v hold");
  refusals([](CpuAttention& a) { a.d = 257; },
           "d is 257; the CPU kernels take head sizes up to 256: split the head, or use the replay");
  refusals([](CpuAttention& a) { a.heads = 6, a.kv_heads = 4; },
           "kv_heads is 4; it must divide heads (6): use 6 for one per head, or 1");
  refusals([](CpuAttention& a) { a.batch = a.n_q = std::int64_t(1) << 40; },
           "batch x heads x n x d is 1099511627776 x 1 x 1099511627776 x 4; it must be at most 2^48: split the batch");
  refusals([](CpuAttention& a) { a.dtype = CpuDType(7); },
           "dtype is 7; it must be Fp32 or Bf16: widen other types first");
  refusals([](CpuAttention& a) { a.mask = CpuMask(3); },
           "mask is 3; it must be None, CausalTopLeft or CausalBottomRight: use the replay for others");
  refusals([](CpuAttention& a) { a.scale = -1; }, "scale is -1; it must be finite and above 0: 1 / sqrt(d) is usual");
  refusals([](CpuAttention& a) { a.scale = std::numeric_limits<float>::quiet_NaN(); },
           "scale is nan; it must be finite and above 0: 1 / sqrt(d) is usual");
  refusals([](CpuAttention& a) { a.threads = 0; },
           "threads is 0; it must be from 1 to 1024: the number of cores is best");
  refusals([](CpuAttention& a) { a.v = nullptr; }, "v is null; it must point to the tensor: allocate it first");
  CpuAttention a = t.a;
  a.k = static_cast<const char*>(a.k) + 2;
  REQUIRE(cpu_tiled(a).find("it must be aligned to its elements of 4 bytes: copy it") != std::string::npos);
}

TEST_CASE("the peak straight after the tiled kernel is a rate, and the kernel's work is done", "[cpu]") {
  for (const int threads : {1, 2}) {
    Tensors t(300, 32);
    t.a.threads = threads;
    std::fill(t.o.begin(), t.o.end(), 42.0f);
    const double after = cpu_fma_peak_after_tiled_gflops(t.a);
    CAPTURE(threads, after);
    REQUIRE((std::isfinite(after) && after > 0));
    REQUIRE(std::all_of(t.o.begin(), t.o.end(), [](float x) { return std::fabs(x - 0.25f) < 1e-4f; }));
    t.a.threads = 0;
    REQUIRE(cpu_fma_peak_after_tiled_gflops(t.a) == 0);
  }
  std::vector<std::uint16_t> half(300 * 32, 0x3e80);  // 0.25
  Tensors t(300, 32);
  t.a.q = t.a.k = t.a.v = half.data();
  t.a.dtype = CpuDType::Bf16;
  REQUIRE(cpu::fma_peak_after(t.a, {0, 0, cpu::Bf16Way::Widen}) > 0);
  REQUIRE(cpu::fma_peak_after(t.a, {0, 0, cpu::Bf16Way::Dot}) > 0);
}

TEST_CASE("peaks are rates of units that the machine has", "[cpu]") {
  const double fp32 = cpu_fma_peak_gflops(1, CpuDType::Fp32, 0.002),
               bf16 = cpu_fma_peak_gflops(1, CpuDType::Bf16, 0.002);
  REQUIRE((std::isfinite(fp32) && fp32 > 0));
  REQUIRE((bf16 > 0) == cpu_has_bf16_dot());
  REQUIRE((cpu_has_bf16_dot() || !cpu_uses_bf16_dot()));
  REQUIRE(cpu_name().find(cpu::fp32_target_name()) != std::string::npos);
  REQUIRE(cpu_blas_name().rfind("OpenBLAS ", 0) == 0);
  REQUIRE(cpu_blas_name().find(", kernels for ") != std::string::npos);
}
