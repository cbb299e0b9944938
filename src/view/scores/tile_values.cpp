#include "view/scores/tile_values.h"

namespace tilewalk {
namespace {

bool has_tile_of(const State& state, Quantity quantity) {
  return state.started && state.step.rows() * state.step.cols() > 0 &&
         std::int64_t(values_of(state, quantity).size()) == state.step.rows() * state.step.cols();
}

bool is_on_chip(const Schedule& schedule, const Step& step, TensorId tensor) {
  for (const Resident& r : schedule.residents(step))
    if (r.tensor == tensor && r.bytes + r.register_bytes > 0) return true;
  return false;
}

}  // namespace

const std::vector<float>& values_of(const State& state, Quantity quantity) {
  return state.*ledger_row(quantity).values;
}

std::vector<Quantity> quantities_at(const State& state) {
  std::vector<Quantity> found;
  for (const Quantity quantity : quantities_of(QuantityShape::Cell))
    if (has_tile_of(state, quantity)) found.push_back(quantity);
  return found;
}

std::optional<Quantity> quantity_shown(const State& state, std::optional<Quantity> asked) {
  if (asked && has_tile_of(state, *asked)) return asked;
  const std::vector<Quantity> found = quantities_at(state);
  return found.empty() ? std::nullopt : std::optional(found.back());
}

bool is_divided(const Schedule& schedule, const State& state) {
  if (!state.started) return true;
  const Step& step = state.step;
  const std::vector<MadeAt> made = phases_that_make(schedule, Quantity::P);
  if (made.empty() || !made.back().made->reads(Quantity::L)) return false;
  const MadeAt& division = made.back();
  if (step.section != division.section) return step.section > division.section;
  return (division.in_visit && !step.in_visit()) || has_reached(schedule, step, division.phase);
}

std::string formula_of(const Schedule& schedule, const State& state, Quantity quantity) {
  const std::vector<MadeAt> made = phases_that_make(schedule, quantity);
  if (made.empty()) return "";
  const bool undivided = quantity == Quantity::P && !is_divided(schedule, state);
  const Made& row = *(undivided ? made.front() : made.back()).made;
  if (row.given) return std::string(ledger_row(quantity).letter) + " of the forward pass";
  const bool masked = quantity == Quantity::S && state.step.tile_class == TileClass::Partial && row.is_of_itself() &&
                      has_reached(schedule, state.step, made.back().phase);
  return formula_of(schedule.problem(), row, Notation::Screen) + (masked ? ", masked" : "");
}

TensorId left_operand_of(Quantity quantity) { return quantity == Quantity::DP ? TensorId::dO : TensorId::Q; }
TensorId upper_operand_of(Quantity quantity) { return quantity == Quantity::DP ? TensorId::V : TensorId::K; }

double added_to_output(const State& state, const OperandTile& v, std::int64_t r) {
  double added = 0;
  for (std::int64_t c = 0; c < state.step.cols(); ++c)
    added += double(state.p[std::size_t(r * state.step.cols() + c)]) * double(v.at(state.step.col_begin + c, 0));
  return added;
}

TensorId operand_of(TensorId output) {
  switch (output) {
    case TensorId::dQ: return TensorId::K;
    case TensorId::dK: return TensorId::Q;
    case TensorId::dV: return TensorId::dO;
    default: return TensorId::V;
  }
}

OperandTile operand_at(const Schedule& schedule, const Inputs& inputs, const State& state, TensorId tensor) {
  OperandTile out;
  out.tensor = tensor;
  const Problem& p = schedule.problem();
  if (!state.started) return out;
  const Step& step = state.step;
  const bool by_query = is_by_query(tensor);
  out.tile = by_query ? step.q_tile : step.kv_tile;
  if (out.tile < 0 || !is_on_chip(schedule, step, tensor)) return out;
  out.row_begin = by_query ? step.row_begin : step.col_begin;
  out.rows = by_query ? step.rows() : step.cols();
  out.d = p.shape.d;
  std::vector<float> scratch;
  const float* from = inputs.rows(input_head(p, tensor, step.head_id()), out.row_begin, out.rows, scratch);
  out.values.assign(from, from + out.rows * out.d);
  return out;
}

}  // namespace tilewalk
