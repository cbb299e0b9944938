// One visit done by four warps in both ways, with a counting shared memory: it checks core/chip/warps' closed forms.
#include "core/chip/warps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "tests/support/catch.h"
#include "tests/support/random_problem.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

struct CountedMemory {
  std::vector<double> values;
  Traffic traffic;
  int barriers = 0;
  explicit CountedMemory(std::size_t n) : values(n) {}
  double read(std::size_t at) { return traffic.read_bytes += 4, values[at]; }
  void write(std::size_t at, double v) { traffic.write_bytes += 4, values[at] = v; }
};

struct Tile {
  std::size_t rows, cols, d;
  std::vector<double> s, v;
  Tile(std::size_t r, std::size_t c, std::size_t size) : rows(r), cols(c), d(size), s(r * c), v(c * size) {
    for (std::size_t i = 0; i < s.size(); ++i) s[i] = uniform_from_bits(random_bits(5, 1, i)) * 6 - 3;
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = uniform_from_bits(random_bits(5, 2, i)) - 0.5;
  }
};

// FA-1's way: slices of columns; maxima, sums and O go through shared memory.
std::vector<double> split_k(const Tile& t, const WarpVisit& plan, CountedMemory& shared) {
  const std::size_t warps = plan.slices.size(), r = t.rows;
  const std::size_t max_at = 0, sum_at = warps * r, o_at = 2 * warps * r;
  for (std::size_t w = 0; w < warps; ++w)
    for (std::size_t i = 0; i < r; ++i) {
      double m = -INFINITY;
      for (auto j = plan.slices[w].col_begin; j < plan.slices[w].col_end; ++j)
        m = std::max(m, t.s[i * t.cols + std::size_t(j)]);
      shared.write(max_at + w * r + i, m);
    }
  ++shared.barriers;
  std::vector<double> m(warps * r, -INFINITY), out(r * t.d);
  for (std::size_t w = 0; w < warps; ++w)
    for (std::size_t i = 0; i < r; ++i)
      for (std::size_t from = 0; from < warps; ++from)
        m[w * r + i] = std::max(m[w * r + i], shared.read(max_at + from * r + i));
  for (std::size_t w = 0; w < warps; ++w)
    for (std::size_t i = 0; i < r; ++i) {
      double sum = 0;
      for (auto j = plan.slices[w].col_begin; j < plan.slices[w].col_end; ++j)
        sum += std::exp(t.s[i * t.cols + std::size_t(j)] - m[w * r + i]);
      shared.write(sum_at + w * r + i, sum);
    }
  ++shared.barriers;
  std::vector<double> l(warps * r, 0.0);
  for (std::size_t w = 0; w < warps; ++w)
    for (std::size_t i = 0; i < r; ++i)
      for (std::size_t from = 0; from < warps; ++from) l[w * r + i] += shared.read(sum_at + from * r + i);
  for (std::size_t w = 0; w < warps; ++w)
    for (std::size_t i = 0; i < r; ++i)
      for (std::size_t x = 0; x < t.d; ++x) {
        double o = 0;
        for (auto j = plan.slices[w].col_begin; j < plan.slices[w].col_end; ++j)
          o += std::exp(t.s[i * t.cols + std::size_t(j)] - m[w * r + i]) * t.v[std::size_t(j) * t.d + x];
        shared.write(o_at + (w * r + i) * t.d + x, o);
      }
  ++shared.barriers;
  for (std::size_t i = 0; i < r; ++i)  // rows are divided: each element is summed by one warp
    for (std::size_t x = 0; x < t.d; ++x) {
      for (std::size_t from = 0; from < warps; ++from) out[i * t.d + x] += shared.read(o_at + (from * r + i) * t.d + x);
      out[i * t.d + x] /= l[i];
    }
  ++shared.barriers;
  return out;
}

