#include <algorithm>
#include <cmath>
#include <limits>

#include "base/small_float.h"
#include "base/units.h"
#include "measured/fast_trace.h"

namespace tilewalk {
namespace {

constexpr double kLog2e = 1.4426950408889634, kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLag = 8;      // log2 units: kernels/fast/softmax.h, kLazyLimit
constexpr double kSums = 1e-5;  // of a log-sum-exp, relative

// One row of one head: its scores, the running softmax in float64, and naive attention over the same keys.
class RowWitness {
 public:
  RowWitness(const FastTrace& t, std::int64_t head, std::int64_t row)
      : t_(t), c_(float(t.scale * 1.44269504)), mean(std::size_t(t.d)), plain(std::size_t(t.d)), o_(std::size_t(t.d)) {
    const Band band = t.mask.band(t.n_q, t.n_kv);
    seen_ = std::clamp<std::int64_t>(band.high == Band::kOpen ? t.n_kv : row + band.high + 1, 0, t.n_kv);
    kv_ = head / t.heads_per_kv * t.n_kv * t.d;
    const float* const q = &t.q[std::size_t((head * t.n_q + row) * t.d)];
    double q_norm = 0, k_norm = 0;
    for (std::int64_t x = 0; x < t.d; ++x) q_norm += double(q[x]) * q[x];
    for (std::int64_t j = 0; j < t.n_kv; ++j) {
      const float* const k = &t.k[std::size_t(kv_ + j * t.d)];
      double dot = 0, norm = 0;
      float dot32 = 0;
      for (std::int64_t x = 0; x < t.d; ++x) {
        dot += double(q[x]) * k[x];
        norm += double(k[x]) * k[x];
        dot32 += q[x] * k[x];
      }
      k_norm = std::max(k_norm, norm);
      if (j >= seen_) continue;
      s_.push_back(dot * c_);
      rounded_.push_back(stored(dot32 * float(t.scale)));
    }
    rounding = 0x1p-24 * c_ * std::sqrt(q_norm * k_norm);
  }

  bool sees(std::int64_t tile) const { return tile * t_.keys < seen_; }

  void absorb(std::int64_t tile) {
    const std::int64_t first = tile * t_.keys, end = std::min(seen_, first + t_.keys);
    double top = m;
    for (std::int64_t j = first; j < end; ++j) top = std::max(top, s_[std::size_t(j)]);
    if (top == -kInfinity) return;
    const double alpha = std::exp2(m - top);
    m = top;
    l *= alpha;
    for (double& x : o_) x *= alpha;
    for (std::int64_t j = first; j < end; ++j) {
      const double p = std::exp2(s_[std::size_t(j)] - m);
      l += p;
      for (std::int64_t x = 0; x < t_.d; ++x) o_[std::size_t(x)] += p * t_.v[std::size_t(kv_ + j * t_.d + x)];
    }
    for (std::size_t x = 0; x < mean.size(); ++x) mean[x] = o_[x] / l;
    const std::int64_t from = t_.normalised ? 0 : first, to = t_.normalised ? end : seen_;
    plain_over(from, to);
  }

  double lse() const { return m + std::log2(l); }

 private:
  const FastTrace& t_;
  float c_;
  std::int64_t seen_ = 0, kv_ = 0;

 public:
  double m = -kInfinity, l = 0, rounding = 0;
  std::vector<double> mean;  // of the keys so far
  std::vector<float> plain;  // the same by naive attention in the trace's precision

 private:
  float stored(float x) const {
    return t_.bf16 ? float_from_bf16(bf16_from_float(x)) : float_from_fp16(fp16_from_float(x));
  }
  // Scores and weights rounded to the storage type, sums in fp32.
  void plain_over(std::int64_t from, std::int64_t to) {
    float top = -std::numeric_limits<float>::infinity(), sum = 0;
    for (std::int64_t j = from; j < to; ++j) top = std::max(top, rounded_[std::size_t(j)]);
    for (std::int64_t j = from; j < to; ++j) sum += std::exp(rounded_[std::size_t(j)] - top);
    std::fill(plain.begin(), plain.end(), 0.0f);
    for (std::int64_t j = from; j < to; ++j) {
      const float p = stored(std::exp(rounded_[std::size_t(j)] - top) / sum);
      for (std::int64_t x = 0; x < t_.d; ++x) plain[std::size_t(x)] += p * t_.v[std::size_t(kv_ + j * t_.d + x)];
    }
    for (float& x : plain) x = stored(x);
  }

