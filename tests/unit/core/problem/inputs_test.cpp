#include "core/problem/inputs.h"

#include <cmath>

#include "base/random.h"
#include "base/small_float.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

Problem sized(std::int64_t n, std::int64_t d, Distribution distribution) {
  Problem p;
  p.shape.n_q = p.shape.n_kv = n;
  p.shape.d = d;
  p.numerics.distribution = distribution;
  return p;
}

struct Moments {
  double mean = 0, variance = 0, largest = 0;
};

Moments moments_of(const Tensor& t) {
  Moments m;
  for (float x : t.values) m.mean += x, m.largest = std::max(m.largest, std::fabs(double(x)));
  m.mean /= double(t.values.size());
  for (float x : t.values) m.variance += (x - m.mean) * (x - m.mean);
  m.variance /= double(t.values.size());
  return m;
}

}  // namespace

TEST_CASE("the same seed makes the same values in any order, another seed makes others", "[unit]") {
  Problem p = sized(50, 8, Distribution::Normal);
  p.shape.batch = 2;
  p.shape.heads = p.shape.kv_heads = 2;
  const Inputs a(p), b(p);
  std::vector<float> scratch;
  const Tensor whole = a.whole(TensorId::K);
  for (std::int64_t row : {49, 0, 17})
    for (std::int64_t x = 0; x < 8; ++x) REQUIRE(b.at({TensorId::K, 1, 1}, row, x) == whole.row(1, 1, row)[x]);
  p.numerics.seed = 8;
  REQUIRE(Inputs(p).whole(TensorId::K).values != whole.values);
  REQUIRE(a.whole(TensorId::V).values != whole.values);
}

TEST_CASE("a head too large for the cache gives the same rows as a cached one", "[unit]") {
  const Problem large = sized(300000, 64, Distribution::Normal);
  const Inputs inputs(large);
  std::vector<float> scratch;
  const float* rows = inputs.rows({TensorId::Q}, 150000, 3, scratch);
  const std::vector<float> got(rows, rows + 3 * 64);
  for (std::int64_t i = 0; i < 3 * 64; ++i)
    REQUIRE(got[std::size_t(i)] ==
            float(normal_quantile(uniform_from_bits(random_bits(7, 0, std::uint64_t(150000 * 64 + i))))));
  REQUIRE(inputs.cached_bytes() == 0);
}

TEST_CASE("rows of a cached head are the same in any order and any division", "[unit]") {
  const Problem p = sized(1000, 24, Distribution::Normal);
  const Inputs forward(p), backward(p);
  const Tensor whole = forward.whole(TensorId::V);
  std::vector<float> scratch;
  for (std::int64_t begin = 990; begin >= 0; begin -= 45) {
    const std::int64_t count = std::min<std::int64_t>(130, p.shape.n_kv - begin);
    const float* rows = backward.rows({TensorId::V}, begin, count, scratch);
    REQUIRE(std::equal(rows, rows + count * p.shape.d, whole.row(0, 0, begin)));
  }
  const Inputs copy = backward;
  REQUIRE(copy.cached_bytes() == 0);
  REQUIRE(copy.at({TensorId::V}, 999, 23) == whole.row(0, 0, 999)[23]);
}

TEST_CASE("the heads that one visit reads are cached together", "[unit]") {
  const Problem p = sized(65536, 64, Distribution::Integers);
  const Inputs inputs(p);
  std::vector<float> scratch;
  for (const TensorId id : {TensorId::Q, TensorId::K, TensorId::V, TensorId::dO}) inputs.rows({id}, 0, 1, scratch);
  REQUIRE(inputs.cached_bytes() == 4 * 65536 * 64 * 4);
}

TEST_CASE("a head that reuses the memory of an evicted one has its own values", "[unit]") {
  Problem p = sized(131072, 128, Distribution::Normal);
  p.shape.heads = p.shape.kv_heads = 6;
  const Inputs inputs(p);
  std::vector<float> scratch;
  for (const std::int64_t head : {0, 1, 2, 3, 4, 5, 0}) {  // four are kept at once
    const float* rows = inputs.rows({TensorId::K, 0, head}, 70, 2, scratch);
    for (std::int64_t x = 0; x < 2 * 128; ++x)
      REQUIRE(rows[x] == float(normal_quantile(
                             uniform_from_bits(random_bits(7, 1, std::uint64_t((head * 131072 + 70) * 128 + x))))));
    REQUIRE(inputs.cached_bytes() <= std::int64_t(256) << 20);
  }
}

TEST_CASE("seeded values follow their distribution's formula at each index", "[unit]") {
  const auto bits = [](std::uint64_t stream, std::int64_t i) { return random_bits(7, stream, std::uint64_t(i)); };
  const auto normal = [&](std::uint64_t stream, std::int64_t i) {
    return normal_quantile(uniform_from_bits(bits(stream, i)));
  };
  const auto value = [&](Distribution distribution, std::int64_t i) {
    switch (distribution) {
      case Distribution::Uniform: return float(2.0 * uniform_from_bits(bits(2, i)) - 1.0);
      case Distribution::Integers: return float(bits(2, i) % 5) - 2;
      case Distribution::Outliers: return float(normal(2, i) + (bits(18, i) % 1000 == 0 ? 10.0 * normal(34, i) : 0.0));
      default: return float(normal(2, i));
    }
  };
  for (const Distribution distribution :
       {Distribution::Normal, Distribution::Uniform, Distribution::Integers, Distribution::Outliers}) {
    const Tensor v = Inputs(sized(301, 24, distribution)).whole(TensorId::V);
    for (std::int64_t i = 0; i < 301 * 24; ++i) REQUIRE(v.values[std::size_t(i)] == value(distribution, i));
  }
}

