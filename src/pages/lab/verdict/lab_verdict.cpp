// The verdict on the last run as one figure; what a kernel that is right was compared with, and the order in which its
// tiles turn green.
#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "base/words.h"
#include "core/fields/validate.h"
#include "core/predict/attention_method.h"
#include "core/predict/compare.h"
#include "core/schedules/registry.h"
#include "pages/lab/lab_model.h"
#include "view/walk/traffic_model.h"
#include "view/words/predict_words.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr const char* kWithinBound = " within their bound of float64";

// Names the strictest comparison that was made (law: nothing is green that was not checked).
std::string compared_words(const lab::LabRunResult& run) {
  const lab::LabReport& report = run.report;
  const Shape& s = run.setup.problem.shape;
  const auto visits = std::int64_t(run.visits.size());
  const std::string all = format_count(visits) + " of " + counted(visits, "visit");
  if (visits > 0 && run.setup.follows && report.first_other_bits && report.first_other_bits->empty())
    return all + ", bit for bit " + title_of(*run.setup.follows) + "'s";
  if (std::any_of(run.visits.begin(), run.visits.end(), [](const auto& each) { return !each.expected.empty(); }))
    return all + kWithinBound;
  switch (run.setup.judging) {
    case lab::LabJudging::Scores:
    case lab::LabJudging::Weights: {
      const char* const tensor = run.setup.judging == lab::LabJudging::Scores ? "S" : "P";
      return fmt::format("All {} elements of {}{}", format_count(s.batch * s.heads * s.n_q * s.n_kv), tensor,
                         kWithinBound);
    }
    case lab::LabJudging::Gradients: return std::string("dQ, dK and dV") + kWithinBound;
    case lab::LabJudging::Sums: return std::string("L") + kWithinBound;
    case lab::LabJudging::Visits:
    case lab::LabJudging::Results: break;
  }
  return std::string("O and L") + kWithinBound;
}

}  // namespace

LabSuccess build_lab_success(const LabController& lab, const LabMatrixModel& matrix) {
  LabSuccess out;
  const lab::LabRunResult* const run = lab.result();
  if (!run || !lab.is_current() || !run->report.passed) return out;
  out.words = compared_words(*run);
  out.t = lab.flood().t();
  out.held = lab.flood().is_held();
  if (!lab.at_end()) return out;  // the walk shows which tiles it has visited
  const std::int64_t across = (matrix.cols + matrix.bc - 1) / matrix.bc;
  for (const lab::CheckedVisit& each : run->visits) {
    const auto tile = std::size_t(each.visit.q_tile * across + each.visit.kv_tile);
    if (tile < matrix.tiles.size() && std::find(out.tiles.begin(), out.tiles.end(), tile) == out.tiles.end())
      out.tiles.push_back(tile);
  }
  if (!run->visits.empty()) return out;
  for (std::size_t tile = 0; tile < matrix.tiles.size(); ++tile)
    if (matrix.tiles[tile].state != LabTile::State::Skipped) out.tiles.push_back(tile);
  return out;
}

LabGain build_lab_gain(const LabController& lab) {
  const lab::LabRunResult* const run = lab.result();
  if (!run || !lab.is_current() || !run->report.passed || !has_ledger(run->setup)) return {};
  Problem p = run->setup.problem;
  p.schedule = *run->setup.ledger;
  Problem naive = under_schedule(p, *method_of(Contender::Naive).schedule);
  if (p.schedule == naive.schedule || !validate(p).empty() || !validate(naive).empty()) return {};
  const Cost own = whole_run_cost(p), other = whole_run_cost(naive);
  const double most = double(other.hbm_total().bytes()), ratio = most / double(own.hbm_total().bytes());
  if (ratio <= 1) return {};
  return {.figure = times_text_of(ratio),
          .words = "fewer bytes of HBM than naive attention asks for here",
          .bars = {traffic_bar("Naive", other, most), traffic_bar(title_of(p.schedule), own, most)}};
}

void forget_wrong(LabPage& page) {
  page.badge.kind = BadgeKind::NotChecked;
  page.badge.text = page.badge.brief = "holes empty", page.badge.word = "empty";
  page.badge.goes_to.reset();
  page.verdict.good.reset();
  page.verdict.figure = "Nothing is filled in yet";
  for (LabLineMark& each : page.text.marks) each.warning = true;
  for (LabVisitBox& each : page.transport.visits) each.mark = LabMark::Unjudged;
  for (LabTile& each : page.matrix.tiles)
    if (each.state == LabTile::State::Wrong) each.state = LabTile::State::Done;
  page.matrix.wrong_cell = -1, page.matrix.wrong_cells.clear();
  for (LabRowModel& row : page.numbers.rows) row.wrong.assign(row.wrong.size(), false);
  page.numbers.o_wrong.clear();
}

LabVerdict build_lab_verdict(const LabController& lab, const LabPage& page) {
  LabVerdict out{.good = std::nullopt, .figure = capitalized(page.badge.text), .words = page.transport.verdict};
  if (lab.is_running() || !lab.is_current()) return out;
  out.good = page.transport.good;
  if (!page.success.words.empty())
    out.words = page.success.words + ".";
  else if (!page.transport.wrong.empty())
    out.figure = page.transport.wrong;
  return out;
}

}  // namespace tilewalk
