// Both CPU kernels compared with float64 under FlashAttention's rule: at most twice the error of naive attention in the
// same precision, plus a floor. Every instruction set of this machine; outputs poisoned first, guard bands checked
// afterwards.
#include "kernels/cpu/cpu_attention.h"

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "base/random.h"
#include "base/small_float.h"
#include "kernels/cpu/tiled.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

struct Shape {
  std::int64_t n_q, n_kv, d, heads, kv_heads;
  CpuMask mask;
};

constexpr std::size_t kGuard = 64;
constexpr std::uint8_t kPoison = 0xff;  // NaN in fp32 and bf16

enum class Values { Normal, Growing, Falling, Large };

// A problem with its reference: values that the dtype represents exactly, attention in float64, and naive attention.
class Case {
 public:
  Case(const Shape& shape, CpuDType dtype, Values values) {
    a_.batch = 2, a_.heads = shape.heads, a_.kv_heads = shape.kv_heads;
    a_.n_q = shape.n_q, a_.n_kv = shape.n_kv, a_.d = shape.d;
    a_.dtype = dtype, a_.mask = shape.mask, a_.scale = float(1 / std::sqrt(double(shape.d)));
    q_ = fill(a_.heads, a_.n_q, 1), k_ = fill(a_.kv_heads, a_.n_kv, 2), v_ = fill(a_.kv_heads, a_.n_kv, 3);
    if (values != Values::Normal) shape_scores(values);
    for (std::vector<float>* t : {&q_, &k_, &v_}) {
      if (dtype == CpuDType::Bf16) {
        for (float& x : *t) x = float_from_bf16(bf16_from_float(x));
      }
    }
    q16_ = rounded(q_), k16_ = rounded(k_), v16_ = rounded(v_);
    const bool fp32 = dtype == CpuDType::Fp32;
    a_.q = fp32 ? static_cast<const void*>(q_.data()) : q16_.data();
    a_.k = fp32 ? static_cast<const void*>(k_.data()) : k16_.data();
    a_.v = fp32 ? static_cast<const void*>(v_.data()) : v16_.data();
    refer();
  }

  CpuAttention& problem() { return a_; }

  // Runs, and checks guard bands and errors. Returns the bytes of o and lse.
  template <class Kernel>
  std::vector<std::uint8_t> check(Kernel kernel, double lse_tolerance) {
    const std::size_t element = a_.dtype == CpuDType::Fp32 ? 4 : 2;
    const std::size_t o_bytes = o64_.size() * element, lse_bytes = lse64_.size() * 4;
    std::vector<std::uint8_t> o(o_bytes + 2 * kGuard, kPoison), lse(lse_bytes + 2 * kGuard, kPoison);
    a_.o = o.data() + kGuard;
    a_.lse = reinterpret_cast<float*>(lse.data() + kGuard);
    REQUIRE(kernel(a_) == "");
    for (const std::vector<std::uint8_t>* out : {&o, &lse}) {
      REQUIRE(std::all_of(out->begin(), out->begin() + kGuard, [](std::uint8_t b) { return b == kPoison; }));
      REQUIRE(std::all_of(out->end() - kGuard, out->end(), [](std::uint8_t b) { return b == kPoison; }));
    }
    double error = 0;
    for (std::size_t e = 0; e < o64_.size(); ++e) {
      float value;
      if (element == 4) {
        std::memcpy(&value, o.data() + kGuard + 4 * e, 4);
      } else {
        std::uint16_t bits;
        std::memcpy(&bits, o.data() + kGuard + 2 * e, 2);
        value = float_from_bf16(bits);
      }
      error = larger(error, std::abs(double(value) - o64_[e]));
    }
    INFO("error " << error << ", naive attention's " << plain_error_);
    REQUIRE(error <= 2 * plain_error_ + 1e-6);
    for (std::size_t row = 0; row < lse64_.size(); ++row) {
      INFO("row " << row << ": lse " << a_.lse[row] << ", should be " << lse64_[row]);
      if (std::isinf(lse64_[row])) {
        REQUIRE(a_.lse[row] == -std::numeric_limits<float>::infinity());
      } else {
        REQUIRE(std::abs(double(a_.lse[row]) - lse64_[row]) <= lse_tolerance * std::max(1.0, std::abs(lse64_[row])));
      }
    }
    o.insert(o.end(), lse.begin(), lse.end());
    return o;
  }