std::vector<double> whole(const Tile& t) {
  std::vector<double> out(t.rows * t.d);
  for (std::size_t i = 0; i < t.rows; ++i) {
    double m = -INFINITY, l = 0;
    for (std::size_t j = 0; j < t.cols; ++j) m = std::max(m, t.s[i * t.cols + j]);
    for (std::size_t j = 0; j < t.cols; ++j) {
      const double e = std::exp(t.s[i * t.cols + j] - m);
      l += e;
      for (std::size_t x = 0; x < t.d; ++x) out[i * t.d + x] += e * t.v[j * t.d + x];
    }
    for (std::size_t x = 0; x < t.d; ++x) out[i * t.d + x] /= l;
  }
  return out;
}

}  // namespace

TEST_CASE("split-K done by hand moves the bytes and has the barriers of the closed form", "[unit]") {
  for (const auto& [r, c, d] : {std::tuple{8, 16, 4}, std::tuple{5, 7, 3}, std::tuple{16, 3, 8}}) {
    const Tile t{std::size_t(r), std::size_t(c), std::size_t(d)};
    const WarpVisit plan = warp_visit(WarpScheme::SplitK, r, c, d, 4);
    CountedMemory shared{std::size_t(4 * r * (d + 2))};
    const std::vector<double> got = split_k(t, plan, shared), want = whole(t);
    for (std::size_t i = 0; i < got.size(); ++i) REQUIRE(got[i] == Approx(want[i]).margin(1e-12));
    REQUIRE(shared.traffic == plan.exchange);
    REQUIRE(shared.barriers == int(plan.barriers.size()));
  }
}

TEST_CASE("split-Q gives every warp whole rows, and nothing to exchange", "[unit]") {
  const WarpVisit plan = warp_visit(WarpScheme::SplitQ, 64, 32, 128, 2);
  REQUIRE(plan.exchange == Traffic{});
  REQUIRE(plan.barriers.empty());
  REQUIRE(plan.operands.read_bytes == 64 * 128 * 2 + 4 * 2 * 32 * 128 * 2);
  std::int64_t rows = 0;
  for (const WarpSlice& s : plan.slices) {
    REQUIRE(s.row_begin == rows);
    REQUIRE(s.col_end - s.col_begin == 32);
    rows = s.row_end;
  }
  REQUIRE(rows == 64);
}

TEST_CASE("slices cover the score tile once, also with fewer rows or columns than warps", "[unit]") {
  for (const WarpScheme scheme : {WarpScheme::SplitK, WarpScheme::SplitQ})
    for (std::int64_t r = 1; r <= 9; ++r)
      for (std::int64_t c = 1; c <= 9; ++c) {
        std::int64_t pairs = 0;
        for (const WarpSlice& s : warp_visit(scheme, r, c, 4, 4).slices)
          pairs += (s.row_end - s.row_begin) * (s.col_end - s.col_begin);
        REQUIRE(pairs == r * c);
      }
}

TEST_CASE("totals of the run equal the sum over its visits", "[unit]") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Problem p = random_problem(seed);
    p.schedule = seed % 2 ? ScheduleKind::FlashV1 : ScheduleKind::FlashV2;
    p.tiling.splits = 1;
    p.machine.sram_bytes = 1 << 20;
    p.fault = Fault::None;
    INFO(as_text(p));
    const auto schedule = make_schedule(p);
    for (const WarpScheme scheme : {WarpScheme::SplitK, WarpScheme::SplitQ}) {
      WarpTotals sum;
      for (std::int64_t k = 0; k < schedule->step_count(); ++k) {
        const Step step = schedule->step(k);
        if (step.phase != Phase::Scores) continue;
        const WarpVisit visit = warp_visit(scheme, step.rows(), step.cols(), p.shape.d, p.numerics.element_bytes());
        sum.operands += visit.operands;
        sum.exchange += visit.exchange;
        sum.barriers += std::int64_t(visit.barriers.size());
      }
      const WarpTotals totals = warp_totals(*schedule, scheme);
      REQUIRE(totals.operands == sum.operands);
      REQUIRE(totals.exchange == sum.exchange);
      REQUIRE(totals.barriers == sum.barriers);
    }
  }
}
