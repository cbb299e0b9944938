// Every instruction set of this CPU gives the bits of plain scalar code.
#include "core/values/tile_ops.h"

#include <cmath>
#include <cstring>

#include "base/random.h"
#include "core/values/exact_math.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

std::vector<float> numbers(std::uint64_t stream, std::int64_t count) {
  std::vector<float> out;
  for (std::int64_t i = 0; i < count; ++i)
    out.push_back(float(normal_quantile(uniform_from_bits(random_bits(3, stream, std::uint64_t(i))))));
  return out;
}

bool same(const std::vector<float>& a, const std::vector<float>& b) {
  return std::memcmp(a.data(), b.data(), a.size() * 4) == 0;
}

}  // namespace

TEST_CASE("every instruction set gives the bits of scalar code", "[unit]") {
  for (const std::int64_t cols : {1, 3, 4, 17, 64}) {
    for (const std::int64_t d : {1, 5, 16, 33, 64}) {
      const std::int64_t rows = cols == 4 ? 5 : 37, stride = padded(rows), o_stride = padded(d);
      const std::vector<float> k = numbers(1, cols * d), qt = numbers(2, d * stride), v = numbers(3, cols * o_stride),
                               o = numbers(4, rows * o_stride);
      std::vector<float> m_in = numbers(5, stride);
      m_in[0] = -INFINITY;
      std::vector<float> st(std::size_t(cols * stride)), pt = st, m(m_in), a(m_in), sum(m_in), out(o);
      for (std::int64_t j = 0; j < cols; ++j)
        for (std::int64_t i = 0; i < stride; ++i) {
          float acc = 0;
          for (std::int64_t x = 0; x < d; ++x)
            acc = std::fma(qt[std::size_t(x * stride + i)], k[std::size_t(j * d + x)], acc);
          st[std::size_t(j * stride + i)] = (i + j) % 7 == 3 ? -INFINITY : acc * 0.36f;
        }
      for (std::int64_t i = 0; i < stride; ++i) {
        const std::size_t r = std::size_t(i);
        for (std::int64_t j = 0; j < cols; ++j)
          m[r] = st[std::size_t(j * stride + i)] > m[r] ? st[std::size_t(j * stride + i)] : m[r];
        a[r] = m_in[r] == -INFINITY ? 0.0f : exact::exp2f_exact(m_in[r] - m[r]);
        float total = 0.25f;
        for (std::int64_t j = 0; j < cols; ++j) {
          const std::size_t at = std::size_t(j * stride + i);
          pt[at] = st[at] == -INFINITY ? 0.0f : exact::exp2f_exact(st[at] - m[r]);
          total += pt[at];
        }
        sum[r] = total;
      }
      for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t x = 0; x < o_stride; ++x) {
          float acc = o[std::size_t(i * o_stride + x)] * a[std::size_t(i)];
          for (std::int64_t j = 0; j < cols; ++j)
            acc = std::fma(pt[std::size_t(j * stride + i)], v[std::size_t(j * o_stride + x)], acc);
          out[std::size_t(i * o_stride + x)] = acc;
        }
      for (const NamedTileOps& set : all_tile_ops()) {
        INFO(set.name << " cols " << cols << " d " << d);
        std::vector<float> scores(st.size());
        set.ops.scores(k.data(), cols, qt.data(), stride, d, 0.36f, scores.data());
        for (std::int64_t j = 0; j < cols; ++j)
          for (std::int64_t i = 0; i < stride; ++i)
            if ((i + j) % 7 == 3) scores[std::size_t(j * stride + i)] = -INFINITY;
        REQUIRE(same(scores, st));
        std::vector<float> got_m(m_in), got_a(m_in), got_p(st), got_sum(std::size_t(stride), 0.25f), got_o(o);
        set.ops.row_max(st.data(), cols, stride, m_in.data(), got_m.data());
        REQUIRE(same(got_m, m));
        set.ops.alpha(m_in.data(), m.data(), stride, got_a.data());
        REQUIRE(same(got_a, a));
        set.ops.exponentiate(st.data(), cols, stride, m.data(), got_p.data(), got_sum.data());
        REQUIRE(same(got_p, pt));
        REQUIRE(same(got_sum, sum));
        got_p = st;  // in place, without a sum
        set.ops.exponentiate(got_p.data(), cols, stride, m.data(), got_p.data(), nullptr);
        REQUIRE(same(got_p, pt));
        std::vector<float> want_l(sum), got_l(sum);
        for (std::size_t r = 0; r < want_l.size(); ++r) want_l[r] = std::fma(sum[r], a[r], m[r]);
        set.ops.rescale_sum(got_l.data(), a.data(), m.data(), stride, got_l.data());
        REQUIRE(same(got_l, want_l));
        set.ops.scale_rows(got_o.data(), rows, o_stride, a.data());
        set.ops.accumulate(pt.data(), cols, stride, rows, v.data(), o_stride, got_o.data());
        REQUIRE(same(got_o, out));
        std::vector<float> blended(o), weight(m_in.size()), total(m_in.size());
        for (std::size_t i = 0; i < weight.size(); ++i)
          weight[i] = 0.3f * float(i), total[i] = i % 5 ? 1.0f + 0.7f * float(i) : 0.0f;
        std::vector<float> want(o);
        for (std::int64_t i = 0; i < rows; ++i)
          for (std::int64_t x = 0; x < o_stride; ++x) {
            const std::size_t at = std::size_t(i * o_stride + x), r = std::size_t(i);
            want[at] = total[r] == 0 ? 0.0f : std::fma(a[r], o[at], weight[r] * out[at]) / total[r];
          }
        set.ops.blend_rows(blended.data(), out.data(), rows, o_stride, a.data(), weight.data(), total.data());
        REQUIRE(same(blended, want));
      }
    }
  }
  REQUIRE(all_tile_ops().size() >= 1);
}

