#include "view/scores/working.h"

#include <fmt/format.h>

#include "base/words.h"
#include "core/schedules/registry.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMostTerms = 8;

class Pen {
 public:
  Pen(const Schedule& schedule, const SeenState& seen) : schedule_(schedule), seen_(seen) {}
  const Problem& problem() const { return schedule_.problem(); }
  const Step& step() const { return seen_.state().step; }
  bool in_tile(std::int64_t row, std::int64_t col) const {
    return seen_.state().started && row >= step().row_begin && row < step().row_end && col >= step().col_begin &&
           col < step().col_end;
  }
  std::size_t place(std::int64_t row, std::int64_t col) const {
    return std::size_t((row - step().row_begin) * step().cols() + col - step().col_begin);
  }
  bool has(Quantity quantity, std::size_t element) const {
    return element < (seen_.state().*ledger_row(quantity).values).size();
  }
  std::string number(double value) const { return hand_number(problem(), value); }
  const char* base() const { return problem().numerics.base == Base::Two ? "2" : "e"; }

  // "dS = P × (dP − D)". P has two formulas where it is divided later.
  std::string formula(Quantity quantity, bool divided = false) const {
    for (const MadeAt& at : phases_that_make(schedule_, quantity))
      if (at.made->formula && at.made->reads(Quantity::L) == divided)
        return formula_of(problem(), *at.made, Notation::Screen);
    return ledger_row(quantity).letter;
  }

  // A number of the state, for the current line; a line with a hidden number is dropped.
  std::string of(Quantity quantity, std::size_t element) { return text_of(quantity, seen_.at(quantity, element)); }
  std::string before(Quantity quantity, std::size_t row) { return text_of(quantity, seen_.before(quantity, row)); }
  void write(Working& lines, std::string line) {
    if (!needs_hidden_) lines.push_back(std::move(line));
    needs_hidden_ = false;
  }

  // "0.5000 × −1.2000 = −0.6000", one line a term; returns their sum.
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
  std::string text_of(Quantity quantity, const Shown<float>& value) {
    needs_hidden_ = needs_hidden_ || value.hidden();
    if (value.hidden()) return "";
    return number(ledger_row(quantity).is_score ? display_score(problem(), value.value()) : value.value());
  }

  const Schedule& schedule_;
  const SeenState& seen_;
  bool needs_hidden_ = false;
};

// The value that is subtracted from the score in P's exponent.
Quantity reference_of(const Problem& p) {
  const Made* weights = last_made(row_of(p), Quantity::P);
  return weights && weights->subtrahend() ? *weights->subtrahend() : Quantity::M;
}

}  // namespace

Working working_of_cell(const Schedule& schedule, const Inputs& inputs, const SeenState& seen, std::int64_t row,
                        std::int64_t col, Quantity shown) {
  Pen pen(schedule, seen);
  const State& state = seen.state();
  const Problem& p = pen.problem();
  if (!pen.in_tile(row, col) || !is_hand_size(p) || !p.shape.band().allows(row, col)) return {};
  const std::size_t at = pen.place(row, col), r = std::size_t(row - state.step.row_begin);
  Working lines;
  // The products of a tile, or a note that it was read from HBM.
  const auto product = [&](Quantity made, TensorId left, TensorId upper, double scale) {
    const OperandTile a = operand_at(schedule, inputs, state, left), b = operand_at(schedule, inputs, state, upper);
    const char* letter = ledger_row(made).letter;
    if (a.empty() || b.empty()) {
      pen.write(lines, fmt::format("{} = {}, read from HBM", letter, pen.of(made, at)));
      return;
    }
    lines.push_back(fmt::format("{} = {}[{}] · {}[{}]{}", letter, name_of(left), row, name_of(upper), col,
                                scale == 1 ? "" : ", scaled"));
    const double sum = pen.products(lines, a, row, b, col);
    const bool stored =
        made == Quantity::S && p.numerics.narrow_scores && schedule.cost_of(state.step).of(TensorId::S).write_bytes > 0;
    const std::string value = pen.of(made, at) + (stored ? fmt::format(", in {}", name_of(p.numerics.dtype)) : "");
    pen.write(lines, scale == 1 ? fmt::format("together {} = {}", letter, value)
                                : fmt::format("together {}, times {}: {} = {}", pen.number(sum), pen.number(scale),
                                              letter, value));
  };
  const bool of_dp = shown == Quantity::DP || shown == Quantity::DS;
  if (pen.has(Quantity::S, at) && !of_dp) product(Quantity::S, TensorId::Q, TensorId::K, p.scale_value());
  if (pen.has(Quantity::DP, at) && of_dp) product(Quantity::DP, TensorId::dO, TensorId::V, 1);
  if (pen.has(Quantity::P, at) && pen.has(Quantity::S, at)) {
    const Quantity reference = reference_of(p);
    const bool divided = is_divided(schedule, seen);
    if (pen.has(reference, r) && (!divided || pen.has(Quantity::L, r))) {
      const std::string power = fmt::format("{}^({} − {})", pen.base(), pen.of(Quantity::S, at), pen.of(reference, r));
      const std::string formula = pen.formula(Quantity::P, divided);
      pen.write(lines, divided ? fmt::format("{} = {} / {} = {}", formula, power, pen.of(Quantity::L, r),
                                             pen.of(Quantity::P, at))
                               : fmt::format("{} = {} = {}", formula, power, pen.of(Quantity::P, at)));
    }
  }
  if (pen.has(Quantity::DS, at) && pen.has(Quantity::P, at) && pen.has(Quantity::DP, at) && pen.has(Quantity::D, r))
    pen.write(lines, fmt::format("{} = {} × ({} − {}) = {}", pen.formula(Quantity::DS), pen.of(Quantity::P, at),
                                 pen.of(Quantity::DP, at), pen.of(Quantity::D, r), pen.of(Quantity::DS, at)));
  return lines;
}

