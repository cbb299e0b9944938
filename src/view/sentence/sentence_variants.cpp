#include <fmt/format.h>

#include <cmath>

#include "base/units.h"
#include "core/schedules/registry.h"
#include "view/sentence/named_cell.h"
#include "view/sentence/sentence_parts.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

struct VariantSentence {
  const Schedule& schedule;
  const State& state;
  const Problem& problem = schedule.problem();
  const Step& step = state.step;
  const std::int64_t spoken = spoken_row(problem, state);

  bool has(const std::vector<float>& values) const { return spoken >= 0 && std::size_t(spoken) < values.size(); }
  float of(const std::vector<float>& values) const { return values[std::size_t(spoken)]; }
  std::int64_t row() const { return step.row_begin + spoken; }
  std::string score(float value) const { return number_in_text(problem, display_score(problem, value)); }
  const char* base() const { return base_text(problem); }
  std::string read_bytes() const { return format_bytes(schedule.cost_of(step).hbm_total().read_bytes); }
  std::string written_bytes() const { return format_bytes(schedule.cost_of(step).hbm_total().write_bytes); }

  bool last_visit() const {  // of the Q tile
    const TileRange met = schedule.visited(step.q_tile);
    return step.kv_tile == (problem.tiling.order == KvOrder::Reverse ? met.begin : met.end - 1);
  }

  std::string per_tile() const {
    switch (step.phase) {
      case Phase::Initialise:
        return fmt::format(
            "O = 0, ℓ = 0 and m = −∞ of Q tile {} ({}) are written to HBM ({}), to be read like any others.",
            step.q_tile, rows_text(step), written_bytes());
      case Phase::LoadKV:
        return fmt::format("K tile {} and V tile {} ({}) come from HBM and stay, while the Q tiles pass by.",
                           step.kv_tile, step.kv_tile, read_bytes());
      case Phase::LoadQ:
        return fmt::format(
            "Q tile {} ({}) comes from HBM, and its unfinished O, m and ℓ come back with it: {} in all, at every "
            "visit.",
            step.q_tile, rows_text(step), read_bytes());
      case Phase::RowMax:
        if (!has(state.tile_max)) break;
        if (std::isinf(of(state.tile_max)))
          return fmt::format("Row {} sees nothing in this tile: the tile's own max is −∞.", row());
        return fmt::format("Row {}: this tile's own max is {}. The running max that came from HBM is {}.", row(),
                           score(of(state.tile_max)), score(of(state.m)));
      case Phase::Exponentiate:
        if (!has(state.tile_max)) break;
        return fmt::format("Each score becomes {}; the tile's own max of row {} is {}.",
                           right_side_text(problem, step, Quantity::P), row(), score(of(state.tile_max)));
      case Phase::RowSum:
        if (!has(state.tile_l)) break;
        return fmt::format("Row {}: this tile's own exponentials add up to {}.", row(),
                           number_in_text(problem, of(state.tile_l)));
      case Phase::Rescale:
        if (!has(state.alpha) || !has(state.beta)) break;
        return fmt::format(
            "Row {}: the new max is {}. What was summed before counts α = {}, this tile counts β = {}; ℓ becomes {}.",
            row(), score(of(state.m)), weight_text(problem, of(state.alpha)), weight_text(problem, of(state.beta)),
            number_in_text(problem, of(state.l)));
      case Phase::Accumulate:
        if (spoken < 0 || std::int64_t(state.pv.size()) <= spoken * problem.shape.d) break;
        return fmt::format("P times V tile {} is this tile's own part of O tile {}; row {} of it starts with {}.",
                           step.kv_tile, step.q_tile, row(),
                           number_in_text(problem, state.pv[std::size_t(spoken * problem.shape.d)]));
      case Phase::Normalise:
        if (!has(state.l)) break;
        if (of(state.l) == 0) return fmt::format("Row {} has seen nothing yet: its ℓ is 0, so its O is 0.", row());
        return fmt::format("{}: O tile {} is divided at this visit, and at every other; row {} by {}.",
                           formula_text(problem, step, Quantity::O), step.q_tile, row(),
                           number_in_text(problem, of(state.l)));
      case Phase::Store:
        if (!step.in_visit())
          return fmt::format("O tile {}, rounded, goes to HBM for the last time: {} written.", step.q_tile,
                             written_bytes());
        return fmt::format("O tile {}, divided, goes out to HBM with m and ℓ: {} written, {}.", step.q_tile,
                           written_bytes(), last_visit() ? "and finished" : "to be read again at the next visit");
      case Phase::LoadO:
        return fmt::format("The finished O tile {} comes from HBM once more ({}), to be rounded to {}.", step.q_tile,
                           read_bytes(), name_of(problem.numerics.dtype));
      default: break;
    }
    return "";
  }