TEST_CASE("every instruction set gives the bits of scalar code in the backward pass too", "[unit]") {
  for (const std::int64_t cols : {1, 3, 6, 17, 64}) {
    for (const std::int64_t d : {1, 5, 16, 33, 64, 80}) {
      const std::int64_t rows = cols == 6 ? 5 : 37, stride = padded(rows), o_stride = padded(d);
      const std::vector<float> p = numbers(11, cols * stride), dp = numbers(12, cols * stride),
                               u = numbers(13, rows * o_stride), g = numbers(14, cols * o_stride);
      std::vector<float> l = numbers(15, stride), share(p), dot(l), ds(p), sum(g);
      l[std::size_t(rows - 1)] = 0;
      for (std::int64_t j = 0; j < cols; ++j)
        for (std::int64_t i = 0; i < stride; ++i) {
          const std::size_t at = std::size_t(j * stride + i), r = std::size_t(i);
          share[at] = l[r] == 0 ? 0.0f : p[at] / l[r];
          dot[r] = std::fma(p[at], dp[at], dot[r]);
          ds[at] = p[at] * (dp[at] - l[r]);
        }
      for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < cols; ++j)
          for (std::int64_t x = 0; x < o_stride; ++x) {
            float& out = sum[std::size_t(j * o_stride + x)];
            out = std::fma(p[std::size_t(j * stride + i)], u[std::size_t(i * o_stride + x)], out);
          }
      for (const NamedTileOps& set : all_tile_ops()) {
        INFO(set.name << " cols " << cols << " d " << d);
        std::vector<float> got_share(p), got_dot = numbers(15, stride), got_ds(p.size()), got_sum(g);
        set.ops.divide_rows(got_share.data(), cols, stride, l.data());
        REQUIRE(same(got_share, share));
        set.ops.row_dot(p.data(), dp.data(), cols, stride, got_dot.data());
        REQUIRE(same(got_dot, dot));
        set.ops.score_gradient(p.data(), dp.data(), cols, stride, l.data(), got_ds.data());
        REQUIRE(same(got_ds, ds));
        set.ops.accumulate_by_column(p.data(), cols, stride, rows, u.data(), o_stride, got_sum.data());
        REQUIRE(same(got_sum, sum));
      }
    }
  }
}

TEST_CASE("of equal maxima the first stays, so that a zero keeps its sign", "[unit]") {
  const std::int64_t stride = 16;
  std::vector<float> st(std::size_t(2 * stride), 0.0f), m_in(std::size_t(stride), -INFINITY), m(m_in);
  for (std::int64_t i = 0; i < stride; ++i) st[std::size_t(i)] = -0.0f;
  for (const NamedTileOps& set : all_tile_ops()) {
    set.ops.row_max(st.data(), 2, stride, m_in.data(), m.data());
    REQUIRE(std::signbit(m[0]));
  }
}
