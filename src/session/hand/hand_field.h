// What a person may be asked to work out by hand: one number of the walk, by quantity, row and column, and how far they
// have come with it. Plain values. Rows and columns are those of the matrix, as core/values/quantity counts them; a
// quantity with one number a row has no column (−1), and weights of a merge have the split as their column.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/values/quantity.h"

namespace tilewalk {

struct HandPlace {
  Quantity quantity = Quantity::M;
  std::int64_t row = 0, col = -1;
  bool operator==(const HandPlace&) const = default;
  auto operator<=>(const HandPlace&) const = default;
};

std::string text_of(const HandPlace&);  // "alpha:9", "s:9:5"
std::optional<HandPlace> hand_place_from(const std::string&);
std::string place_name(const HandPlace&);  // "α of row 9", "S of row 9, column 5"

enum class HandState { Open, Wrong, Right, Shown };  // Wrong: tried, and still asked

struct HandField {
  HandPlace place;
  std::int64_t made_at = 0;  // the step that makes it
  HandState state = HandState::Open;
  std::string typed = {};      // what was tried last
  std::string diagnosis = {};  // of that: which mistake it shows, else how far off it is; empty unless wrong
  std::string mistake = {};    // the name of a mistake that was recognised ("upside-down"); else empty
  std::string hint = {};       // the hints given so far come one after the other; this is the last
  std::string answer = {};     // as the screen prints it; empty until it is right or shown
  int hints = 0, tries_wrong = 0;

  bool stands() const { return state == HandState::Right || state == HandState::Shown; }
};

// Which rows are asked for.
struct HandRows {
  enum Kind { None, One, All, These } kind = None;  // One: of each tile the row where most happens, or the selected one
  std::vector<std::int64_t> these = {};
  bool operator==(const HandRows&) const = default;
};
using HandQuantities = std::vector<Quantity>;  // empty: every one that the walk makes

}  // namespace tilewalk
