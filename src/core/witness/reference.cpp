#include "core/witness/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewalk {
namespace {

constexpr std::int64_t kChunk = 256;  // rows of K or V at a time
const double kLn2 = std::log(2.0);

// O of a row and its bound, from the exponentials of its scores; visible keys begin at `first`.
void bound_row(const Inputs& inputs, const InputHead& v_head, std::int64_t first,
               const std::vector<double>& exponentials, double sum, const Roundings& roundings, ReferenceRow& out) {
  const Problem& p = inputs.problem();
  const auto n = double(exponentials.size());
  const double unit = p.numerics.base == Base::E ? 1 : kLn2, lse = out.lse * unit;
  BoundedSums o(1, p.shape.d);
  std::vector<float> scratch;
  std::vector<double> v(std::size_t(p.shape.d));
  double of_weights = 0;
  // Rounded scores move every weight, and so their sum: by a factor from `least` to `largest`.
  const auto moved = [&](double e) { return roundings.of_score((out.max_score * unit + std::log(e)) / kLn2); };
  double least = 1, largest = 1;
  if (roundings.narrow_scores) {
    least = largest = 0;
    for (const double e : exponentials)
      if (e > 0) least += e / sum * std::exp(-moved(e)), largest += e / sum * std::exp(moved(e));
  }
  for (std::int64_t at = 0; at < std::int64_t(exponentials.size()); ++at) {
    if (at % kChunk == 0) {
      const std::int64_t count = std::min(kChunk, std::int64_t(exponentials.size()) - at);
      const float* rows = inputs.rows(v_head, first + at, count, scratch);
      v.assign(rows, rows + count * p.shape.d);
    }
    const double e = exponentials[std::size_t(at)], w = e / sum;
    const double moves = e > 0 ? w * roundings.of_weight(-std::log(e), lse, n) : 0;
    of_weights += moves;
    const double factor = e > 0 ? std::exp(moved(e)) : 1;
    const double by_scores = w * std::max(factor / least - 1, 1 - 1 / (factor * largest));
    const double by_stores = roundings.of_store(w) + roundings.of_store(w + by_scores);
    o.add(0, w, moves + by_scores + by_stores, v.data() + at % kChunk * p.shape.d);
  }
  out.o = o.sums();
  for (std::size_t x = 0; x < out.o.size(); ++x) {
    const double by_sum = (of_weights + roundings.of_sum(n)) * std::fabs(out.o[x]);  // of P, the divisor
    out.o_rounding = std::max(out.o_rounding, o.bound(roundings, x, n) + by_sum);
  }
}

}  // namespace

