// The ledger of quantities: one row for each number of a walk that can be shown, asked for, checked or printed. A row
// says how the number is written, its shape, and which members of a State and which tensor store it. Which phase makes
// it, and from what, is in core/schedules/ledger. Units: scores, m, tile max and L are in log2 units inside a State
// (is_score).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/values/state.h"

namespace tilewalk {

enum class Quantity {
  S,
  TileMax,  // flash_v1: of this tile's own scores
  TileSum,  // flash_v1: of this tile's own weights
  Follow,   // flash_v4: 1 where m follows the tile's max, 0 where the stale one is kept
  M,        // the running max with this tile; standard: of the whole row; in the merge the largest L
  Alpha,    // the factor by which earlier sums shrink
  Beta,     // flash_v1: the factor of this tile's own sum
  P,
  L,       // the running sum with this tile; in the merge the sum of the weights
  O,       // after the step
  LogSum,  // L = m + log l; in split_kv that of one split
  Weight,  // of one split in the merge
  D,       // rowsum(dO o O)
  DP,
  DS,
  DQ,
  DK,
  DV,
  PV,        // flash_v1: P V of this tile
  Partials,  // split_kv: O and L of every split, in HBM
};
inline constexpr int kNamedQuantities = int(Quantity::DV) + 1;  // that have a word, so that a person may ask for them
inline constexpr int kQuantityCount = int(Quantity::Partials) + 1;

enum class QuantityShape {
  Cell,        // one for each row and column of the current score tile
  Row,         // one for each row of the Q tile
  RowByHead,   // d for each row of the Q tile
  ColByHead,   // d for each row of the KV tile
  RowBySplit,  // one for each row and split
};

struct QuantityRow {
  Quantity id{};
  const char* word;    // "alpha": in commands, lessons and JSON; empty: nobody asks for it
  const char* letter;  // "α": on the screen
  QuantityShape shape{};
  bool is_score = false;                        // held in log2 units, shown in the units of the problem's base
  std::vector<float> State::*values = nullptr;  // null: a State does not hold it
  std::vector<float> State::*before = nullptr;  // before the current visit; null: a State does not store it
  bool running = false;                         // goes on from one visit of a row or column to the next
  std::optional<TensorId> tensor = {};          // that SRAM or HBM holds it as; empty: registers only
};

const std::vector<QuantityRow>& quantity_ledger();  // in the order of the enumerators
const QuantityRow& ledger_row(Quantity);
std::optional<Quantity> quantity_from(std::string_view word);
std::vector<Quantity> quantities_of(QuantityShape);

// The value for a row of Q (ColByHead: of K) and a column: of K for Cell, of the head for RowByHead and ColByHead, 0
// for Row. Rows and columns count from the start of the head. Empty where `values`, one of the State's arrays, does not
// contain it.
std::optional<float> value_at(const State&, QuantityShape, const std::vector<float>& values, std::int64_t row,
                              std::int64_t col, std::int64_t d);

}  // namespace tilewalk
