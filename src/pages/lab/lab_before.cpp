// The page of the lab before a run: what will run, its tile visits to come, the right scores and the ledger's bytes,
// and what to press.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/units.h"
#include "base/words.h"
#include "core/fields/validate.h"
#include "core/schedules/registry.h"
#include "pages/lab/lab_model.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMostBoxes = 512, kMostScores = 128 * 128;

// The schedule that the task's kernel follows, on the task's problem; null where its tiles break a rule there.
std::shared_ptr<const Schedule> worked_example(const lab::LabSetup& setup) {
  Problem p = setup.problem;
  p.schedule = setup.ledger.value_or(setup.follows.value_or(Problem{}.schedule));
  return validate(p).empty() ? make_schedule(p) : nullptr;
}

// In the order of that schedule, a group for each of its thread blocks.
std::vector<LabVisitBox> visits_to_come(const Schedule& schedule) {
  const Problem& p = schedule.problem();
  const std::int64_t count = schedule.visit_counts().visited();
  if (count > kMostBoxes) return {};
  std::vector<std::pair<std::int64_t, TileId>> tiles;
  for (std::int64_t batch = 0; batch < p.shape.batch; ++batch)
    for (std::int64_t head = 0; head < p.shape.heads; ++head)
      for (std::int64_t q = 0; q < p.q_tiles(); ++q)
        for (std::int64_t kv = 0; kv < p.kv_tiles(); ++kv) {
          const TileId tile{batch, head, q, kv};
          if (const std::int64_t at = schedule.visit_index(tile); at >= 0) tiles.emplace_back(at, tile);
        }
  std::sort(tiles.begin(), tiles.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<LabVisitBox> out;
  Step before;
  int group = -1;
  for (const auto& [at, tile] : tiles) {
    const Step step = schedule.step(schedule.first_step_of_visit(schedule.visit_section(), tile));
    if (group < 0 || step.group != before.group || step.head != before.head || step.batch != before.batch) ++group;
    before = step;
    out.push_back({.label = fmt::format("Q{} × K{}", tile.q_tile, tile.kv_tile), .group = group});
  }
  return out;
}

// The weights of a row in place of its scores.
void to_weights(double* row, std::int64_t count) {
  const double most = *std::max_element(row, row + count);
  if (!std::isfinite(most)) return;
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum += row[i] = std::exp(row[i] - most);
  for (std::int64_t i = 0; i < count; ++i)
    row[i] = row[i] > 0 ? row[i] / sum : -std::numeric_limits<double>::infinity();
}

}  // namespace

void add_right_scores(const lab::LabSetup& setup, LabMatrixModel& out) {
  const Shape& s = setup.problem.shape;
  if (s.n_q * s.n_kv > kMostScores) return;
  const lab::LabInputs inputs = lab::inputs_of(setup);
  const bool weights = setup.judging == lab::LabJudging::Weights;
  for (std::int64_t row = 0; row < s.n_q; ++row) {
    for (std::int64_t col = 0; col < s.n_kv; ++col)
      out.scores.push_back(lab_score(setup.problem, inputs, 0, 0, row, col));
    if (weights) to_weights(&out.scores[std::size_t(row * s.n_kv)], s.n_kv);
  }
  bool any = false;
  for (const double score : out.scores) {
    if (!std::isfinite(score)) continue;
    out.low = any ? std::min(out.low, score) : score, out.high = any ? std::max(out.high, score) : score;
    any = true;
  }
  if (any)
    out.scale = fmt::format("{}: {} to {}", weights ? "P" : "S", signed_number(out.low), signed_number(out.high));
}

