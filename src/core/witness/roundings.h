// How far two right results may lie apart by rounding alone, where both are computed from the same scores S, bit for
// bit: those of a schedule and those of naive attention. So the error of S is in neither of these bounds. First order
// in u = 2^-24, a rounding in fp32, and h, a rounding to a 16-bit dtype (0 in fp32):
//
//   a weight w    each exp2 is off by 1.02 ULP and its argument by u |s - max|, naive attention divides by the sum:
//                 u (5.1 + 2 |s - max|) w for both sides, u tau ln 2 more where a max may lag by tau. A weight made
//                 again from L has the errors of L and of s - L, too: u (|L| + 2 ln n + 1), since log2(x) is off by
//                 1.06 u (log2 x + 1) at most from 1 on. Rounded to 16 bits: h w for each side
//   a sum         of n multiply-adds whose partial sums span R: each rounding is at most u R and their signs vary, so
//                 2 sqrt(n) u R (3.5 standard deviations). A tile visit rescales and joins what was summed: 5 roundings
//   O             the weights' errors times |v|, the two sums (of P v and of P), the division, and h |O| when stored
//   S in 16 bits  where naive's scores are rounded as they are stored and the other side's are not: a weight of score s
//                 is off by a factor of e^(+-h |s| ln 2), and their sum by the mean of those factors; not first order
//   D = dO o O    the errors of O times |dO|; naive attention's sum of P o dP. A weight's error moves D by dP - D
//   dS            P (dP - D): the errors of P times |dP - D|, those of D times P, h |dS| for each side
//   dQ, dK, dV    the errors of dS times |k| and |q|, those of P times |dO|; their sums; h of each when stored
//
// V scales all of O's bound: V of 1e-30 has a bound of 1e-30 of that. Not modelled: terms of second order.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/problem/problem.h"

namespace tilewalk {

struct Roundings {
  DType dtype = DType::Fp32;
  double visits = 0;              // tile visits and merges of a row, at most
  double lag = 0;                 // tau of flash_v4, in log2 units: how far a row's max may stay behind
  bool weights_from_lse = false;  // P = 2^(S - L), or merged with L
  bool narrow_scores = false;     // this side's S has the dtype in HBM, naive attention's is fp32

  static constexpr double kUnit = 0x1p-24;
  // of core/values/exact_math; repeated here, as the witness shares no code with the replay
  static constexpr double kExp2MaxUlp = 1.02;

  // The relative error of a weight in fp32, both sides. `depth` is max - s, `lse` is L, both in natural units.
  double of_weight(double depth, double lse, double n) const {
    const double made_again = weights_from_lse ? std::fabs(lse) + 2.1 * std::log(n) + 1 : 0;
    return kUnit * (4 * kExp2MaxUlp + 1 + 2 * depth + lag * std::log(2.0) + made_again);
  }
  // By how much rounding S moves the exponent of a weight, in natural units. `score` is s, in log2 units.
  double of_score(double score) const { return narrow_scores ? of_store(score) * std::log(2.0) : 0; }
  // The error of a sum in fp32, as a fraction of the span of its partial sums: n terms on each side, and the visits.
  double of_sum(double n) const { return 2 * std::sqrt(2 * n + 5 * visits) * kUnit; }
  double of_own_sum(double n) const { return 2 * std::sqrt(n + 5 * visits) * kUnit; }
  static double of_naive_sum(double n) { return 2 * std::sqrt(n) * kUnit; }
  // A chain that both sides compute, with partial sums whose root of the sum of squares is `path`.
  static double of_path(double path) { return 2 * kUnit * path; }
  // One rounding to the dtype of a value in HBM, or of an operand of a product. 0 in fp32.
  double of_store(double value) const {
    if (dtype == DType::Fp32 || value == 0) return 0;
    const double size = std::fabs(value);
    const double unit = dtype == DType::Fp16 ? 0x1p-11 : 0x1p-8, least = dtype == DType::Fp16 ? 0x1p-25 : 0x1p-134;
    return std::min(size, std::max(unit * size, least));
  }
};

// Sums of vectors of d values and, for each, the span of the partial sums and the error from its terms.
class BoundedSums {
 public:
  BoundedSums(std::int64_t count, std::int64_t d);
  // sums[at] += factor * from, where `factor` may have an error of `moves`.
  void add(std::int64_t at, double factor, double moves, const double* from);
  const std::vector<double>& sums() const { return sums_; }
  double span(std::size_t i) const { return high_[i] - low_[i]; }
  // For sum i of n terms: the errors of the terms, of the sum itself, of a last product or quotient, and of the store,
  // on both sides.
  double bound(const Roundings&, std::size_t i, double n) const;
  double largest_bound(const Roundings&, double n) const;

 private:
  std::int64_t d_;
  std::vector<double> sums_, low_, high_, moved_;
};

}  // namespace tilewalk
