#include "core/witness/roundings.h"

namespace tilewalk {

BoundedSums::BoundedSums(std::int64_t count, std::int64_t d)
    : d_(d),
      sums_(std::size_t(count * d), 0.0),
      low_(sums_.size(), 0.0),
      high_(sums_.size(), 0.0),
      moved_(sums_.size(), 0.0) {}

void BoundedSums::add(std::int64_t at, double factor, double moves, const double* from) {
  double* const sums = sums_.data() + at * d_;
  double* const low = low_.data() + at * d_;
  double* const high = high_.data() + at * d_;
  double* const moved = moved_.data() + at * d_;
  for (std::int64_t x = 0; x < d_; ++x) {
    sums[x] += factor * from[x];
    low[x] = std::min(low[x], sums[x]);
    high[x] = std::max(high[x], sums[x]);
    moved[x] += moves * std::fabs(from[x]);
  }
}

double BoundedSums::bound(const Roundings& roundings, std::size_t i, double n) const {
  constexpr double kLeast = 0x1p-149;  // subnormal results are rounded to a multiple of this
  return moved_[i] + roundings.of_sum(n) * span(i) + 2 * Roundings::kUnit * std::fabs(sums_[i]) +
         2 * roundings.of_store(sums_[i]) + (2 * n + 5 * roundings.visits) * kLeast;
}

double BoundedSums::largest_bound(const Roundings& roundings, double n) const {
  double largest = 0;
  for (std::size_t i = 0; i < sums_.size(); ++i) largest = std::max(largest, bound(roundings, i, n));
  return largest;
}

}  // namespace tilewalk
