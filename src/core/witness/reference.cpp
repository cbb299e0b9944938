#include "core/witness/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewalk {

ReferenceRow reference_row(const Inputs& inputs, std::int64_t batch, std::int64_t head, std::int64_t row) {
  const Problem& p = inputs.problem();
  const Band band = p.shape.band();
  const std::int64_t first = band.first_col(row), end = band.end_col(row, p.shape.n_kv),
                     kv_head = p.shape.kv_head_of(head);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  ReferenceRow out{std::vector<double>(std::size_t(p.shape.d), 0.0), kInfinity, -kInfinity};
  if (first >= end) return out;

  std::vector<float> q_scratch, scratch;
  const float* q = inputs.rows(TensorId::Q, batch, head, row, 1, q_scratch);
  const std::vector<float> q_row(q, q + p.shape.d);
  std::vector<double> scores(std::size_t(end - first));
  constexpr std::int64_t kChunk = 256;
  for (std::int64_t j0 = first; j0 < end; j0 += kChunk) {
    const std::int64_t count = std::min(kChunk, end - j0);
    const float* k = inputs.rows(TensorId::K, batch, kv_head, j0, count, scratch);
    for (std::int64_t j = 0; j < count; ++j) {
      double dot = 0;
      for (std::int64_t x = 0; x < p.shape.d; ++x) dot += double(q_row[std::size_t(x)]) * double(k[j * p.shape.d + x]);
      scores[std::size_t(j0 - first + j)] = dot * p.scale_value();
    }
  }
  out.max_score = *std::max_element(scores.begin(), scores.end());
  const bool natural = p.numerics.base == Base::E;
  double sum = 0;
  for (double& s : scores) {
    s = natural ? std::exp(s - out.max_score) : std::exp2(s - out.max_score);
    sum += s;
  }
  for (std::int64_t j0 = first; j0 < end; j0 += kChunk) {
    const std::int64_t count = std::min(kChunk, end - j0);
    const float* v = inputs.rows(TensorId::V, batch, kv_head, j0, count, scratch);
    for (std::int64_t j = 0; j < count; ++j)
      for (std::int64_t x = 0; x < p.shape.d; ++x)
        out.o[std::size_t(x)] += scores[std::size_t(j0 - first + j)] / sum * double(v[j * p.shape.d + x]);
  }
  out.lse = out.max_score + (natural ? std::log(sum) : std::log2(sum));
  return out;
}

namespace {

std::vector<double> as_double(const Inputs& inputs, TensorId id, std::int64_t batch, std::int64_t head,
                              std::int64_t count) {
  std::vector<float> scratch;
  const float* rows = inputs.rows(id, batch, head, 0, count, scratch);
  return {rows, rows + count * inputs.problem().shape.d};
}

double dot(const double* a, const double* b, std::int64_t d) {
  double sum = 0;
  for (std::int64_t x = 0; x < d; ++x) sum += a[x] * b[x];
  return sum;
}

void add(double factor, const double* from, double* to, std::int64_t d) {
  for (std::int64_t x = 0; x < d; ++x) to[x] += factor * from[x];
}

double largest_of(const double* values, std::int64_t d) {
  double largest = 0;
  for (std::int64_t x = 0; x < d; ++x) largest = std::max(largest, std::fabs(values[x]));
  return largest;
}

// The most that rounding to the dtype moves a value, as a part of it; fp32 values are not rounded on their way.
double unit_roundoff(DType dtype) {
  switch (dtype) {
    case DType::Fp16: return 0x1p-11;
    case DType::Bf16: return 0x1p-8;
    case DType::Fp32: break;
  }
  return 0;
}

}  // namespace

ReferenceBackward::ReferenceBackward(const Inputs& inputs, std::int64_t batch, std::int64_t kv_head)
    : inputs_(inputs),
      batch_(batch),
      kv_head_(kv_head),
      k_(as_double(inputs, TensorId::K, batch, kv_head, inputs.problem().shape.n_kv)),
      v_(as_double(inputs, TensorId::V, batch, kv_head, inputs.problem().shape.n_kv)) {
  out_.dk.assign(k_.size(), 0.0);
  out_.dv.assign(v_.size(), 0.0);
  dk_by_rounded_o_.assign(std::size_t(inputs.problem().shape.n_kv), 0.0);
}

