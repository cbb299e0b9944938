// Numbers of a problem as a person writes them by hand, and as the screen shows them. The replay keeps scores, m and L
// in log2 units; base e is shown in natural units (times ln 2), base 2 unchanged. A minus sign is U+2212, infinity is
// U+221E. Not for files or JSON: those use ASCII.
#pragma once

#include <string>

#include "core/problem/problem.h"

namespace tilewalk {

const char* base_text(const Problem&);                    // "e" or "2", as a formula names it
float display_score(const Problem&, float log2_units);    // −∞ stays −∞
std::string signed_number(double value, int digits = 2);  // "−0.52", "−∞", "not a number"; never "−0.00"
// A result beside its right value: four decimals, for a small number as many as two of its digits need: "0.000015".
std::string result_number(double value);
std::string compact_number(double value);  // at most 6 characters: "0.52", "12.3", "1.2e9"
// As a person writes it by hand: in base 2 a whole number or a short exact fraction ("2 1/16"); else compact_number.
std::string format_value(const Problem&, double value);
inline constexpr std::int64_t kMostByHand = 8;  // rows and columns of a tile, and head size
bool is_hand_size(const Problem&);              // small enough to do the products by hand

}  // namespace tilewalk
