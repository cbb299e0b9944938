// Numbers and names as the screen and the text mode show them, beside those of core/problem/format_value. Not for files
// or JSON, which use ASCII.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/problem/format_value.h"
#include "core/problem/problem.h"
#include "core/walk/step.h"

namespace tilewalk {

std::string exponent_number(double value);              // "2.1e−07", "−3.0e+12"
std::string hand_number(const Problem&, double value);  // as format_value; without a short fraction: to four places
std::string exact_number(float value);                  // the fewest digits that read back as the same value
std::string cycles_text(double cycles);                 // "41,272", rounded
std::string short_cycles(double cycles);                // "288 k" from 100,000 on, "5.94 M", else "41,272"
std::string counted(std::int64_t, const char* one);     // "1 tile visit", "1,136 tile visits"
std::string tile_name(TensorId, std::int64_t tile);     // "Q2"; S, P, m, l, L have no tile of their own: "S"
std::string tensor_title(TensorId);                     // "Q", … "ℓ"
std::string names_of(const std::vector<TensorId>&);     // "S, P and dP"
std::string mask_title(const Problem&);                 // "no mask", "causal", "causal, bottom right", "window 3 : 0"
std::string problem_title(const Problem&);              // "N 16 · d 4 · tile 4×4 · causal · seed 7"
// "6.50" of "6.50 KiB" beside "1.81 KiB"; whole beside another unit.
std::string without_unit_of(const std::string& figure, const std::string& other);
std::string part_of_text(const std::string& part, const std::string& whole);  // "1.02 of 1.81 KiB"
std::vector<std::string> problem_titles(const Problem&);  // the full title, then shorter ones down to "N 16"

}  // namespace tilewalk
