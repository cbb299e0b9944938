#include "view/scores/working.h"

#include <fmt/format.h>

#include <cmath>

#include "base/words.h"
#include "core/schedules/registry.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMostTerms = 8;

class Pen {
 public:
  Pen(const Schedule& schedule, const State& state) : schedule_(schedule), state_(state) {}
  const Problem& problem() const { return schedule_.problem(); }
  const Step& step() const { return state_.step; }
  bool in_tile(std::int64_t row, std::int64_t col) const {
    return state_.started && row >= step().row_begin && row < step().row_end && col >= step().col_begin &&
           col < step().col_end;
  }
  std::size_t place(std::int64_t row, std::int64_t col) const {
    return std::size_t((row - step().row_begin) * step().cols() + col - step().col_begin);
  }
  std::string number(double value) const { return hand_number(problem(), value); }
  std::string score(float log2_units) const { return number(display_score(problem(), log2_units)); }
  const char* base() const { return problem().numerics.base == Base::Two ? "2" : "e"; }
  // "0.5000 × −1.2000 = −0.6000", a line a term; returns their sum.
  double products(Working& lines, const OperandTile& a, std::int64_t a_row, const OperandTile& b,
                  std::int64_t b_row) const {
    double sum = 0;
    for (std::int64_t x = 0; x < a.d; ++x) {
      const double term = double(a.at(a_row, x)) * double(b.at(b_row, x));
      lines.push_back(
          fmt::format("{}{} × {} = {}", x ? "+ " : "", number(a.at(a_row, x)), number(b.at(b_row, x)), number(term)));
      sum += term;
    }
    return sum;
  }

 private:
  const Schedule& schedule_;
  const State& state_;
};

// What P is measured against in this row: its letter and its value.
std::pair<std::string, float> reference_of(const Problem& p, const State& state, std::size_t r) {
  const auto of = [&](const std::vector<float>& values) { return r < values.size() ? values[r] : NAN; };
  switch (row_of(p).walk.softmax) {
    case SoftmaxKind::PerTile: return {"tile max", of(state.tile_max)};
    case SoftmaxKind::FromL: return {"L", of(state.lse)};
    default: return {"m", of(state.m)};
  }
}

}  // namespace

Working working_of_cell(const Schedule& schedule, const Inputs& inputs, const State& state, std::int64_t row,
                        std::int64_t col, Quantity shown) {
  const Pen pen(schedule, state);
  const Problem& p = pen.problem();
  if (!pen.in_tile(row, col) || !is_hand_size(p) || !p.shape.band().allows(row, col)) return {};
  const std::size_t at = pen.place(row, col), r = std::size_t(row - state.step.row_begin);
  const auto has = [at](const std::vector<float>& values) { return at < values.size(); };
  Working lines;
  if (has(state.s) && shown != Quantity::DP && shown != Quantity::DS) {
    const OperandTile q = operand_at(schedule, inputs, state, TensorId::Q),
                      k = operand_at(schedule, inputs, state, TensorId::K);
    if (q.empty() || k.empty()) {
      lines.push_back(fmt::format("S = {}, read from HBM", pen.score(state.s[at])));
    } else {
      lines.push_back(fmt::format("S = Q[{}] · K[{}]{}", row, col, p.scale_value() == 1 ? "" : ", scaled"));
      const double sum = pen.products(lines, q, row, k, col);
      lines.push_back(p.scale_value() == 1 ? fmt::format("together S = {}", pen.score(state.s[at]))
                                           : fmt::format("together {}, times {}: S = {}", pen.number(sum),
                                                         pen.number(p.scale_value()), pen.score(state.s[at])));
    }
  }
  if (has(state.dp) && (shown == Quantity::DP || shown == Quantity::DS)) {
    const OperandTile d_o = operand_at(schedule, inputs, state, TensorId::dO),
                      v = operand_at(schedule, inputs, state, TensorId::V);
    if (d_o.empty() || v.empty()) {
      lines.push_back(fmt::format("dP = {}, read from HBM", pen.number(state.dp[at])));
    } else {
      lines.push_back(fmt::format("dP = dO[{}] · V[{}]", row, col));
      pen.products(lines, d_o, row, v, col);
      lines.push_back("together dP = " + pen.number(state.dp[at]));
    }
  }
  const auto kind = row_of(p).walk.softmax;
  if (has(state.p) && has(state.s)) {
    const auto [letter, value] = reference_of(p, state, r);
    const std::string power = fmt::format("{}^({} − {})", pen.base(), pen.score(state.s[at]), pen.score(value));
    if (!is_divided(schedule, state) && r < (kind == SoftmaxKind::FromL ? state.lse : state.m).size())
      lines.push_back(fmt::format("P = {}^(S − {}) = {} = {}", pen.base(), letter, power, pen.number(state.p[at])));
    else if (r < state.l.size())
      lines.push_back(fmt::format("P = {}^(S − m) / ℓ = {} / {} = {}", pen.base(), power, pen.number(state.l[r]),
                                  pen.number(state.p[at])));
  }
  if (has(state.ds) && has(state.p) && has(state.dp) && r < state.D.size())
    lines.push_back(fmt::format("dS = P × (dP − D) = {} × ({} − {}) = {}", pen.number(state.p[at]),
                                pen.number(state.dp[at]), pen.number(state.D[r]), pen.number(state.ds[at])));
  return lines;
}