 private:
  static double larger(double a, double b) { return !(b <= a) ? b : a; }  // NaN wins

  std::vector<float> fill(std::int64_t heads, std::int64_t n, std::uint64_t stream) const {
    std::vector<float> values(std::size_t(a_.batch * heads * n * a_.d));
    std::uint64_t state = stream * 0x9e3779b97f4a7c15u + std::uint64_t(n * 257 + a_.d);
    for (float& x : values) {  // sums of four uniforms: near normal
      double sum = 0;
      for (int i = 0; i < 4; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        sum += double(state >> 40) / double(1 << 24) - 0.5;
      }
      x = float(sum * 1.7);
    }
    return values;
  }

  // Scores that rise (or fall) with the key to about 300, or are of that size in random order.
  void shape_scores(Values values) {
    for (float& x : q_) x = 1 + x / 64;
    for (std::size_t e = 0; e < k_.size(); ++e) {
      const double key = double(std::int64_t(e) / a_.d % a_.n_kv) / double(a_.n_kv);
      const double at = values == Values::Growing ? key : values == Values::Falling ? 1 - key : double(k_[e] > 0);
      k_[e] = float((at * 300 + 3 * k_[e]) / std::sqrt(double(a_.d)));
    }
  }

  static std::vector<std::uint16_t> rounded(const std::vector<float>& values) {
    std::vector<std::uint16_t> bits;
    for (const float x : values) bits.push_back(bf16_from_float(x));
    return bits;
  }

  std::int64_t visible(std::int64_t row) const {
    if (a_.mask == CpuMask::None) return a_.n_kv;
    return std::clamp<std::int64_t>(row + 1 + (a_.mask == CpuMask::CausalTopLeft ? 0 : a_.n_kv - a_.n_q), 0, a_.n_kv);
  }

  void refer() {
    o64_.assign(q_.size(), 0);
    for (std::int64_t row = 0; row < a_.batch * a_.heads * a_.n_q; ++row) refer_row(row);
  }

  void refer_row(std::int64_t row) {
    const bool bf16 = a_.dtype == CpuDType::Bf16;
    const std::int64_t head = row / a_.n_q, keys = visible(row % a_.n_q), d = a_.d;
    const float* const q = q_.data() + row * d;
    const float* const k = k_.data() + head / (a_.heads / a_.kv_heads) * a_.n_kv * d;
    const float* const v = v_.data() + head / (a_.heads / a_.kv_heads) * a_.n_kv * d;
    std::vector<double> s64;
    std::vector<float> s32;
    for (std::int64_t j = 0; j < keys; ++j) {
      double dot64 = 0;
      float dot32 = 0;
      for (std::int64_t x = 0; x < d; ++x) {
        dot64 += double(q[x]) * double(k[j * d + x]);
        dot32 += q[x] * k[j * d + x];
      }
      s64.push_back(dot64 * double(a_.scale));
      s32.push_back(dot32 * a_.scale);
    }
    if (keys == 0) {
      lse64_.push_back(-std::numeric_limits<double>::infinity());
      return;
    }
    const double top64 = *std::max_element(s64.begin(), s64.end());
    const float top32 = *std::max_element(s32.begin(), s32.end());
    double sum64 = 0;
    float sum32 = 0;
    for (double& s : s64) sum64 += s = std::exp(s - top64);
    for (float& s : s32) sum32 += s = std::exp(s - top32);
    lse64_.push_back(top64 + std::log(sum64));
    for (std::int64_t x = 0; x < d; ++x) {
      double o64 = 0;
      float o32 = 0;
      for (std::int64_t j = 0; j < keys; ++j) {
        o64 += s64[std::size_t(j)] / sum64 * double(v[j * d + x]);
        const float p = s32[std::size_t(j)] / sum32;
        o32 += (bf16 ? float_from_bf16(bf16_from_float(p)) : p) * v[j * d + x];
      }
      if (bf16) o32 = float_from_bf16(bf16_from_float(o32));
      o64_[std::size_t(row * d + x)] = o64;
      plain_error_ = larger(plain_error_, std::abs(double(o32) - o64));
    }
  }

