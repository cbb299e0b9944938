// What a person may be asked to work out by hand: one number of the walk, by quantity, row and column, and how far they
// have come with it. Plain values. Rows and columns are those of the matrix. A quantity with one number a row has no
// column (−1). S, P, dP and dS have a column of the matrix; O and the gradients one of the head. The row of dV and dK
// is a row of K and V. Weights of a merge have the split as their column.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilewalk {

enum class HandQuantity {
  S,
  TileMax,  // flash_v1: of this tile's own scores
  TileSum,  // flash_v1: of this tile's own weights
  Follow,   // flash_v4: 1 where m follows the tile's max, 0 where the stale one is kept
  M,        // the running max with this tile; standard: of the whole row; in the merge the largest L
  Alpha,    // what was summed before shrinks by it
  Beta,     // flash_v1: what this tile's own sum shrinks by
  P,
  L,       // the running sum with this tile; in the merge the sum of the weights
  O,       // as the step leaves it
  LogSum,  // L = m + log ℓ of one split
  Weight,  // of one split in the merge
  D,
  DP,
  DS,
  DQ,
  DK,
  DV,
};
inline constexpr int kHandQuantities = int(HandQuantity::DV) + 1;

struct HandPlace {
  HandQuantity quantity = HandQuantity::M;
  std::int64_t row = 0, col = -1;
  bool operator==(const HandPlace&) const = default;
  auto operator<=>(const HandPlace&) const = default;
};

const char* word_of(HandQuantity);    // "alpha", as commands and lessons spell it
const char* letter_of(HandQuantity);  // "α"
std::optional<HandQuantity> hand_quantity_from(const std::string& word);
std::string text_of(const HandPlace&);  // "alpha:9", "s:9:5"
std::optional<HandPlace> hand_place_from(const std::string&);
std::string name_of(const HandPlace&);  // "α of row 9", "S of row 9, column 5"

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
using HandQuantities = std::vector<HandQuantity>;  // empty: every one that the walk makes

}  // namespace tilewalk
