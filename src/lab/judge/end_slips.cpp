#include "lab/judge/end_slips.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tilewalk {
namespace {

using Value = std::optional<double>;

// What an output would be under a mistake; empty where the mistake needs a state that is not known.
struct EndSlip {
  const char* name;
  const char* sentence;
  bool of_l;
  Value (*value)(const EndRow&, std::size_t x);
};

Value times_l(const EndRow& row, std::size_t x, double power) {
  if (!row.kept() || !row.kept()->l || (!row.own && row.exact.sees_nothing())) return std::nullopt;
  return row.expected[x] * std::pow(*row.kept()->l, power);
}

Value of_kept(const EndRow& row, double (*value)(double m, double l)) {
  if (!row.kept() || !row.kept()->l) return std::nullopt;
  return value(row.kept()->m, *row.kept()->l);
}

// A share of the keys: its own attention and log-sum-exp.
struct Share {
  double m = 0, lse = 0, o = 0;
};

// The shares that saw a key, in natural units; none where there is one share alone.
std::vector<Share> shares_of(const EndRow& row, std::size_t x) {
  std::vector<Share> out;
  if (row.parts.size() < 2) return out;
  for (const KeptRow* part : row.parts)
    if (part->l && *part->l > 0 && x < part->o.size())
      out.push_back(
          {part->m, part->m + std::log(*part->l), row.form == OForm::Sum ? part->o[x] / *part->l : part->o[x]});
  return out;
}

// The sum of the shares' O, weighed, divided by the sum of the weights or not.
Value merged(const EndRow& row, std::size_t x, double (*weight)(const Share&, double most), bool divided) {
  const std::vector<Share> shares = shares_of(row, x);
  if (shares.empty()) return std::nullopt;
  double most = -kUnbounded, sum = 0, o = 0;
  for (const Share& each : shares) most = std::max(most, each.lse);
  for (const Share& each : shares) sum += weight(each, most), o += weight(each, most) * each.o;
  return divided ? o / sum : o;
}
double right_weight(const Share& share, double most) { return std::exp(share.lse - most); }

constexpr const char* kShareWithoutLogL = "The merge took m of each share for its L: log ℓ is missing.";

const EndSlip kEndSlips[] = {
    {"no-final-division", "o was not divided by ℓ at the end.", false,
     [](const EndRow& row, std::size_t x) { return times_l(row, x, 1); }},
    {"divided-twice", "o was divided by ℓ twice at the end.", false,
     [](const EndRow& row, std::size_t x) { return times_l(row, x, -1); }},
    {"multiplied-by-l", "o was multiplied by ℓ at the end; it must be divided.", false,
     [](const EndRow& row, std::size_t x) { return times_l(row, x, 2); }},
    {"merge-plain-mean", "The merge took the mean of the shares; each share weighs e^L, its own L.", false,
     [](const EndRow& row, std::size_t x) {
       return merged(
           row, x, [](const Share&, double) { return 1.0; }, true);
     }},
    {"merge-plain-sum", "The merge added the shares; each share weighs e^L, its own L.", false,
     [](const EndRow& row, std::size_t x) {
       return merged(
           row, x, [](const Share&, double) { return 1.0; }, false);
     }},
    {"merge-not-divided", "The merge did not divide by the sum of the weights.", false,
     [](const EndRow& row, std::size_t x) { return merged(row, x, right_weight, false); }},
    {"merge-weights-of-m", kShareWithoutLogL, false,
     [](const EndRow& row, std::size_t x) {
       return merged(
           row, x, [](const Share& share, double most) { return std::exp(share.m - most); }, true);
     }},
    {"merge-weights-of-l", "The merge weighed each share by ℓ; it must be e^L, so m is missing.", false,
     [](const EndRow& row, std::size_t x) {
       return merged(
           row, x, [](const Share& share, double) { return std::exp(share.lse - share.m); }, true);
     }},
    {"merge-exp-for-exp2", "The merge took exp where exp2 belongs: L of a share is in log2 units.", false,
     [](const EndRow& row, std::size_t x) {
       return merged(
           row, x, [](const Share& share, double most) { return std::exp((share.lse - most) / std::numbers::ln2); },
           true);
     }},
    {"merge-exp2-for-exp", "The merge took exp2 where exp belongs: L of a share is in natural units.", false,
     [](const EndRow& row, std::size_t x) {
       return merged(
           row, x, [](const Share& share, double most) { return std::exp((share.lse - most) * std::numbers::ln2); },
           true);
     }},
    {"merge-first-share", "O is the first share's alone.", false,
     [](const EndRow& row, std::size_t x) -> Value {
       const std::vector<Share> shares = shares_of(row, x);
       return shares.empty() ? Value() : Value(shares.front().o);
     }},
    {"merge-last-share", "O is the last share's alone.", false,
     [](const EndRow& row, std::size_t x) -> Value {
       const std::vector<Share> shares = shares_of(row, x);
       return shares.empty() ? Value() : Value(shares.back().o);
     }},
    {"lse-log2-of-l", "L mixes units: log2 ℓ was added to m, or ln ℓ to an m in log2 units.", true,
     [](const EndRow& row, std::size_t) { return of_kept(row, [](double m, double l) { return m + std::log2(l); }); }},
    {"lse-log2-m", "L mixes units: log2 ℓ was added to m, or ln ℓ to an m in log2 units.", true,
     [](const EndRow& row, std::size_t) {
       return of_kept(row, [](double m, double l) { return m / std::numbers::ln2 + std::log(l); });
     }},
    {"lse-base-2", "L is in log2 units, where natural units are expected: multiply by ln 2.", true,
     [](const EndRow& row, std::size_t) -> Value { return row.lse / std::numbers::ln2; }},
    {"lse-base-e", "L is in natural units, where log2 units are expected: multiply by log2 e.", true,
     [](const EndRow& row, std::size_t) -> Value { return row.lse * std::numbers::ln2; }},
    {"lse-is-m", "L is m alone: log ℓ was not added.", true,
     [](const EndRow& row, std::size_t) -> Value { return row.kept() ? Value(row.kept()->m) : std::nullopt; }},
    {"lse-is-log-l", "L is log ℓ alone: m was not added.", true,
     [](const EndRow& row, std::size_t) { return of_kept(row, [](double, double l) { return std::log(l); }); }},
    {"lse-plus-l", "L is m + ℓ: the logarithm of ℓ was not taken.", true,
     [](const EndRow& row, std::size_t) { return of_kept(row, [](double m, double l) { return m + l; }); }},
    {"merge-weights-of-m", kShareWithoutLogL, true,
     [](const EndRow& row, std::size_t) -> Value {
       double sum = 0;
       for (const Share& each : shares_of(row, 0)) sum += std::exp(each.m);
       return sum > 0 ? Value(std::log(sum)) : std::nullopt;
     }},
    {"merge-lse-is-max", "L is the largest L of the shares: the logarithm of the sum of the weights was not added.",
     true,
     [](const EndRow& row, std::size_t) -> Value {
       const std::vector<Share> shares = shares_of(row, 0);
       double most = -kUnbounded;
       for (const Share& each : shares) most = std::max(most, each.lse);
       return shares.empty() ? Value() : Value(most);
     }},
};

bool explains(const EndSlip& slip, const EndRow& row) {
  if (row.exact.sees_nothing() && !row.own) return true;
  const std::size_t columns = slip.of_l ? 1 : row.o.size();
  for (std::size_t x = 0; x < columns; ++x) {
    const Value value = slip.value(row, x);
    if (!value) return false;
    const double got = slip.of_l ? *row.l : row.o[x];
    if (row.own) {
      if (!(std::fabs(got - *value) <= EndRow::kOwnShare * (1e-3 + std::fabs(*value)))) return false;
      continue;
    }
    const double size =
        slip.of_l ? row.exact.lse_bound() : row.exact.attention_bound(x) / std::fabs(row.exact.attention(x));
    if (!(std::fabs(got - *value) <= (4 * size + 1e-6) * std::fabs(*value) + 4 * row.exact.lse_bound())) return false;
  }
  return true;
}

bool explains_all(const EndSlip& slip, const std::vector<EndRow>& rows) {
  bool some = false;
  for (const EndRow& row : rows) {
    const bool wrong = slip.of_l ? row.l_wrong : row.o_wrong;
    some |= wrong;
    if (wrong && !explains(slip, row)) return false;
  }
  return some;
}

}  // namespace

