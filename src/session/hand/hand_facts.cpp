#include "session/hand/hand_facts.h"

#include <algorithm>

#include "core/problem/format_value.h"

namespace tilewalk {
namespace {

using Letter = Quantity;

double or_nan(std::optional<double> value) { return value.value_or(NAN); }

std::vector<double> input_row(const Inputs& inputs, const Step& step, TensorId tensor, std::int64_t row) {
  const Problem& p = inputs.problem();
  const bool by_query = tensor == TensorId::Q || tensor == TensorId::dO;
  const std::int64_t head = by_query ? step.head : p.shape.kv_head_of(step.head);
  std::vector<double> out;
  for (std::int64_t x = 0; x < p.shape.d; ++x) out.push_back(double(inputs.at(tensor, step.batch, head, row, x)));
  return out;
}

}  // namespace

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) sum += a[i] * b[i];
  return sum;
}

std::string asked_number(const Problem& problem, double value) {
  const std::string text = format_value(problem, value);
  const bool few_digits = value != 0 && std::fabs(value) < 0.1 && text == compact_number(value);
  return few_digits && row_of(problem).family.backward ? signed_number(value, 4) : text;
}

std::string HandFacts::number(double value) const { return asked_number(*problem, value); }
double HandFacts::power(double x) const { return problem->numerics.base == Base::E ? std::exp(x) : std::exp2(x); }
double HandFacts::logarithm(double x) const { return problem->numerics.base == Base::E ? std::log(x) : std::log2(x); }
const char* HandFacts::base() const { return problem->numerics.base == Base::E ? "e" : "2"; }

HandFacts facts_of(HandValues& values, const HandKey& key) {
  const Problem& p = values.problem();
  const Schedule& schedule = values.schedule();
  const HandPlace& place = key.place;
  HandFacts f;
  f.problem = &p;
  f.softmax = row_of(p).walk.softmax;
  f.place = place;
  f.step = schedule.step(key.made_at);
  f.right = or_nan(values.right(key));
  f.scale = p.scale_value();
  const Step& step = f.step;
  const HandUnit unit = unit_of(schedule, step);
  for (std::int64_t k = unit.first; k < unit.end; ++k) f.unit.push_back(schedule.step(k));
  const bool by_column = place.quantity == Letter::DK || place.quantity == Letter::DV;
  const std::int64_t row = by_column ? step.row_begin : place.row, x = place.col;

  if (place.quantity == Letter::M || place.quantity == Letter::Weight || place.quantity == Letter::L)
    if (step.section_name == SectionName::Merge) f.log_sums = values.log_sums(step, row);
  if (step.index > unit.first) {
    const State& before = values.after(unit.first);  // the first step only loads
    f.o_before = or_nan(number_at(p, before, {Letter::O, row, x}));
    const Letter gradient = place.quantity;
    if (gradient == Letter::DQ || gradient == Letter::DK || gradient == Letter::DV)
      f.gradient_before = or_nan(number_at(p, before, place));
  }
  if (step.phase == Phase::Normalise && !step.in_visit()) {
    const State& before = values.after(step.index - 1);
    f.undivided = or_nan(number_at(p, before, {Letter::O, row, x}));
  }
  // The state at the end of the visit; outside a visit, after the step itself.
  const State& state = values.after(step.in_visit() ? unit.end - 1 : step.index);
  const auto of = [&](Letter quantity, std::int64_t col = -1) {
    return or_nan(number_at(p, state, {quantity, row, col}));
  };
  const std::int64_t r = row - state.step.row_begin;
  const auto old = [&](const std::vector<float>& from) {
    return r >= 0 && std::size_t(r) < from.size() ? double(from[std::size_t(r)]) : NAN;
  };
  f.m_old = std::isnan(old(state.m_old)) ? NAN : double(display_score(p, float(old(state.m_old))));
  f.l_old = old(state.l_old);
  f.first_visit = std::isinf(f.m_old);
  f.tile_max = of(Letter::TileMax), f.m = of(Letter::M), f.alpha = of(Letter::Alpha);
  f.beta = of(Letter::Beta), f.l = of(Letter::L), f.tile_l = of(Letter::TileSum);
  f.lse = of(Letter::LogSum), f.d = of(Letter::D);
  if (r >= 0 && x >= 0 && std::size_t(r * p.shape.d + x) < state.pv.size())
    f.pv = double(state.pv[std::size_t(r * p.shape.d + x)]);

  const Band band = p.shape.band();
  const std::int64_t begin = std::max(step.col_begin, band.first_col(row)),
                     end = std::min(step.col_end, band.end_col(row, p.shape.n_kv));
  const bool has_tile = step.kv_tile >= 0 || step.section_name == SectionName::Softmax;
  if (has_tile && step.cols() <= 64) {
    for (std::int64_t col = begin; col < end; ++col) {
      f.cols.push_back(col);
      f.s.push_back(of(Letter::S, col));
      f.p.push_back(of(Letter::P, col));
      f.dp.push_back(of(Letter::DP, col));
      f.ds.push_back(of(Letter::DS, col));
      const bool element = x >= 0 && x < p.shape.d;
      f.v.push_back(element ? input_row(values.inputs(), step, TensorId::V, col)[std::size_t(x)] : NAN);
      f.ds_k.push_back(element ? input_row(values.inputs(), step, TensorId::K, col)[std::size_t(x)] : NAN);
    }
  }
  const auto others = [&](Letter quantity) {
    for (std::int64_t other = step.row_begin; other < step.row_end; ++other)
      if (other != row) f.same_of_others.emplace_back(other, or_nan(number_at(p, state, {quantity, other, x})));
  };
  switch (place.quantity) {
    case Letter::S:
    case Letter::P:
    case Letter::DP:
    case Letter::DS:
      for (std::int64_t col = begin; col < end; ++col)
        if (col != x) f.same_of_others.emplace_back(col, or_nan(number_at(p, state, {place.quantity, row, col})));
      break;
    case Letter::DK:
    case Letter::DV:
      for (std::int64_t i = step.row_begin; i < step.row_end; ++i) {
        f.column_rows_p.push_back(or_nan(number_at(p, state, {Letter::P, i, place.row})));
        f.column_rows_ds.push_back(or_nan(number_at(p, state, {Letter::DS, i, place.row})));
        f.column_do.push_back(input_row(values.inputs(), step, TensorId::dO, i)[std::size_t(x)]);
        f.column_q.push_back(input_row(values.inputs(), step, TensorId::Q, i)[std::size_t(x)]);
      }
      break;
    default: others(place.quantity); break;
  }
  f.gradient_factor = double(p.gradient_factor());
  const bool has_key = place.quantity == Letter::S || place.quantity == Letter::DP;
  if (has_key) {
    f.q_row = input_row(values.inputs(), step, TensorId::Q, row);
    f.k_row = input_row(values.inputs(), step, TensorId::K, x);
    f.v_row = input_row(values.inputs(), step, TensorId::V, x);
    if (row_of(p).family.backward) f.do_row = input_row(values.inputs(), step, TensorId::dO, row);
  }
  if (place.quantity == Letter::M && step.kv_tile >= 0) {
    const std::vector<double> q = input_row(values.inputs(), step, TensorId::Q, row);
    for (std::int64_t col = step.col_begin; col < step.col_end; ++col)
      f.unmasked.push_back(dot(q, input_row(values.inputs(), step, TensorId::K, col)) * f.scale);
  }
  return f;
}

}  // namespace tilewalk
