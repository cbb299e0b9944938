#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "core/schedules/registry.h"
#include "view/sentence/named_cell.h"
#include "view/sentence/sentence_parts.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

struct BackwardSentence {
  const Schedule& schedule;
  const State& state;
  const Problem& problem = schedule.problem();
  const Step& step = state.step;
  const std::int64_t q = step.q_tile, kv = step.kv_tile;
  const std::int64_t spoken = spoken_row(problem, state);
  const bool from_max_sum = is_given(row_of(problem), Quantity::M), stored = is_given(row_of(problem), Quantity::P);

  std::string read_bytes() const { return format_bytes(schedule.cost_of(step).hbm_total().read_bytes); }
  std::string written_bytes() const { return format_bytes(schedule.cost_of(step).hbm_total().write_bytes); }
  std::string written(TensorId id) const { return format_bytes(schedule.cost_of(step).of(id).write_bytes); }
  std::int64_t row() const { return step.row_begin + spoken; }
  bool has(const std::vector<float>& values) const { return spoken >= 0 && std::size_t(spoken) < values.size(); }
  std::string scale() const { return signed_number(problem.gradient_factor(), 3); }

  // The column within the tile that the step names, or -1.
  std::int64_t column() const {
    if (spoken < 0 || step.cols() <= 0) return -1;
    return std::max<std::int64_t>(0, named_cell(problem, state).col - step.col_begin);
  }
  bool entry(const std::vector<float>& values, std::int64_t c, float& out) const {
    const std::int64_t at = spoken * step.cols() + c;
    if (c < 0 || at < 0 || at >= std::int64_t(values.size())) return false;
    out = values[std::size_t(at)];
    return true;
  }
  std::string starts_with(const char* what, const std::vector<float>& values, std::int64_t first_row,
                          std::int64_t r) const {
    const std::int64_t at = r * problem.shape.d;
    if (r < 0 || at >= std::int64_t(values.size())) return "";
    return fmt::format(" Row {} of {} then starts with {}.", first_row + r, what,
                       number_in_text(problem, values[std::size_t(at)]));
  }

  std::string row_dot() const {
    if (!has(state.D)) return "D is made, one number a row.";
    const float d = state.D[std::size_t(spoken)];
    if (stored)
      return fmt::format("Row {}: D, the sum of P·dP over the whole row, is {}.", row(), weight_text(problem, d));
    if (from_max_sum)
      return fmt::format("Row {}: D = dO·O = {}, made anew at every visit: FA-1 keeps no D in HBM.", row(),
                         weight_text(problem, d));
    return fmt::format(
        "Row {}: D = dO·O = {}, one number a row. It stands for the sum of P·dP, so no row of P is "
        "needed whole.",
        row(), weight_text(problem, d));
  }
  std::string exponentiate() const {
    const std::string point = from_max_sum ? fmt::format("P is computed again from m, never read from HBM: {}.",
                                                         right_side_text(problem, step, Quantity::P))
                                           : fmt::format("P is computed again from L, never read from HBM: {}.",
                                                         formula_text(problem, step, Quantity::P));
    const std::int64_t c = column();
    float p = 0;
    if (!entry(state.p, c, p)) return point;
    return point + fmt::format(" Row {}, column {}: {}.", row(), step.col_begin + c, weight_text(problem, p));
  }
  std::string grad_p() const {
    const std::string what = fmt::format("{}: dO of Q tile {} times V tile {} transposed.",
                                         formula_text(problem, step, Quantity::DP), q, kv);
    const std::int64_t c = column();
    float dp = 0;
    if (!entry(state.dp, c, dp)) return what;
    return what + fmt::format(" Row {}, column {}: {}.", row(), step.col_begin + c, weight_text(problem, dp));
  }
  std::string grad_s() const {
    const std::string what = formula_text(problem, step, Quantity::DS) + ".";
    const std::int64_t c = column();
    float p = 0, dp = 0, ds = 0;
    if (!entry(state.p, c, p) || !entry(state.dp, c, dp) || !entry(state.ds, c, ds) || !has(state.D)) return what;
    const float d = state.D[std::size_t(spoken)];
    return what +
           fmt::format(
               " Row {}, column {}: {} × ({} {} {}) {} {}.", row(), step.col_begin + c, weight_text(problem, p),
               weight_text(problem, dp), d < 0 ? "+" : "−", weight_text(problem, std::fabs(d)),
               equals_sign(problem, shown_value(problem, p) * (shown_value(problem, dp) - shown_value(problem, d)),
                           weight_text(problem, ds)),
               weight_text(problem, ds));
  }
  std::string store_dq() const {
    if (step.in_visit())
      return fmt::format("dQ tile {} goes back to HBM unfinished: {} written, and read again at its next visit.", q,
                         written_bytes());
    return fmt::format("dQ tile {}, times {}, is finished and goes to HBM: {} written.", q, scale(), written_bytes());
  }
  std::string load_rows() const {
    if (from_max_sum)
      return fmt::format(
          "Q, O, dO and the unfinished dQ of Q tile {} come from HBM with m and ℓ of its rows: {}. No P "
          "is among them.",
          q, read_bytes());
    return fmt::format(
        "Q, dO and the unfinished dQ of Q tile {} come from HBM with L and D of its rows: {}. No P is "
        "among them.",
        q, read_bytes());
  }
};

}  // namespace