  std::string stale_max() const {
    if (step.phase == Phase::Exponentiate && has(state.tile_max) && has(state.m) && of(state.tile_max) > of(state.m))
      return fmt::format(
          "Each score becomes {}. Row {} is measured against its stale max, so a weight may pass 1; ℓ evens it out at "
          "the end.",
          right_side_text(problem, step, Quantity::P), row());
    if (step.phase != Phase::RowMax && step.phase != Phase::Rescale) return "";
    if (!has(state.tile_max) || !has(state.m_old) || !has(state.m)) return "";
    const float best = of(state.tile_max), old = of(state.m_old), now = of(state.m);
    if (std::isinf(best) || std::isinf(old) || !(best > old) || now != old) return "";
    const std::string gap =
        number_in_text(problem, double(display_score(problem, best)) - double(display_score(problem, old)));
    const std::string limit = number_in_text(problem, display_score(problem, float(problem.tiling.rescale_threshold)));
    if (step.phase == Phase::RowMax)
      return fmt::format(
          "Row {}: this tile's best score {} beats m = {} by {}, not more than the threshold {}: the "
          "stale max is kept.",
          row(), score(best), score(old), gap, limit);
    return fmt::format("Row {} keeps its stale max {} although it has seen {}: α = 1, so the rescale of O is saved.",
                       row(), score(old), score(best));
  }

  std::string splits() const {
    const std::string share = fmt::format("split {} of {}", step.split + 1, problem.tiling.splits);
    switch (step.phase) {
      case Phase::LoadQ:
        return fmt::format(
            "Q tile {} ({}, {}) comes from HBM for {}, a thread block of its own: m starts at −∞, ℓ and O at 0.",
            step.q_tile, rows_text(step), read_bytes(), share);
      case Phase::StorePartial:
        return fmt::format("What {} made of O tile {} goes to HBM with its L: {} written, to be merged later.", share,
                           step.q_tile, written_bytes());
      case Phase::LoadPartials:
        return fmt::format("L of all {} splits of Q tile {} comes from HBM: {}.", problem.tiling.splits, step.q_tile,
                           read_bytes());
      case Phase::MergeMax:
        if (!has(state.m)) break;
        if (std::isinf(of(state.m))) return fmt::format("Row {} saw nothing in any split: its M stays −∞.", row());
        return fmt::format("Row {}: the largest L of its {} splits is M = {}.", row(), problem.tiling.splits,
                           score(of(state.m)));
      case Phase::MergeWeights:
        if (!has(state.l)) break;
        return fmt::format(
            "Each split weighs {}^(L − M), so L alone says how much it counts. Row {}: the {} weights "
            "add up to {}.",
            base(), row(), problem.tiling.splits, number_in_text(problem, of(state.l)));
      case Phase::MergeO:
        return fmt::format("The {} parts of O tile {} come from HBM once ({}) and are added up, each times its weight.",
                           problem.tiling.splits, step.q_tile, read_bytes());
      case Phase::Normalise:
        if (!has(state.l)) break;
        if (of(state.l) == 0) return "";
        if (step.section_name == SectionName::Walk)
          return fmt::format("The part of O tile {} that {} made is divided by its own ℓ; row {} by {}.", step.q_tile,
                             share, row(), number_in_text(problem, of(state.l)));
        return fmt::format("The merged O tile {} is divided by the sum of the weights; row {} by {}.", step.q_tile,
                           row(), number_in_text(problem, of(state.l)));
      default: break;
    }
    return "";
  }
};

}  // namespace

std::string variant_sentence(const Schedule& schedule, const State& state) {
  const VariantSentence words{schedule, state};
  const ScheduleRow& row = row_of(schedule.problem());
  if (row.walk.softmax == SoftmaxKind::PerTile) return words.per_tile();
  if (row.settings.rescale_threshold) return words.stale_max();
  return row.settings.splits ? words.splits() : "";
}

namespace {

std::string per_tile_purpose(Phase phase) {
  switch (phase) {
    case Phase::Initialise: return "Initialise: O, m and ℓ are in HBM from the start, and stay there.";
    case Phase::LoadO: return "Load: O was kept in fp32 until now.";
    case Phase::LoadKV: return "Load: K and V stay on chip; the Q tiles, with O, m and ℓ, come and go.";
    case Phase::LoadQ: return "Load: O, m and ℓ come back from HBM at every visit.";
    case Phase::RowMax: return "Row max: of this tile alone.";
    case Phase::Exponentiate: return "Exponentiate: against this tile's own max.";
    case Phase::RowSum: return "Row sum: of this tile alone.";
    case Phase::Rescale: return "Rescale: α converts the old sums, and β this tile's, to the new max.";
    case Phase::Accumulate: return "Accumulate: this tile's own exponentials times V.";
    case Phase::Normalise: return "Normalise: O is divided by ℓ at every visit; FA-2 does it once.";
    case Phase::Store: return "Store: O, m and ℓ go out again at every visit; FA-2 keeps them on chip.";
    default: return "";
  }
}

// A max that grew by at most the threshold is not followed.
std::string stale_max_purpose(Phase phase) {
  switch (phase) {
    case Phase::RowMax:
      return "Row max: m follows a row's largest score only where it grew by more than the threshold.";
    case Phase::Rescale: return "Rescale: only where the max grew by more than the threshold.";
    case Phase::Exponentiate: return "Exponentiate: against m, which may be stale: then an exponential may pass 1.";
    default: return "";
  }
}

std::string splits_purpose(const Step& step) {
  switch (step.phase) {
    case Phase::LoadQ: return "Load: every split reads the Q tile for itself.";
    case Phase::StorePartial: return "Store: a split's O and L wait in HBM for the merge.";
    case Phase::LoadPartials: return "Load: one L for each row and split.";
    case Phase::MergeMax: return "Merge: the largest L keeps the weights at 1 or below.";
    case Phase::MergeWeights: return "Merge: a split weighs as much as its L says.";
    case Phase::MergeO: return "Merge: the parts of O, weighed and added up.";
    case Phase::Normalise:
      return step.section_name == SectionName::Merge ? "Normalise: the merged O is divided by the sum of the weights."
                                                     : "Normalise: a split divides its part of O by its own ℓ.";
    default: return "";
  }
}

}  // namespace

