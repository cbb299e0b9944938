#include "core/problem/format_value.h"

#include <cmath>
#include <cstdio>

#include "base/units.h"

namespace tilewalk {

const char* base_text(const Problem& p) { return p.numerics.base == Base::E ? "e" : "2"; }

float display_score(const Problem& problem, float log2_units) {
  constexpr double kLn2 = 0.69314718055994530942;
  return problem.numerics.base == Base::E ? float(double(log2_units) * kLn2) : log2_units;
}

std::string signed_number(double value, int digits) {
  if (std::isnan(value)) return "not a number";
  if (std::isinf(value)) return value < 0 ? "−∞" : "∞";
  std::string text = format_fixed(std::fabs(value), digits);
  const bool zero = text.find_first_not_of("0.") == std::string::npos;
  return value < 0 && !zero ? "−" + text : text;
}

std::string result_number(double value) {
  constexpr int kLeast = 4, kMost = 12;
  int digits = kLeast;
  if (std::isfinite(value) && value != 0)
    while (digits < kMost && std::fabs(value) * std::pow(10, digits) < 10) ++digits;
  return signed_number(value, digits);
}

std::string compact_number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "−∞" : "∞";
  const double size = std::fabs(value);
  if (size < 99.995) return signed_number(value, 2);
  if (size < 9999.5) return signed_number(value, size < 999.95 ? 1 : 0);
  char text[32];
  std::snprintf(text, sizeof text, "%.0e", size);
  return value < 0 ? "−" + std::string(text) : text;
}

std::string format_value(const Problem& problem, double value) {
  constexpr int kMostDenominator = 64, kMostWhole = 999;
  const double size = std::fabs(value);
  if (problem.numerics.base != Base::Two || !(size <= kMostWhole)) return compact_number(value);
  for (int denominator = 1; denominator <= kMostDenominator; denominator *= 2) {
    const double times = size * denominator;
    if (times != std::floor(times)) continue;
    const int whole = int(size), rest = int(times) - whole * denominator;
    const std::string sign = value < 0 ? "−" : "", part = std::to_string(rest) + "/" + std::to_string(denominator);
    if (rest == 0) return sign + std::to_string(whole);
    return sign + (whole == 0 ? part : std::to_string(whole) + " " + part);
  }
  return compact_number(value);
}

bool is_hand_size(const Problem& p) {
  return p.tiling.br <= kMostByHand && p.tiling.bc <= kMostByHand && p.shape.d <= kMostByHand;
}

}  // namespace tilewalk
