#include "lab/judge/judged_row.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/problem/inputs.h"
#include "core/witness/roundings.h"

namespace tilewalk {
namespace {

constexpr double kUnit = Roundings::kUnit;
constexpr double kDepthShare = 4 * kUnit;  // of a weight's relative error, for each unit of |s - m|
constexpr double kMostLag = 88;            // beyond it, weights leave the range of fp32
constexpr double kLeast = 0x1p-126;        // smaller weights may be flushed to zero

struct Score {
  double value = 0, error = 0;
};

Score score_of(const float* q, const float* k, std::int64_t d, double factor) {
  double dot = 0, peak = 0, squares = 0;
  for (std::int64_t x = 0; x < d; ++x) {
    const double term = double(q[x]) * double(k[x]);
    dot += term;
    peak = std::max(peak, std::fabs(dot));
    squares += term * term;
  }
  const double partial = std::max(peak, std::sqrt(squares));
  return {dot * factor,
          kUnit * (2 * std::sqrt(2 * double(d)) * partial * std::fabs(factor) + 6 * std::fabs(dot * factor))};
}

double half_unit(DType dtype) { return dtype == DType::Fp32 ? 0 : dtype == DType::Fp16 ? 0x1p-11 : 0x1p-8; }

}  // namespace

JudgedInputs::JudgedInputs(const Problem& p, const AttentionInputs& in)
    : p_(p),
      in_(in),
      band_(p.shape.band()),
      factor_(p.scale_value() * (p.numerics.base == Base::Two ? std::numbers::ln2 : 1.0)) {}

bool JudgedInputs::has_kv_row(std::int64_t batch, std::int64_t kv_head, std::int64_t row) const {
  const std::int64_t at = (batch * p_.shape.kv_heads + kv_head) * p_.shape.n_kv + row;
  return at >= 0 && at < p_.shape.batch * p_.shape.kv_heads * p_.shape.n_kv;
}
const float* JudgedInputs::k_of(std::int64_t batch, std::int64_t kv_head, std::int64_t row) const {
  return in_.k.data() + ((batch * p_.shape.kv_heads + kv_head) * p_.shape.n_kv + row) * p_.shape.d;
}
const float* JudgedInputs::v_of(std::int64_t batch, std::int64_t kv_head, std::int64_t row) const {
  return in_.v.data() + ((batch * p_.shape.kv_heads + kv_head) * p_.shape.n_kv + row) * p_.shape.d;
}

JudgedRow::JudgedRow(const JudgedInputs& inputs, const RowId& id)
    : inputs_(&inputs),
      id_(id),
      max_(-kUnbounded),
      last_m_(-kUnbounded),
      o_(std::size_t(inputs.problem().shape.d), 0.0),
      sizes_(o_),
      moved_(o_) {}

bool JudgedRow::overlaps(const KeyRange& range) const {
  return std::any_of(absorbed_.begin(), absorbed_.end(), [&](const KeyRange& a) {
    return std::max(a.first, range.first) < std::min(a.second, range.second);
  });
}

void JudgedRow::absorb(const KeyRange& range) {
  const Shape& shape = inputs_->problem().shape;
  ++visits_;
  if (range.second > range.first) absorbed_.push_back(range);
  const std::int64_t first = std::max(range.first, inputs_->band().first_col(id_.row)),
                     end = std::min(range.second, inputs_->band().end_col(id_.row, shape.n_kv));
  const HeadId head = {id_.batch, id_.head};
  const float* q = inputs_->q(id_);
  for (std::int64_t key = first; key < end; ++key) {
    const Score s = score_of(q, inputs_->k(head, key), shape.d, inputs_->factor());
    if (s.value > max_) {
      const double shrink = keys_ == 0 ? 0 : std::exp(max_ - s.value);
      sum_ *= shrink, moved_sum_ *= shrink;
      for (std::size_t x = 0; x < o_.size(); ++x) o_[x] *= shrink, sizes_[x] *= shrink, moved_[x] *= shrink;
      max_ = s.value;
    }
    const double e = std::exp(s.value - max_), moves = e * (s.error - kDepthShare * s.value);
    sum_ += e, moved_sum_ += moves;
    const float* v = inputs_->v(head, key);
    for (std::size_t x = 0; x < o_.size(); ++x) {
      const double size = std::fabs(double(v[x]));
      o_[x] += e * double(v[x]), sizes_[x] += e * size, moved_[x] += moves * size;
    }
    ++keys_;
  }
}

void JudgedRow::follow_max(double m) {
  if (!std::isfinite(m)) return;
  if (std::isfinite(last_m_)) travel_ += std::min(std::fabs(m - last_m_), 2 * kMostLag);
  last_m_ = m;
  lag_ = keys_ == 0 ? 0 : std::min(std::fabs(m - max_), kMostLag);
}

double JudgedRow::lse() const { return keys_ == 0 ? -kUnbounded : max_ + std::log(sum_); }
double JudgedRow::attention(std::size_t x) const { return keys_ == 0 ? 0 : o_[x] / sum_; }

double JudgedRow::per_weight() const {
  return 9 * kUnit + kDepthShare * (max_ + lag_ + travel_) +
         2 * std::sqrt(2 * double(keys_) + 5 * double(visits_)) * kUnit;
}

double JudgedRow::lse_bound() const {
  if (keys_ == 0) return 0;
  const double flushed = double(keys_) * kLeast * std::exp(lag_) / sum_;
  return moved_sum_ / sum_ + per_weight() + flushed + 2 * kUnit * std::fabs(lse());
}

double JudgedRow::attention_bound(std::size_t x) const {
  if (keys_ == 0) return 0;
  const double size = sizes_[x] / sum_, of_p = 2 * half_unit(inputs_->problem().numerics.dtype);
  return moved_[x] / sum_ + (per_weight() + of_p) * size + (lse_bound() + 4 * kUnit) * std::fabs(o_[x] / sum_) + kLeast;
}

JudgedRow::PlainErrors JudgedRow::plain_errors() const {
  const Problem& p = inputs_->problem();
  const HeadId head = {id_.batch, id_.head};
  const float* q = inputs_->q(id_);
  const auto scale = float(inputs_->factor());
  std::vector<std::int64_t> keys;
  std::vector<float> scores;
  float largest = -std::numeric_limits<float>::infinity();
  for (const KeyRange& range : absorbed_)
    for (std::int64_t key = std::max(range.first, inputs_->band().first_col(id_.row)),
                      end = std::min(range.second, inputs_->band().end_col(id_.row, p.shape.n_kv));
         key < end; ++key) {
      const float* k = inputs_->k(head, key);
      float dot = 0;
      for (std::int64_t x = 0; x < p.shape.d; ++x) dot = std::fmaf(q[x], k[x], dot);
      keys.push_back(key), scores.push_back(dot * scale);
      largest = std::max(largest, scores.back());
    }
  if (keys.empty()) return {};
  float sum = 0;
  for (float& s : scores) sum += s = std::exp(s - largest);
  std::vector<float> o(o_.size(), 0.0f);
  for (std::size_t j = 0; j < keys.size(); ++j) {
    const float weight = round_to(p.numerics.dtype, scores[j] / sum);
    const float* v = inputs_->v(head, keys[j]);
    for (std::size_t x = 0; x < o.size(); ++x) o[x] = std::fmaf(weight, v[x], o[x]);
  }
  PlainErrors out{std::fabs(double(largest) + std::log(double(sum)) - lse()), 0};
  for (std::size_t x = 0; x < o.size(); ++x)
    out.attention = std::max(out.attention, std::fabs(double(o[x]) - attention(x)));
  return out;
}

}  // namespace tilewalk