ReferenceRow reference_row(const Inputs& inputs, const RowId& id, const Roundings* roundings) {
  const Problem& p = inputs.problem();
  const Band band = p.shape.band();
  const std::int64_t first = band.first_col(id.row), end = band.end_col(id.row, p.shape.n_kv);
  const HeadId head = {id.batch, id.head};
  const InputHead k_head = input_head(p, TensorId::K, head), v_head = input_head(p, TensorId::V, head);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  ReferenceRow out{std::vector<double>(std::size_t(p.shape.d), 0.0), kInfinity, -kInfinity};
  if (first >= end) return out;

  std::vector<float> q_scratch, scratch;
  const float* q = inputs.rows({TensorId::Q, id.batch, id.head}, id.row, 1, q_scratch);
  const std::vector<float> q_row(q, q + p.shape.d);
  std::vector<double> scores(std::size_t(end - first));
  for (std::int64_t j0 = first; j0 < end; j0 += kChunk) {
    const std::int64_t count = std::min(kChunk, end - j0);
    const float* k = inputs.rows(k_head, j0, count, scratch);
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
  out.lse = out.max_score + (natural ? std::log(sum) : std::log2(sum));
  if (roundings) {
    bound_row(inputs, v_head, first, scores, sum, *roundings, out);
    return out;
  }
  for (std::int64_t j0 = first; j0 < end; j0 += kChunk) {
    const std::int64_t count = std::min(kChunk, end - j0);
    const float* v = inputs.rows(v_head, j0, count, scratch);
    for (std::int64_t j = 0; j < count; ++j)
      for (std::int64_t x = 0; x < p.shape.d; ++x)
        out.o[std::size_t(x)] += scores[std::size_t(j0 - first + j)] / sum * double(v[j * p.shape.d + x]);
  }
  return out;
}

namespace {

std::vector<double> as_double(const Inputs& inputs, const InputHead& head, std::int64_t count) {
  std::vector<float> scratch;
  const float* rows = inputs.rows(head, 0, count, scratch);
  return {rows, rows + count * inputs.problem().shape.d};
}

// A product of two rows, and the root of the sum of the squares of its partial sums.
struct Dot {
  double value = 0, path = 0;
};

Dot dot(const double* a, const double* b, std::int64_t d) {
  Dot out;
  double squares = 0;
  for (std::int64_t x = 0; x < d; ++x) {
    out.value += a[x] * b[x];
    squares += out.value * out.value;
  }
  out.path = std::sqrt(squares);
  return out;
}

}  // namespace

struct ReferenceBackward::Pair {
  double weight = 0, depth = 0;  // P; max - s in natural units
  double dp = 0, dp_path = 0;
  double moves = 0, store = 0;  // error of the weight: in fp32 on both sides, and by one rounding to the dtype
};

ReferenceBackward::ReferenceBackward(const Inputs& inputs, std::int64_t batch, std::int64_t kv_head,
                                     const Roundings& roundings)
    : inputs_(inputs),
      batch_(batch),
      kv_head_(kv_head),
      roundings_(roundings),
      k_(as_double(inputs, {TensorId::K, batch, kv_head}, inputs.problem().shape.n_kv)),
      v_(as_double(inputs, {TensorId::V, batch, kv_head}, inputs.problem().shape.n_kv)),
      dk_(inputs.problem().shape.n_kv, inputs.problem().shape.d),
      dv_(inputs.problem().shape.n_kv, inputs.problem().shape.d) {}

double ReferenceBackward::progress() const {
  const Shape& shape = inputs_.problem().shape;
  return double(head_ * shape.n_q + row_) / double(shape.head_group() * shape.n_q);
}

bool ReferenceBackward::work() {
  const Shape& shape = inputs_.problem().shape;
  if (head_ == shape.head_group()) return true;
  if (row_ == 0) {
    const std::int64_t head = kv_head_ * shape.head_group() + head_;
    q_ = as_double(inputs_, {TensorId::Q, batch_, head}, shape.n_q);
    d_o_ = as_double(inputs_, {TensorId::dO, batch_, head}, shape.n_q);
  }
  row(q_.data() + row_ * shape.d, d_o_.data() + row_ * shape.d, row_);
  if (++row_ == shape.n_q) ++head_, row_ = 0;
  if (head_ < shape.head_group()) return false;
  end();
  return true;
}

void ReferenceBackward::end() {
  const Shape& shape = inputs_.problem().shape;
  const auto rows = double(shape.head_group() * shape.n_q);
  out_.dk = dk_.sums(), out_.dv = dv_.sums();
  out_.dk_rounding = dk_.largest_bound(roundings_, rows);
  out_.dv_rounding = dv_.largest_bound(roundings_, rows);
}

void ReferenceBackward::row(const double* q_i, const double* do_i, std::int64_t i) {
  const Problem& p = inputs_.problem();
  const Band band = p.shape.band();
  const std::int64_t d = p.shape.d;
  const double unit = p.numerics.base == Base::E ? 1.0 : kLn2;  // the unit of a score in natural units
  const double slope = p.scale_value() * unit;                  // d(base^(scale x))/dx over base^(scale x)
  const std::int64_t first = band.first_col(i), end = std::max(first, band.end_col(i, p.shape.n_kv));
  std::vector<Pair> pairs;
  double largest = -std::numeric_limits<double>::infinity(), sum = 0, mean = 0;
  for (std::int64_t j = first; j < end; ++j) {
    const Dot dp = dot(do_i, v_.data() + j * d, d);
    const double score = dot(q_i, k_.data() + j * d, d).value * p.scale_value() * unit;
    pairs.push_back({.depth = score, .dp = dp.value, .dp_path = dp.path});
    largest = std::max(largest, score);
  }
  for (Pair& pair : pairs) {
    pair.depth = largest - pair.depth;
    sum += pair.weight = std::exp(-pair.depth);
  }
  const auto n = double(pairs.size());
  for (Pair& pair : pairs) {
    mean += (pair.weight /= sum) * pair.dp;
    pair.moves = pair.weight * (roundings_.of_weight(pair.depth, largest + std::log(sum), n) + roundings_.of_sum(n));
    pair.store = roundings_.of_store(pair.weight);
  }
  const double mean_moves = moves_of_mean(pairs, do_i, first, mean);
  BoundedSums dq(1, d);
  for (std::int64_t j = first; j < end; ++j) {
    const Pair& pair = pairs[std::size_t(j - first)];
    const double off_mean = pair.dp - mean, by_score = pair.weight * off_mean;
    const double moves = (pair.moves + pair.store + 4 * Roundings::kUnit * pair.weight) * std::fabs(off_mean) +
                         pair.weight * mean_moves + 2 * roundings_.of_store(by_score);
    dq.add(0, by_score * slope, moves * std::fabs(slope), k_.data() + j * d);
    dk_.add(j, by_score * slope, moves * std::fabs(slope), q_i);
    dv_.add(j, pair.weight, pair.moves + 2 * pair.store, do_i);
  }
  out_.dq.insert(out_.dq.end(), dq.sums().begin(), dq.sums().end());
  out_.dq_rounding = std::max(out_.dq_rounding, dq.largest_bound(roundings_, n));
}

// How far D may differ: sum(dO o O) here, sum(P o dP) in naive attention.
double ReferenceBackward::moves_of_mean(const std::vector<Pair>& pairs, const double* do_i, std::int64_t first,
                                        double mean) const {
  const std::int64_t d = inputs_.problem().shape.d;
  const auto n = double(pairs.size());
  Roundings forward = roundings_;
  forward.weights_from_lse = false;  // O and naive attention do not recompute their weights from L
  BoundedSums o(1, d), of_p(1, 1);
  double moves = 0;
  for (std::size_t at = 0; at < pairs.size(); ++at) {
    const Pair& pair = pairs[at];
    o.add(0, pair.weight, 0, v_.data() + (first + std::int64_t(at)) * d);
    of_p.add(0, pair.weight, 0, &pair.dp);
    moves += pair.weight * (forward.of_weight(pair.depth, 0, n) * std::fabs(pair.dp - mean) +
                            Roundings::kUnit * std::fabs(pair.dp) + Roundings::of_path(pair.dp_path)) +
             2 * pair.store * std::fabs(pair.dp);
  }
  moves += Roundings::of_naive_sum(n) * of_p.span(0) + roundings_.of_sum(n) * std::fabs(mean) +
           Roundings::of_path(dot(do_i, o.sums().data(), d).path);
  for (std::size_t x = 0; x < std::size_t(d); ++x)
    moves += std::fabs(do_i[x]) * (roundings_.of_own_sum(n) * o.span(x) + Roundings::kUnit * std::fabs(o.sums()[x]) +
                                   roundings_.of_store(o.sums()[x]));
  return moves;
}

}  // namespace tilewalk
