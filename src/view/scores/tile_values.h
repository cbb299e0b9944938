// The numbers of one tile visit, as they are worked with by hand: what the score tile at hand holds (S, then P; in the
// backward passes dP and dS too), and the rows of Q, K, V and dO that meet in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/problem/format_value.h"
#include "core/problem/inputs.h"
#include "core/values/quantity.h"
#include "core/values/state.h"
#include "core/walk/schedule.h"

namespace tilewalk {

// Those that the score tile at hand holds (in passes over whole rows the row of tiles), in the order in which they are
// made. Empty: no score is at hand.
std::vector<Quantity> quantities_at(const State&);
// Of those the one asked for, else the one made last.
std::optional<Quantity> quantity_shown(const State&, std::optional<Quantity> asked);
const std::vector<float>& values_of(const State&, Quantity);  // rows × cols of the step; S in log2 units
// What of Q and of K a quantity is the product of: dO and V for dP, else Q and K.
TensorId left_operand_of(Quantity);
TensorId upper_operand_of(Quantity);

// Whether the weights at hand are divided by the sum of their row. Naive attention divides in its softmax pass; where a
// row did not fit there, on loading for the product. Online sums are never divided out of P.
bool is_divided(const Schedule&, const State&);
// "P = e^(S − m)": how the schedule makes it.
std::string formula_of(const Schedule&, const State&, Quantity);

struct OperandTile {  // a Q tile or KV tile that is on chip: rows × d, as the problem's dtype holds it
  TensorId tensor = TensorId::Q;
  std::int64_t tile = -1, row_begin = 0, rows = 0, d = 0;
  std::vector<float> values;
  bool empty() const { return values.empty(); }
  float at(std::int64_t matrix_row, std::int64_t x) const {
    return values[std::size_t((matrix_row - row_begin) * d + x)];
  }
};
// Of the tile at hand; empty where none of it is on chip.
OperandTile operand_at(const Schedule&, const Inputs&, const State&, TensorId);
// What is multiplied into an output: V into O, K into dQ, Q into dK, dO into dV.
TensorId operand_of(TensorId output);

}  // namespace tilewalk