double ReferenceBackward::progress() const {
  const Shape& shape = inputs_.problem().shape;
  return double(head_ * shape.n_q + row_) / double(shape.head_group() * shape.n_q);
}

bool ReferenceBackward::work() {
  const Shape& shape = inputs_.problem().shape;
  if (head_ == shape.head_group()) return true;
  if (row_ == 0) {
    const std::int64_t head = kv_head_ * shape.head_group() + head_;
    q_ = as_double(inputs_, TensorId::Q, batch_, head, shape.n_q);
    d_o_ = as_double(inputs_, TensorId::dO, batch_, head, shape.n_q);
  }
  row(q_.data() + row_ * shape.d, d_o_.data() + row_ * shape.d, row_);
  if (++row_ == shape.n_q) ++head_, row_ = 0;
  return head_ == shape.head_group();
}

void ReferenceBackward::row(const double* q_i, const double* do_i, std::int64_t i) {
  const Problem& p = inputs_.problem();
  const Band band = p.shape.band();
  const std::int64_t d = p.shape.d;
  const bool natural = p.numerics.base == Base::E;
  const double slope = p.scale_value() * (natural ? 1.0 : std::log(2.0));  // d(base^(scale x))/dx over base^(scale x)
  std::vector<double> dq(std::size_t(d), 0.0);
  const std::int64_t first = band.first_col(i), end = std::max(first, band.end_col(i, p.shape.n_kv));
  std::vector<double> weight, gradient;
  double largest = -std::numeric_limits<double>::infinity(), sum = 0, mean = 0;
  for (std::int64_t j = first; j < end; ++j) {
    weight.push_back(dot(q_i, k_.data() + j * d, d) * p.scale_value());
    gradient.push_back(dot(do_i, v_.data() + j * d, d));
    out_.largest_dp = std::max(out_.largest_dp, std::fabs(gradient.back()));
    largest = std::max(largest, weight.back());
  }
  for (double& w : weight) sum += w = natural ? std::exp(w - largest) : std::exp2(w - largest);
  if (sum > 0)
    out_.largest_lse = std::max(out_.largest_lse, std::fabs(largest * (natural ? 1 : std::log(2.0)) + std::log(sum)));
  for (std::size_t n = 0; n < weight.size(); ++n) mean += (weight[n] /= sum) * gradient[n];
  for (std::int64_t j = first; j < end; ++j) {
    const std::size_t n = std::size_t(j - first);
    const double by_score = weight[n] * (gradient[n] - mean) * slope;
    add(by_score, k_.data() + j * d, dq.data(), d);
    add(by_score, q_i, out_.dk.data() + j * d, d);
    add(weight[n], do_i, out_.dv.data() + j * d, d);
  }
  out_.dq.insert(out_.dq.end(), dq.begin(), dq.end());
  if (const double unit = unit_roundoff(p.numerics.dtype); unit > 0) {
    std::vector<double> o(std::size_t(d), 0.0);
    for (std::size_t n = 0; n < weight.size(); ++n)
      add(weight[n], v_.data() + (first + std::int64_t(n)) * d, o.data(), d);
    double mean_moves = 0, dq_moves = 0;
    for (std::int64_t x = 0; x < d; ++x) mean_moves += unit * std::fabs(do_i[x] * o[std::size_t(x)]);
    for (std::int64_t j = first; j < end; ++j) {
      const double score_moves = weight[std::size_t(j - first)] * mean_moves * std::fabs(slope);
      dq_moves += score_moves * largest_of(k_.data() + j * d, d);
      double& dk_moves = dk_by_rounded_o_[std::size_t(j)];
      dk_moves += score_moves * largest_of(q_i, d);
      out_.dk_by_rounded_o = std::max(out_.dk_by_rounded_o, dk_moves);
    }
    out_.dq_by_rounded_o = std::max(out_.dq_by_rounded_o, dq_moves);
  }
}

ReferenceGradients reference_gradients(const Inputs& inputs, std::int64_t batch, std::int64_t kv_head) {
  ReferenceBackward walk(inputs, batch, kv_head);
  while (!walk.work()) {
  }
  return walk.gradients();
}

}  // namespace tilewalk
