// The numbers of one tile visit for work by hand: the contents of the current score tile (S, then P; in backward passes
// dP and dS too), and the rows of Q, K, V and dO that it uses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/problem/inputs.h"
#include "core/values/quantity.h"
#include "core/values/state.h"
#include "core/walk/schedule.h"

namespace tilewalk {

// The quantities in the current score tile (in passes over whole rows the row of tiles), in the order of computation.
// Empty: there is no score tile.
std::vector<Quantity> quantities_at(const State&);
// The given one if it is among them, else the last one computed.
std::optional<Quantity> quantity_shown(const State&, std::optional<Quantity> asked);
const std::vector<float>& values_of(const State&, Quantity);  // rows × cols of the step; S in log2 units
// The operands of a quantity that is a product: dO and V for dP, else Q and K.
TensorId left_operand_of(Quantity);
TensorId upper_operand_of(Quantity);

// True if the current weights are divided by the sum of their row. Naive attention divides in its softmax pass; a row
// that did not fit there is divided when it is loaded for the product. P of online softmax is never divided.
bool is_divided(const Schedule&, const State&);
// "P = e^(S − m)": the formula of the schedule.
std::string formula_of(const Schedule&, const State&, Quantity);

struct OperandTile {  // a Q tile or KV tile on chip: rows × d, rounded to the problem's dtype
  TensorId tensor = TensorId::Q;
  std::int64_t tile = -1, row_begin = 0, rows = 0, d = 0;
  std::vector<float> values;
  bool empty() const { return values.empty(); }
  float at(std::int64_t matrix_row, std::int64_t x) const {
    return values[std::size_t((matrix_row - row_begin) * d + x)];
  }
};
// Of the current tile; empty where it is not on chip.
OperandTile operand_at(const Schedule&, const Inputs&, const State&, TensorId);
// What row r of P, within the Q tile, adds to column 0 of O: its weights times that column of V's tile, in double.
// Precondition: the state has that row of P, and V is not empty.
double added_to_output(const State&, const OperandTile& v, std::int64_t r);
// The right operand of an output's product: V for O, K for dQ, Q for dK, dO for dV.
TensorId operand_of(TensorId output);

}  // namespace tilewalk
