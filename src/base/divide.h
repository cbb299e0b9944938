// Whole numbers divided upwards: how many parts of a size cover a length, and the length that they cover.
#pragma once

#include <cstdint>

namespace tilewalk {

// Precondition of both: part > 0.
constexpr std::int64_t ceil_div(std::int64_t whole, std::int64_t part) {
  return whole <= 0 ? -(-whole / part) : (whole + part - 1) / part;
}
constexpr std::int64_t round_up(std::int64_t whole, std::int64_t part) { return ceil_div(whole, part) * part; }

}  // namespace tilewalk
