// A field of work by hand: one number of the walk, by quantity, row and column, and the answers to it so far. Plain
// values. Rows and columns are those of the matrix, as in core/values/quantity. A quantity with one number a row has
// column −1; for the weights of a merge the column is the split.
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

enum class HandState { Open, Wrong, Right, Shown };  // Wrong: answered wrongly, still open

struct HandField {
  HandPlace place;
  std::int64_t made_at = 0;  // the step that computes it
  HandState state = HandState::Open;
  std::string typed = {};      // the last answer
  std::string diagnosis = {};  // of `typed`: the mistake, else how far off it is; empty unless wrong
  std::string mistake = {};    // name of the recognised mistake ("upside-down"); else empty
  std::string hint = {};       // the last hint shown
  std::string answer = {};     // as the screen prints it; empty until right or shown
  int hints = 0, tries_wrong = 0;

  bool stands() const { return state == HandState::Right || state == HandState::Shown; }
};

// The rows that have fields.
struct HandRows {
  enum Kind { None, One, All, These } kind = None;  // One: in each tile the row that changes most, or the selected row
  std::vector<std::int64_t> these = {};
  bool operator==(const HandRows&) const = default;
};
using HandQuantities = std::vector<Quantity>;  // empty: every quantity that the walk computes

}  // namespace tilewalk