  std::vector<double> s_;  // log2 units
  std::vector<float> rounded_;
  std::vector<double> o_;
};

struct Visit {
  double plain_error = 0, largest = 0, error = 0;
  std::int64_t worst_row = -1, values = 0;
  bool finite = true;
  std::optional<FastDivergence> broken;  // found in m and l
};

void look(const FastTrace& t, const RowWitness& w, std::int64_t head, std::int64_t tile, std::int64_t row, Visit& v) {
  const std::size_t at = std::size_t((head * t.tiles() + tile) * t.n_q + row);
  const double km = t.m[at], kl = t.l[at];
  const double trace_max = t.normalised ? km : km * float(t.scale * 1.44269504);  // log2 units
  bool finite = std::isfinite(km) && std::isfinite(kl) && kl > 0;
  const double want_l = w.l * std::exp2(w.m - trace_max);
  for (std::int64_t x = 0; x < t.d; ++x) {
    const double got = t.o[at * std::size_t(t.d) + std::size_t(x)], want = w.mean[std::size_t(x)];
    finite &= std::isfinite(got);
    const double off = std::fabs(got / want_l - want);
    if (!(off <= v.error)) v.error = off, v.worst_row = row;
    v.plain_error = std::max(v.plain_error, std::fabs(w.plain[std::size_t(x)] - want));
    v.largest = std::max(v.largest, std::fabs(want));
  }
  v.finite &= finite;
  v.values += t.d + 2;
  const auto broken = [&](const char* quantity, double error, double allowed) {
    if (v.broken || (error <= allowed && finite)) return;
    v.broken = FastDivergence{head, row / t.rows, tile, row, quantity, error, allowed};
  };
  const double lse_allowed = (kSums + w.rounding) * (1 + std::fabs(w.lse()));
  broken("log-sum-exp", std::fabs(trace_max + std::log2(kl) - w.lse()), lse_allowed);
  const double slack = kSums * (1 + std::fabs(w.m)) + w.rounding, lag = w.m - trace_max;
  if (!t.normalised) broken("m", lag < 0 ? kLag - lag : lag, kLag + slack);
}

}  // namespace

FastTraceReport check_fast_trace(const FastTrace& t) {
  FastTraceReport out;
  const double unit = t.bf16 ? 0x1p-9 : 0x1p-12;
  bool finite = true;
  for (std::int64_t head = 0; head < t.heads; ++head)
    for (std::int64_t first = 0; first < t.n_q; first += t.rows) {
      std::vector<RowWitness> rows;
      const std::int64_t end = std::min(t.n_q, first + t.rows);
      for (std::int64_t row = first; row < end; ++row) rows.emplace_back(t, head, row);
      for (std::int64_t step = 0; step < t.tiles(); ++step) {
        const std::int64_t tile = t.normalised ? step : t.tiles() - 1 - step;
        Visit visit;
        for (std::int64_t row = first; row < end; ++row) {
          RowWitness& w = rows[std::size_t(row - first)];
          if (!w.sees(tile)) continue;
          w.absorb(tile);
          look(t, w, head, tile, row, visit);
        }
        if (visit.values == 0) continue;
        ++out.visits;
        out.values += visit.values;
        const double allowed = 2 * visit.plain_error + unit * visit.largest;
        if (visit.finite) out.largest_share = std::max(out.largest_share, visit.error / std::max(allowed, 1e-300));
        const bool within_rule = visit.finite && visit.error <= allowed && !visit.broken;
        finite &= visit.finite;
        if (within_rule) continue;
        ++out.outside;
        if (out.first) continue;
        out.first = visit.broken ? visit.broken : FastDivergence{head, first / t.rows, tile,   visit.worst_row,
                                                                 "O",  visit.error,    allowed};
      }
    }
  if (out.visits == 0) return out;
  out.verdict = out.outside == 0 ? Verdict::WithinRule : finite ? Verdict::Diverged : Verdict::NotFinite;
  return out;
}

std::string sentence_of(const FastTraceReport& r) {
  const auto number = [](double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", x);
    return std::string(text);
  };
  if (r.verdict == Verdict::NotChecked) return "There is no tile visit to check.";
  const std::string visits = format_count(r.visits) + " tile visits, " + format_count(r.values) + " values";
  if (!r.first)
    return visits + ": all within FlashAttention's rule against float64; the largest error of O is " +
           number(100 * r.largest_share) + " % of what it allows.";
  const FastDivergence& d = *r.first;
  return visits + ": " + format_count(r.outside) + " visits outside the rule. First: head " + std::to_string(d.head) +
         ", Q tile " + std::to_string(d.q_tile) + ", KV tile " + std::to_string(d.kv_tile) + ", row " +
         std::to_string(d.row) + ": " + d.quantity + " is off by " + number(d.error) + ", allowed " +
         number(d.allowed) + ".";
}

}  // namespace tilewalk