std::string backward_sentence(const Schedule& schedule, const State& state) {
  if (!row_of(schedule.problem()).family.backward) return "";
  const BackwardSentence words{schedule, state};
  const std::int64_t q = words.q, kv = words.kv;
  const std::string rows = rows_text(state.step);
  switch (state.step.phase) {
    case Phase::Initialise:
      return fmt::format("dQ of Q tile {} ({}) starts as zeros in HBM: {} written, for every visit to add to.", q, rows,
                         words.written_bytes());
    case Phase::LoadOutputs:
      return fmt::format("O and dO of Q tile {} ({}, {}) come from HBM, to make D.", q, rows, words.read_bytes());
    case Phase::RowDot: return words.row_dot();
    case Phase::StoreD:
      return fmt::format("D of Q tile {} ({}) goes to HBM, and dQ = 0 ({}) beside it, for every visit to add to.", q,
                         words.written(TensorId::D), words.written(TensorId::dQ));
    case Phase::LoadKV:
      return fmt::format("K tile {} and V tile {} ({}) come from HBM and stay; their dK and dV start at 0 on chip.", kv,
                         kv, words.read_bytes());
    case Phase::LoadRows: return words.load_rows();
    case Phase::Exponentiate: return words.exponentiate();
    case Phase::Divide:
      if (!words.has(state.l)) return "P = e/ℓ: P is back, without ever having been stored.";
      return fmt::format("Divided by ℓ of the forward pass (row {}: {}), P is back without ever having been stored.",
                         words.row(), number_in_text(words.problem, state.l[std::size_t(words.spoken)]));
    case Phase::GradV:
      return fmt::format("Pᵀ times dO of Q tile {} is added to dV tile {}.", q, kv) +
             words.starts_with("dV", state.dv, state.step.col_begin, 0);
    case Phase::GradP: return words.grad_p();
    case Phase::GradS: return words.grad_s();
    case Phase::GradQ:
      return fmt::format("dS times K tile {} is added to dQ tile {}.", kv, q) +
             words.starts_with("dQ", state.dq, state.step.row_begin, words.spoken);
    case Phase::StoreDQ: return words.store_dq();
    case Phase::GradK:
      return fmt::format("dSᵀ times Q tile {} is added to dK tile {}.", q, kv) +
             words.starts_with("dK", state.dk, state.step.col_begin, 0);
    case Phase::StoreDKV:
      return fmt::format("dK tile {}, times {}, and dV tile {} are finished and go to HBM, once: {} written.", kv,
                         words.scale(), kv, words.written_bytes());
    case Phase::LoadDQ:
      return fmt::format("dQ tile {}, all its visits added up, comes from HBM: {}.", q, words.read_bytes());
    case Phase::ScaleDQ:
      return fmt::format("dQ tile {} is multiplied by {}, the scale of the scores.", q, words.scale()) +
             words.starts_with("dQ", state.dq, state.step.row_begin, words.spoken);
    case Phase::LoadPDO:
      return fmt::format("P tile ({}, {}), kept by the forward pass, and dO tile {} come from HBM: {}.", q, kv, q,
                         words.read_bytes());
    case Phase::StoreDV:
      return fmt::format("dV tile {} is finished and goes to HBM: {} written.", kv, words.written_bytes());
    case Phase::LoadDO:
      return fmt::format("dO tile {} ({}) comes from HBM and stays while its row of dP is made.", q,
                         words.read_bytes());
    case Phase::LoadV:
      return fmt::format("V tile {} ({}) comes from HBM into SRAM for dO tile {}.", kv, words.read_bytes(), q);
    case Phase::StoreDP:
      return fmt::format("dP tile ({}, {}) goes to HBM: {} written, to be read again by pass 3.", q, kv,
                         words.written_bytes());
    case Phase::LoadPDP:
      return fmt::format("Whole rows of P and dP ({}) come back from HBM: {}.", rows, words.read_bytes());
    case Phase::LoadPDPAgain:
      return fmt::format("P and dP of {} are read a second time ({}), because a row of both does not fit in SRAM.",
                         rows, words.read_bytes());
    case Phase::StoreDS:
      return fmt::format("Whole rows of dS ({}) go to HBM: {} written, to be read by two more passes.", rows,
                         words.written_bytes());
    case Phase::LoadDSK:
      return fmt::format("dS tile ({}, {}) and K tile {} come from HBM: {}.", q, kv, kv, words.read_bytes());
    case Phase::LoadDSQ:
      return fmt::format("dS tile ({}, {}) and Q tile {} come from HBM: {}.", q, kv, q, words.read_bytes());
    case Phase::StoreDK:
      return fmt::format("dK tile {}, times {}, is finished and goes to HBM: {} written.", kv, words.scale(),
                         words.written_bytes());
    default: return "";  // Scores and Mask have the sentences of the forward passes
  }
}

