// The constants of random.cpp and of the vector lanes of core/problem/normal_ops.cpp, which must agree in every bit.
#pragma once

#include <cstdint>

namespace tilewalk::random_terms {

inline constexpr std::uint64_t kIndexStep = 0x9e3779b97f4a7c15ull;
inline constexpr std::uint64_t kMixFirst = 0xbf58476d1ce4e5b9ull, kMixSecond = 0x94d049bb133111ebull;

inline constexpr double kTail = 0.02425;  // below it, and above 1 - kTail, the quantile uses the tail's formula

// Polynomials by Horner, highest power first. Quantile: in r = (p - 1/2)^2, and in q = sqrt(-2 ln p) for the tail.
inline constexpr double kCentralOver[] = {-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                                          1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
inline constexpr double kCentralUnder[] = {-5.447609879822406e+01, 1.615858368580409e+02,  -1.556989798598866e+02,
                                           6.680131188771972e+01,  -1.328068155288572e+01, 1.0};
inline constexpr double kTailOver[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                                       -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
inline constexpr double kTailUnder[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                                        3.754408661907416e+00, 1.0};

// ln(2^e m) = e ln 2 + 2 s (1 + s^2 / 3 + s^4 / 5 + …), s = (m - 1) / (m + 1), m from sqrt(1/2) to sqrt 2.
inline constexpr double kLog[] = {1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11,
                                  1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3,  1.0};
inline constexpr double kLn2 = 0.6931471805599453, kSqrt2 = 1.4142135623730951;

}  // namespace tilewalk::random_terms