void EndRow::follow_exact() {
  expected.clear();
  for (std::size_t x = 0; x < o.size(); ++x) expected.push_back(exact.attention(x));
  lse = exact.lse();
}

bool EndRow::follow_own() {
  const KeptRow* const state = kept();
  if (!state || !state->l || !(*state->l > 0) || !std::isfinite(state->m) || !std::isfinite(*state->l)) return false;
  own = true;
  lse = state->m + std::log(*state->l);
  expected = state->o;
  for (double& each : expected) {
    if (!std::isfinite(each)) return false;
    if (form == OForm::Sum) each /= *state->l;
  }
  return true;
}

bool EndRow::o_fits_own() const {
  double largest = 0;
  for (const double each : expected) largest = std::max(largest, std::fabs(each));
  for (std::size_t x = 0; x < o.size(); ++x)
    if (!(std::fabs(o[x] - expected[x]) <= kOwnShare * (1e-3 + largest))) return false;
  return true;
}

std::optional<Diagnosis> end_slip_of(const std::vector<EndRow>& rows, bool of_l) {
  for (const EndSlip& slip : kEndSlips)
    if (slip.of_l == of_l && explains_all(slip, rows)) return Diagnosis{slip.name, slip.sentence};
  return std::nullopt;
}

}  // namespace tilewalk