Working working_of_sum(const Schedule& schedule, const SeenState& seen, std::int64_t row) {
  Pen pen(schedule, seen);
  const State& state = seen.state();
  const Problem& p = pen.problem();
  if (!state.started || !state.step.in_visit() || !is_hand_size(p)) return {};
  const std::int64_t cols = state.step.cols(), r = row - state.step.row_begin;
  if (r < 0 || r >= state.step.rows() || cols > kMostTerms) return {};
  if (std::int64_t(state.p.size()) != state.step.rows() * cols) return {};
  const std::size_t at = std::size_t(r);
  const auto weights = [&] {
    std::string out;
    for (std::int64_t col = state.step.col_begin; col < state.step.col_end; ++col) {
      const std::size_t cell = pen.place(row, col);
      if (state.p[cell] == 0 && !p.shape.band().allows(row, col)) continue;  // a deliberate mistake may unmask a cell
      add_to_list(out, pen.of(Quantity::P, cell), " + ");
    }
    return out.empty() ? std::string("0") : out;
  };
  Working lines;
  const ScheduleRow& about = row_of(p);
  if (makes(about, Quantity::TileSum)) {
    if (!pen.has(Quantity::TileSum, at)) return {};
    pen.write(lines, fmt::format("tile ℓ of row {} = {} = {}", row, weights(), pen.of(Quantity::TileSum, at)));
    return lines;
  }
  if (!runs(about, Quantity::L) || !has_made(schedule, state.step, Quantity::L) || !pen.has(Quantity::L, at) ||
      !pen.has(Quantity::Alpha, at) || at >= state.l_old.size())
    return {};
  if (p.fault == Fault::ForgetRescaleL)
    pen.write(lines, fmt::format("ℓ new of row {} = ℓ + its weights, without α = {} + {} = {}", row,
                                 pen.before(Quantity::L, at), weights(), pen.of(Quantity::L, at)));
  else
    pen.write(lines,
              fmt::format("ℓ new of row {} = α × ℓ + its weights = {} × {} + {} = {}", row, pen.of(Quantity::Alpha, at),
                          pen.before(Quantity::L, at), weights(), pen.of(Quantity::L, at)));
  return lines;
}

Working working_of_output(const Schedule& schedule, const Inputs& inputs, const SeenState& seen, std::int64_t row,
                          std::int64_t x) {
  Pen pen(schedule, seen);
  const State& state = seen.state();
  const Problem& p = pen.problem();
  const ScheduleRow& about = row_of(p);
  if (!state.started || !is_hand_size(p)) return {};
  const Step& step = state.step;
  const std::int64_t r = row - step.row_begin, d = p.shape.d;
  if (r < 0 || r >= step.rows() || x < 0 || x >= d || state.o.size() < std::size_t(step.rows() * d)) return {};
  const Shown<float> o = seen.at(Quantity::O, std::size_t(r * d + x));
  const Made* made = made_by(about, step, Quantity::O);
  if (!made) return {};
  if (made->reads(Quantity::O) && made->reads(Quantity::L) && std::size_t(r) < state.l.size()) {
    const Shown<float> l = seen.at(Quantity::L, std::size_t(r));
    if (o.hidden() || l.hidden()) return {};
    return {fmt::format("O = what was summed / ℓ = {} / {} = {}", pen.number(double(o.value()) * double(l.value())),
                        pen.number(l.value()), pen.number(o.value()))};
  }
  if (!step.in_visit() || !made->reads(Quantity::P) || std::int64_t(state.p.size()) != step.rows() * step.cols())
    return {};
  const OperandTile v = operand_at(schedule, inputs, state, TensorId::V);
  if (v.empty()) return {};
  Working terms;
  double sum = 0;
  bool all_seen = !o.hidden();
  for (std::int64_t col = step.col_begin; col < step.col_end; ++col) {
    const Shown<float> cell = seen.at(Quantity::P, pen.place(row, col));
    all_seen = all_seen && !cell.hidden();
    if (cell.hidden() || (cell.value() == 0 && !p.shape.band().allows(row, col))) continue;
    const double weight = double(round_to(p.numerics.dtype, cell.value())), term = weight * v.at(col, x);
    terms.push_back(fmt::format("+ P {} × V {} = {}", pen.number(weight), pen.number(v.at(col, x)), pen.number(term)));
    sum += term;
  }
  const char* const before = !made->reads(Quantity::Alpha) || p.fault == Fault::ForgetRescaleO ? "old value"
                             : p.fault == Fault::InverseRescale ? "old value, divided by α"
                                                                : "old value, times α";
  Working lines;
  if (all_seen) lines.push_back(fmt::format("{}: {}", before, pen.number(double(o.value()) - sum)));
  lines.insert(lines.end(), terms.begin(), terms.end());
  if (!o.hidden()) lines.push_back("together " + pen.number(o.value()));
  return lines;
}

}  // namespace tilewalk