std::string backward_purpose(const ScheduleRow& row, Phase phase) {
  if (!row.family.backward) return "";
  switch (phase) {
    case Phase::Initialise: return "Initialise: dQ grows in HBM, visit by visit.";
    case Phase::LoadOutputs: return "Load: what D is made of.";
    case Phase::RowDot: return "Row dot: D is one number a row, and every dS of the row uses it.";
    case Phase::StoreD: return "Store: D for the visits, and an empty dQ.";
    case Phase::LoadKV: return "Load: K and V stay on chip; the Q tiles come and go.";
    case Phase::LoadRows: return "Load: what the forward pass left of these rows is a few numbers, not P.";
    case Phase::Scores: return "Scores: computed again, because recomputing is cheaper than reading them back.";
    case Phase::Exponentiate: return "Recompute: P again, from what the forward pass left.";
    case Phase::Divide: return "Normalise: weights become P again.";
    case Phase::GradV: return "dV: each value row gathers the gradients of the rows that used it.";
    case Phase::GradP: return "dP: how much each weight mattered.";
    case Phase::GradS: return "dS: back through the softmax, entry by entry.";
    case Phase::GradQ: return "dQ: the gradient of the queries grows by this tile.";
    case Phase::GradK: return "dK: the gradient of the keys grows by this tile.";
    case Phase::StoreDQ:
      return row.memory.scores_in_hbm ? "Store: dQ, once." : "Store: dQ travels to HBM and back at every visit.";
    case Phase::StoreDKV: return "Store: dK and dV stayed on chip; they go out once.";
    case Phase::LoadDQ: return "Load: the finished sum.";
    case Phase::ScaleDQ: return "Scale: the factor on the scores belongs to the gradient too.";
    case Phase::LoadPDO: return "Load: P was stored by the forward pass. FlashAttention never does this.";
    case Phase::StoreDV: return "Store: dV, once.";
    case Phase::LoadDO: return "Load: the gradient of O.";
    case Phase::LoadV: return "Load: one V tile joins the dO tile that is on chip.";
    case Phase::StoreDP: return "Store: dP goes to HBM. FlashAttention never does this.";
    case Phase::LoadPDP: return "Load: D needs whole rows of P and dP.";
    case Phase::LoadPDPAgain: return "Load: the rows did not fit in SRAM, so they are read again.";
    case Phase::StoreDS: return "Store: dS goes to HBM. FlashAttention never does this.";
    case Phase::LoadDSK: return "Load: a tile of dS and a tile of K.";
    case Phase::LoadDSQ: return "Load: a tile of dS and a tile of Q.";
    case Phase::StoreDK: return "Store: dK, scaled, once.";
    default: return "";
  }
}

}  // namespace tilewalk
