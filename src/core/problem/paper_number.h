// Numbers of a problem as a person writes them on paper, and as the screen shows them. The replay keeps scores, m and L
// in log2 units; base e is shown in natural units (times ln 2), base 2 as it is. A minus sign is U+2212, infinity is
// U+221E. Not for files or JSON: those keep ASCII.
#pragma once

#include <string>

#include "core/problem/problem.h"

namespace tilewalk {

float display_score(const Problem&, float log2_units);    // −∞ stays −∞
std::string signed_number(double value, int digits = 2);  // "−0.52", "−∞", "not a number"; never "−0.00"
std::string compact_number(double value);                 // at most 6 characters: "0.52", "12.3", "1.2e9"
std::string brief_number(double value);                   // a digit less: "0.5", "−12"
// As a person writes it down: in base 2 a whole number or an exact fraction of few signs ("2 1/16"); else compact.
std::string paper_number(const Problem&, double value);
inline constexpr std::int64_t kMostByHand = 8;  // rows and columns of a tile, and head size
bool is_hand_size(const Problem&);              // a person could do the products

}  // namespace tilewalk