namespace {

std::string what_is_checked(const lab::LabSetup& setup, std::int64_t visits) {
  switch (setup.judging) {
    case lab::LabJudging::Scores: return "Each element of S is compared with float64.";
    case lab::LabJudging::Weights: return "Each element of P is compared with float64.";
    default: break;
  }
  return lab::is_by_visits(setup.judging)
             ? fmt::format("Each of {} is compared with float64.", counted(visits, "tile visit"))
             : "Its results are compared with float64.";
}

// The verdict's place before a run: what the task's kernel computes.
std::string what_to_get(const lab::LabSetup& setup, std::int64_t visits) {
  const std::string size = fmt::format("{}×{} ", setup.problem.shape.n_q, setup.problem.shape.n_kv);
  switch (setup.judging) {
    case lab::LabJudging::Scores: return size + "scores to match";
    case lab::LabJudging::Weights: return size + "weights to match";
    case lab::LabJudging::Gradients: return "dQ, dK and dV to compute";
    case lab::LabJudging::Results: return "O and L to compute";
    default: return counted(visits, "tile visit") + " to compute";
  }
}

// "fill the hole in line 13"; a task without a hole says in its words what to mend.
std::string what_to_change(const std::string& goal) {
  const std::size_t colon = goal.find(": ");
  return colon == std::string::npos ? "Edit the kernel at the left." : capitalized(goal.substr(colon + 2));
}

std::vector<LabStep> steps_to_a_result(const lab::LabSetup& setup, const std::string& goal, std::int64_t visits) {
  const bool scores = setup.judging == lab::LabJudging::Scores,
             elements = scores || setup.judging == lab::LabJudging::Weights;
  const char* const wrong = elements                           ? "The first wrong one appears here, with its terms."
                            : lab::is_by_visits(setup.judging) ? "The first wrong visit appears here, row by row."
                                                               : "The first wrong result is named here.";
  return {{"Change", what_to_change(goal)},
          {"Run", fmt::format("{} threads a block compute {}×{} scores.", format_count(setup.threads),
                              setup.problem.shape.n_q, setup.problem.shape.n_kv)},
          {"See", what_is_checked(setup, visits) + " " + wrong}};
}

// What the first visit should make of its scores: the weights of the first tile.
void add_first_weights(LabMatrixModel& m) {
  const std::int64_t rows = std::min(m.br, m.rows), cols = std::min(m.bc, m.cols);
  for (std::int64_t row = 0; row < rows; ++row) {
    const double* const scores = &m.scores[std::size_t(row * m.cols)];
    const double most = *std::max_element(scores, scores + cols);
    for (std::int64_t col = 0; col < cols; ++col)
      m.weights.push_back(std::isfinite(scores[col]) ? std::exp(scores[col] - most) : scores[col]);
  }
  m.weights_title = "First visit: P of Q0 × K0";
  m.weights_formula = "P = e^(S − largest S so far)";
}

}  // namespace

void build_lab_before(const LabController& lab, LabPage& page) {
  const lab::LabSetup& setup = lab.task()->setup;
  const Shape& s = setup.problem.shape;
  const std::shared_ptr<const Schedule> example = worked_example(setup);
  const bool own = page.matrix.own;
  const std::int64_t visits = example ? example->visit_counts().visited() : 0;
  add_right_scores(setup, page.matrix);
  page.matrix.before = !page.matrix.scores.empty();
  if (page.matrix.before && lab::is_by_visits(setup.judging)) add_first_weights(page.matrix);
  if (example && !own) page.transport.visits = visits_to_come(*example);
  if (!own && visits > 0) page.transport.place = counted(visits, "tile visit") + " to come";
  page.verdict.figure = what_to_get(setup, visits);
  page.verdict.words =
      fmt::format("Press Run (Ctrl+Enter): your kernel runs on these {}×{} scores, {} threads a block. {}", s.n_q,
                  s.n_kv, format_count(setup.threads), what_is_checked(setup, visits));
  page.numbers.steps = steps_to_a_result(setup, page.text.goal, visits);
  if (own)
    page.matrix.title.replace(0, page.matrix.title.find(" ·"),
                              setup.judging == lab::LabJudging::Weights ? "The right weights" : "The right scores");
  if (own) page.numbers.title = "From your text to a result", page.numbers.sentence.clear();
  if (lab::is_by_visits(setup.judging))
    for (std::int64_t row = 0; row < std::min(setup.problem.tiling.br, s.n_q); ++row)
      page.numbers.rows.push_back({.row = format_count(row),
                                   .cells = std::vector<std::string>(page.numbers.columns.size() - 1, "·"),
                                   .right = std::vector<std::string>(page.numbers.columns.size() - 1),
                                   .wrong = std::vector<bool>(page.numbers.columns.size() - 1)});
  if (!example || !has_ledger(setup)) return;
  const Cost cost = example->totals_before(example->step_count()).cost;
  page.bars = {traffic_bar(std::string(title_of(example->problem().schedule)) + ", to match", cost,
                           double(std::max<std::int64_t>(1, cost.hbm_total().bytes())))};
  for (const TrafficPart& part : page.bars.front().parts) page.legend.push_back(part.tensor);
}

}  // namespace tilewalk
