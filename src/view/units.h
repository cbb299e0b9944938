// Numbers as the screen and the text mode show them. The replay keeps scores, m and L in log2 units; base e is shown in
// natural units (times ln 2), base 2 as it is. A minus sign is U+2212, infinity is U+221E.
// Not for files or JSON: those keep ASCII.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/problem/problem.h"
#include "core/walk/step.h"

namespace tilewalk {

float display_score(const Problem&, float log2_units);    // −∞ stays −∞
std::string signed_number(double value, int digits = 2);  // "−0.52", "−∞", "not a number"; never "−0.00"
std::string compact_number(double value);                 // at most 6 characters: "0.52", "12.3", "1.2e9"
std::string exponent_number(double value);               // "2.1e−07", "−3.0e+12"
// As a person writes it down: in base 2 a whole number or an exact fraction of few signs ("2 1/16"); else compact.
std::string paper_number(const Problem&, double value);
std::string hand_number(const Problem&, double value);     // the same, where no short fraction: to four places
std::string exact_number(float value);                     // the fewest digits that read back as the same value
std::string counted(std::int64_t, const char* one);       // "1 tile visit", "1,136 tile visits"
std::string tile_name(TensorId, std::int64_t tile);       // "Q2"; S, P, m, l, L have no tile of their own: "S"
std::string tensor_title(TensorId);                       // "Q", … "ℓ"
std::string mask_title(const Problem&);                   // "no mask", "causal", "causal, bottom right", "window 3 : 0"
std::string problem_title(const Problem&);                // "N 16 · d 4 · tile 4×4 · causal · seed 7"
std::vector<std::string> problem_titles(const Problem&);  // that, then shorter and shorter ones, to "N 16"

}  // namespace tilewalk