TEST_CASE("each distribution has the moments it is named for", "[unit]") {
  const Moments normal = moments_of(Inputs(sized(2000, 64, Distribution::Normal)).whole(TensorId::Q));
  REQUIRE(std::fabs(normal.mean) < 0.02);
  REQUIRE(std::fabs(normal.variance - 1.0) < 0.02);
  REQUIRE(normal.largest > 3.8);
  const Moments uniform = moments_of(Inputs(sized(2000, 64, Distribution::Uniform)).whole(TensorId::Q));
  REQUIRE(std::fabs(uniform.variance - 1.0 / 3) < 0.01);
  REQUIRE(uniform.largest < 1.0);
  const Tensor integers = Inputs(sized(200, 8, Distribution::Integers)).whole(TensorId::Q);
  for (float x : integers.values) REQUIRE((x == std::floor(x) && std::fabs(x) <= 2));
  REQUIRE(moments_of(Inputs(sized(2000, 64, Distribution::Outliers)).whole(TensorId::Q)).largest > 15);
}

TEST_CASE("the normal quantile inverts the normal distribution", "[unit]") {
  for (double p = 1e-9; p < 1; p += 0.00137)
    REQUIRE(std::fabs(0.5 * std::erfc(-normal_quantile(p) / std::sqrt(2.0)) - p) < 2e-9);
}

TEST_CASE("an edit replaces one value and is rounded to the dtype", "[unit]") {
  Problem p = sized(8, 4, Distribution::Normal);
  p.numerics.dtype = DType::Bf16;
  const Inputs inputs(p, {}, {{TensorId::V, 0, 0, 3, 2, 1.2345f}});
  REQUIRE(inputs.at({TensorId::V}, 3, 2) == float_from_bf16(bf16_from_float(1.2345f)));
  REQUIRE(inputs.at({TensorId::V}, 3, 1) == Inputs(p).at({TensorId::V}, 3, 1));
}

TEST_CASE("every fp16 and bf16 value converted to fp32 and back is unchanged", "[unit]") {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const float half = float_from_fp16(std::uint16_t(bits)), brain = float_from_bf16(std::uint16_t(bits));
    if (!std::isnan(half)) REQUIRE(fp16_from_float(half) == bits);
    if (!std::isnan(brain)) REQUIRE(bf16_from_float(brain) == bits);
  }
}

TEST_CASE("rounding to 16 bits gives the nearest value, and the even one at a tie", "[unit]") {
  REQUIRE(fp16_from_float(1.0f + 0x1p-11f) == 0x3c00);
  REQUIRE(fp16_from_float(1.0f + 3 * 0x1p-11f) == 0x3c02);
  REQUIRE(fp16_from_float(65519.0f) == 0x7bff);
  REQUIRE(fp16_from_float(65520.0f) == 0x7c00);
  REQUIRE(fp16_from_float(0x1p-25f) == 0);
  REQUIRE(fp16_from_float(0x1.8p-25f) == 1);
  REQUIRE(bf16_from_float(1.0f + 0x1p-8f) == 0x3f80);
  REQUIRE(bf16_from_float(1.0f + 3 * 0x1p-8f) == 0x3f82);
}

TEST_CASE("values that are not finite are named with their place", "[unit]") {
  auto bad = std::make_shared<Tensor>(Tensor{1, 2, 3, 2, std::vector<float>(12, 1.0f)});
  bad->values[9] = NAN;
  const Issues issues = check_input_values({nullptr, bad, nullptr}, {}, DType::Fp32);
  REQUIRE(issues.size() == 1);
  REQUIRE(issues[0].field == "k[0, 1, 1, 1]");
  REQUIRE(issues[0].value == "nan");
}

TEST_CASE("a value of a file that the dtype rounds to infinity is not finite", "[unit]") {
  auto large = std::make_shared<Tensor>(Tensor{1, 1, 2, 2, {1, 65519, 70000, 80000}});
  CHECK(check_input_values({nullptr, nullptr, large}, {}, DType::Bf16).empty());
  CHECK(text_of(check_input_values({nullptr, nullptr, large}, {}, DType::Fp16)) ==
        "v[0, 0, 1, 0] = 70000: must be finite, and in fp16 it is infinite. Make it smaller, or set dtype to fp32");
}

TEST_CASE("an edit that the dtype rounds to infinity is not finite", "[unit]") {
  const auto refused = [](DType dtype, float value) {
    const Issues issues = check_input_values({}, {{TensorId::Q, 0, 0, 3, 1, value}}, dtype);
    return issues.empty() ? "" : text_of(issues);
  };
  REQUIRE(refused(DType::Fp16, 65519.0f).empty());
  REQUIRE(
      refused(DType::Fp16, 70000.0f) ==
      "Q[0, 0, 3, 1] = 70000: must be finite, and in fp16 it is infinite. Type a smaller number, or set dtype to fp32");
  REQUIRE(refused(DType::Fp32, 70000.0f).empty());
  REQUIRE(refused(DType::Bf16, 3.4e38f).find("in bf16 it is infinite") != std::string::npos);
  REQUIRE(refused(DType::Fp32, -INFINITY).find("= -inf: must be finite") != std::string::npos);
}