  CpuAttention a_;
  std::vector<float> q_, k_, v_;
  std::vector<std::uint16_t> q16_, k16_, v16_;
  std::vector<double> o64_, lse64_;
  double plain_error_ = 0;
};

auto by(cpu::TiledChoices choices) {
  return [choices](const CpuAttention& a) { return cpu::tiled_with(a, choices); };
}

void check_all(const Shape& s, Values values) {
  CAPTURE(s.n_q, s.n_kv, s.d, s.heads, s.kv_heads, int(s.mask), int(values));
  Case fp32(s, CpuDType::Fp32, values), bf16(s, CpuDType::Bf16, values);
  const cpu::TiledChoices widen{0, 0, cpu::Bf16Way::Widen}, dot{0, 0, cpu::Bf16Way::Dot};
  constexpr double kExact = 2e-6, kRounded = 2e-4;
  const int threads = int(1 + (s.n_q + s.d) % 4);
  fp32.problem().threads = bf16.problem().threads = threads;
  const auto first = fp32.check(cpu_tiled, kExact);
  fp32.problem().threads = 1 + threads % 4;
  REQUIRE(fp32.check(cpu_tiled, kExact) == first);
  bf16.check(by(widen), kExact);
  if (cpu_has_bf16_dot()) {
    const auto bytes = bf16.check(by(dot), kRounded);
    bf16.problem().threads = 1 + threads % 4;
    REQUIRE(bf16.check(by(dot), kRounded) == bytes);
  }
  fp32.check(cpu_naive, kExact);
  bf16.check(cpu_naive, kExact);
}

constexpr CpuMask kMasks[] = {CpuMask::None, CpuMask::CausalTopLeft, CpuMask::CausalBottomRight};

// Runs the body once for each instruction set that this machine has and the kernels were compiled for.
template <class Body>
void on_every_target(Body body) {
  const std::int64_t all = hwy::SupportedTargets();
  for (std::int64_t rest = all; rest != 0; rest &= rest - 1) {
    hwy::SetSupportedTargetsForTest(rest & -rest);
    CAPTURE(cpu_name());
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
}

}  // namespace

TEST_CASE("ragged shapes, masks, grouped heads, both dtypes", "[cpu]") {
  const std::pair<std::int64_t, std::int64_t> lengths[] = {{1, 1},    {1, 300},   {2, 7},     {16, 16},  {17, 48},
                                                           {47, 49},  {48, 128},  {49, 129},  {96, 200}, {150, 131},
                                                           {200, 90}, {257, 263}, {100, 400}, {5, 1000}};
  const std::int64_t sizes[] = {64, 1, 128, 31, 8, 80, 256, 2, 96, 3, 192, 17};
  const std::pair<std::int64_t, std::int64_t> heads[] = {{1, 1}, {2, 2}, {4, 2}, {3, 1}, {8, 1}};
  std::size_t turn = 0;
  for (const auto& [n_q, n_kv] : lengths) {
    for (const CpuMask mask : kMasks) {
      const auto& [q_heads, kv_heads] = heads[turn % std::size(heads)];
      check_all({n_q, n_kv, sizes[turn % std::size(sizes)], q_heads, kv_heads, mask}, Values::Normal);
      ++turn;
    }
  }
}