std::string variant_purpose(const Problem& p, const Step& step) {
  const ScheduleRow& row = row_of(p);
  if (row.walk.softmax == SoftmaxKind::PerTile) return per_tile_purpose(step.phase);
  if (row.settings.rescale_threshold) return p.tiling.rescale_threshold > 0 ? stale_max_purpose(step.phase) : "";
  return row.settings.splits ? splits_purpose(step) : "";
}

std::string first_sentence(const Schedule& schedule) {
  const Step first = schedule.step(0);
  const std::string before = "Nothing has happened yet. First, ";
  switch (first.phase) {
    case Phase::Initialise:
      return before + (made_by(row_of(schedule.problem()), first, Quantity::DQ)
                           ? fmt::format("dQ = 0 of Q tile {} will be written to HBM.", first.q_tile)
                           : fmt::format("O = 0, ℓ = 0 and m = −∞ of Q tile {} will be written to HBM.", first.q_tile));
    case Phase::LoadOutputs: return before + fmt::format("O and dO of Q tile {} will come from HBM.", first.q_tile);
    case Phase::LoadPDO:
      return before +
             fmt::format("P tile ({}, {}), kept by the forward pass, will come from HBM.", first.q_tile, first.kv_tile);
    case Phase::StoreDV:
      return before + fmt::format("dV tile {} will be written as zeros: no row sees it.", first.kv_tile);
    default: return before + fmt::format("Q tile {} will come from HBM into SRAM.", first.q_tile);
  }
}

std::string rows_text(const Step& step) {
  return step.rows() == 1 ? fmt::format("row {}", step.row_begin)
                          : fmt::format("rows {} to {}", step.row_begin, step.row_end - 1);
}

std::string number_in_text(const Problem& problem, double value) {
  return problem.numerics.base == Base::Two ? format_value(problem, value) : signed_number(value);
}

std::string weight_text(const Problem& problem, float value) {
  if (value != 0 && std::fabs(value) < 0.005f && std::isfinite(value)) return exponent_number(value);
  return number_in_text(problem, value);
}

double shown_value(const Problem& problem, double value) {
  if (problem.numerics.base == Base::Two || !std::isfinite(value)) return value;
  return std::round(value * 100) / 100;
}

const char* equals_sign(const Problem& problem, double computed, const std::string& result) {
  const bool follows = problem.numerics.base == Base::Two || !std::isfinite(computed) ||
                       number_in_text(problem, computed) == result || weight_text(problem, float(computed)) == result;
  return follows ? "=" : "≈";
}

std::string addition_text(const Problem& problem, double left, double right) {
  constexpr int kUsualDecimals = 2, kMostDecimals = 5;
  const double sum = left + right;
  const auto text = [&](int digits, const char* sign) {
    return fmt::format("{} + {} {} {}", signed_number(left, digits), signed_number(right, digits), sign,
                       signed_number(sum, digits));
  };
  if (problem.numerics.base == Base::Two || !std::isfinite(sum))
    return fmt::format("{} + {} = {}", number_in_text(problem, left), number_in_text(problem, right),
                       number_in_text(problem, sum));
  double scale = std::pow(10, kUsualDecimals);
  for (int digits = kUsualDecimals; digits <= kMostDecimals; ++digits, scale *= 10)
    if (std::round(left * scale) + std::round(right * scale) == std::round(sum * scale)) return text(digits, "=");
  return text(kUsualDecimals, "≈");
}

std::string factor_text(const Problem& problem, float weight, double number) {
  constexpr double kLeastOff = 0.01;  // of the product
  constexpr int kUsualDecimals = 2, kMostDecimals = 5;
  for (int decimals = kUsualDecimals; decimals <= kMostDecimals && problem.numerics.base == Base::E; ++decimals) {
    const double unit = std::pow(10, -decimals), printed = std::round(double(weight) / unit) * unit;
    if (std::fabs((printed - double(weight)) * number) >= kLeastOff) continue;
    return decimals == kUsualDecimals ? weight_text(problem, weight) : signed_number(weight, decimals);
  }
  return weight_text(problem, weight);
}

}  // namespace tilewalk
