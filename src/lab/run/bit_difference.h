// Where the numbers of two runs part, bit by bit. NaN equals NaN, whatever its payload: processors make other ones.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "lab/run/visit.h"

namespace tilewalk::lab {

bool same_bits(float, float);

// The index of the first value whose bits differ, of equally many.
std::optional<std::size_t> first_difference(std::span<const float>, std::span<const float>);

// What a mark shows: rows, rows, rows x d values. Empty: the kernel does not keep it.
struct MarkedState {
  std::span<const float> m, l, o;
};
inline MarkedState state_of(const RunVisit& visit) { return {visit.m, visit.l, visit.o}; }

struct StateDifference {
  const char* quantity = "";           // "m", "l", "o"
  bool in_one_alone = false;           // the other shows no such quantity, or other rows; then there is no place
  std::int64_t row = 0;                // from the mark's first
  std::optional<std::int64_t> column;  // of o
  float first = 0, second = 0;
};
std::optional<StateDifference> first_difference(const MarkedState&, const MarkedState&, std::int64_t d);

}  // namespace tilewalk::lab