TEST_CASE("scores above m's bound raise m, wherever they occur", "[cpu]") {
  for (const Values values : {Values::Growing, Values::Falling, Values::Large}) {
    for (const CpuMask mask : kMasks) {
      check_all({70, 333, 40, 2, 1, mask}, values);
      check_all({3, 200, 64, 4, 1, mask}, values);
    }
  }
}

TEST_CASE("every instruction set satisfies the rule", "[cpu]") {
  on_every_target([] {
    check_all({53, 131, 64, 2, 1, CpuMask::None}, Values::Normal);
    check_all({61, 45, 20, 2, 2, CpuMask::CausalBottomRight}, Values::Normal);
    check_all({3, 150, 9, 4, 2, CpuMask::CausalTopLeft}, Values::Normal);
    check_all({30, 200, 24, 1, 1, CpuMask::CausalTopLeft}, Values::Growing);
  });
}

TEST_CASE("tile sizes change nothing but rounding", "[cpu]") {
  Case problem({130, 777, 64, 1, 1, CpuMask::CausalBottomRight}, CpuDType::Fp32, Values::Normal);
  Case rounded({130, 777, 64, 1, 1, CpuMask::CausalBottomRight}, CpuDType::Bf16, Values::Growing);
  for (const std::int64_t keys : {1, 8, 24, 100, 777, 5000}) {
    for (const std::int64_t panels : {1, 2, 50}) {
      CAPTURE(keys, panels);
      problem.check(by({keys, panels, cpu::Bf16Way::Best}), 2e-6);
      if (cpu_has_bf16_dot()) rounded.check(by({keys, panels, cpu::Bf16Way::Dot}), 2e-4);
    }
  }
}

TEST_CASE("a row that sees no key is 0 with lse -inf", "[cpu]") {
  Case problem({60, 10, 16, 1, 1, CpuMask::CausalBottomRight}, CpuDType::Fp32, Values::Normal);
  for (const auto kernel : {cpu_tiled, cpu_naive}) {
    problem.check(kernel, 2e-6);
    const CpuAttention& a = problem.problem();
    std::vector<float> o(std::size_t(2 * 60 * 16), 7.0f), lse(std::size_t(2 * 60), 7.0f);
    CpuAttention again = a;
    again.o = o.data(), again.lse = lse.data();
    REQUIRE(kernel(again) == "");
    for (std::size_t row = 0; row < 50; ++row) {
      REQUIRE(lse[row] == -std::numeric_limits<float>::infinity());
      for (std::size_t x = 0; x < 16; ++x) REQUIRE(std::bit_cast<std::uint32_t>(o[row * 16 + x]) == 0);
    }
    REQUIRE(std::isfinite(lse[50]));
    again.lse = nullptr;
    REQUIRE(kernel(again) == "");
  }
}

TEST_CASE("NaN in an input affects exactly the rows that see it", "[cpu]") {
  Case problem({20, 40, 8, 1, 1, CpuMask::CausalTopLeft}, CpuDType::Fp32, Values::Normal);
  CpuAttention a = problem.problem();
  a.batch = 1;
  std::vector<float> k(static_cast<const float*>(a.k), static_cast<const float*>(a.k) + 40 * 8), o(20 * 8), lse(20);
  k[10 * 8 + 3] = std::numeric_limits<float>::quiet_NaN();
  a.k = k.data(), a.o = o.data(), a.lse = lse.data();
  on_every_target([&] {
    REQUIRE(cpu_tiled(a) == "");
    for (std::size_t row = 0; row < 20; ++row) {
      CAPTURE(row);
      REQUIRE(std::isnan(o[row * 8]) == (row >= 10));
      REQUIRE(std::isnan(lse[row]) == (row >= 10));
    }
  });
}