Working working_of_sum(const Schedule& schedule, const State& state, std::int64_t row) {
  const Pen pen(schedule, state);
  const Problem& p = pen.problem();
  if (!state.started || !state.step.in_visit() || !is_hand_size(p)) return {};
  const std::int64_t cols = state.step.cols(), r = row - state.step.row_begin;
  if (r < 0 || r >= state.step.rows() || cols > kMostTerms) return {};
  if (std::int64_t(state.p.size()) != state.step.rows() * cols) return {};
  std::string weights;
  for (std::int64_t c = 0; c < cols; ++c) {
    const std::int64_t col = state.step.col_begin + c;
    const float weight = state.p[pen.place(row, col)];
    if (weight == 0 && !p.shape.band().allows(row, col)) continue;  // a mistake may let one in
    add_to_list(weights, pen.number(weight), " + ");
  }
  const auto has = [r](const std::vector<float>& values) { return std::size_t(r) < values.size(); };
  const auto at = [r](const std::vector<float>& values) { return values[std::size_t(r)]; };
  switch (row_of(p).walk.softmax) {
    case SoftmaxKind::Online:
      if (!has_reached(schedule, state.step, Phase::RowSum) || !has(state.l) || !has(state.alpha) || !has(state.l_old))
        return {};
      if (weights.empty()) weights = "0";
      if (p.fault == Fault::ForgetRescaleL)
        return {fmt::format("ℓ new of row {} = ℓ + its weights, without α = {} + {} = {}", row,
                            pen.number(at(state.l_old)), weights, pen.number(at(state.l)))};
      return {fmt::format("ℓ new of row {} = α × ℓ + its weights = {} × {} + {} = {}", row, pen.number(at(state.alpha)),
                          pen.number(at(state.l_old)), weights, pen.number(at(state.l)))};
    case SoftmaxKind::PerTile:
      if (!has(state.tile_l)) return {};
      return {fmt::format("tile ℓ of row {} = {} = {}", row, weights.empty() ? "0" : weights,
                          pen.number(at(state.tile_l)))};
    default: return {};
  }
}

Working working_of_output(const Schedule& schedule, const Inputs& inputs, const State& state, std::int64_t row,
                          std::int64_t x) {
  const Pen pen(schedule, state);
  const Problem& p = pen.problem();
  const ScheduleRow& about = row_of(p);
  if (!state.started || about.family.backward || !is_hand_size(p)) return {};
  const Step& step = state.step;
  const std::int64_t r = row - step.row_begin, d = p.shape.d;
  if (r < 0 || r >= step.rows() || x < 0 || x >= d || state.o.size() < std::size_t(step.rows() * d)) return {};
  const double now = state.o[std::size_t(r * d + x)];
  if (step.phase == Phase::Normalise && std::size_t(r) < state.l.size() && about.walk.softmax == SoftmaxKind::Online) {
    const double l = state.l[std::size_t(r)];
    return {fmt::format("O = what was summed / ℓ = {} / {} = {}", pen.number(now * l), pen.number(l), pen.number(now))};
  }
  if (step.phase != Phase::Accumulate || !step.in_visit() || about.walk.softmax == SoftmaxKind::PerTile ||
      std::int64_t(state.p.size()) != step.rows() * step.cols())
    return {};
  const OperandTile v = operand_at(schedule, inputs, state, TensorId::V);
  if (v.empty()) return {};
  Working terms;
  double sum = 0;
  for (std::int64_t col = step.col_begin; col < step.col_end; ++col) {
    if (state.p[pen.place(row, col)] == 0 && !p.shape.band().allows(row, col)) continue;
    const double weight = double(round_to(p.numerics.dtype, state.p[pen.place(row, col)])),
                 term = weight * v.at(col, x);
    terms.push_back(fmt::format("+ P {} × V {} = {}", pen.number(weight), pen.number(v.at(col, x)), pen.number(term)));
    sum += term;
  }
  const bool rescales = about.walk.softmax == SoftmaxKind::Online;
  const char* const before = !rescales || p.fault == Fault::ForgetRescaleO ? "stood before"
                             : p.fault == Fault::InverseRescale            ? "stood before, divided by α"
                                                                           : "stood before, times α";
  Working lines = {fmt::format("{}: {}", before, pen.number(now - sum))};
  lines.insert(lines.end(), terms.begin(), terms.end());
  lines.push_back("together " + pen.number(now));
  return lines;
}

}  // namespace tilewalk
