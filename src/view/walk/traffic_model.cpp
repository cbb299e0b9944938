#include "view/walk/traffic_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "core/schedules/registry.h"
#include "core/witness/formulas.h"
#include "session/document/compared_problems.h"
#include "view/words/predict_words.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

// The same problem under another schedule: a call's as on the page of comparison; a small one's with its own tiles.
Problem under(const Problem& problem, ScheduleKind kind) {
  if (kind == problem.schedule) return problem;
  if (std::optional<Problem> own = under_own_tiles(problem, kind)) return *std::move(own);
  Problem other = problem;
  other.schedule = kind;
  other.numerics.narrow_scores = problem.numerics.narrow_scores && may_have_narrow_scores(other);
  other.fault = Fault::None;
  return other;
}

}  // namespace

std::string bytes_against(double naive, double other) {
  const double ratio = std::max(naive, other) / std::min(naive, other);
  const char* which = other <= naive ? "less" : "more";
  if (naive == other) return "as much";
  if (ratio >= 1.05) return fmt::format("{} {}", times_text_of(ratio), which);
  const double percent = 100 * std::fabs(1 - other / naive);
  return percent < 0.1 ? fmt::format("<0.1 % {}", which) : fmt::format("{:.1f} % {}", percent, which);
}

std::string text_of(const TrafficPart& part) {
  return tensor_title(part.tensor) + ": reads " + format_bytes(part.read_bytes) + ", writes " +
         format_bytes(part.write_bytes);
}

std::string basis_of_naive(const Problem& p) {
  const std::string_view type = name_of(p.numerics.dtype);
  if (p.numerics.narrow_scores) return fmt::format("tiles {}×{}, S and P in {}", p.tiling.br, p.tiling.bc, type);
  return fmt::format("tiles {}×{}, S{} in fp32{}", p.tiling.br, p.tiling.bc, type == "fp32" ? " and P" : "",
                     type == "fp32" ? "" : fmt::format(", P in {}", type));
}

std::string basis_of(const Problem& p) {
  if (row_of(p).memory.scores_in_hbm) return basis_of_naive(p);
  return fmt::format("tiles {}×{}", p.tiling.br, p.tiling.bc);
}

TrafficBar traffic_bar(std::string label, const Cost& cost, double longest) {
  TrafficBar bar;
  bar.label = std::move(label);
  bar.bytes = cost.hbm_total().bytes();
  bar.text = format_bytes(bar.bytes);
  for (int i = 0; i < kTensorCount; ++i) {
    const Traffic& t = cost.hbm[std::size_t(i)];
    if (t.bytes() == 0) continue;
    bar.parts.push_back({TensorId(i), t.read_bytes, t.write_bytes, longest > 0 ? double(t.bytes()) / longest : 0});
  }
  return bar;
}

WholeRuns whole_runs(const Schedule& schedule) {
  WholeRuns runs;
  const Problem& p = schedule.problem();
  runs.own = schedule.totals_before(schedule.step_count()).cost;
  const ScheduleFamily& family = row_of(p).family;
  const Problem naive = under(p, family.naive);
  runs.naive_basis = basis_of_naive(naive);
  runs.naive_rows = naive.tiling.br;
  if (!naive.numerics.narrow_scores) runs.naive_note = "Naive attention that races keeps S in 16 bits.";
  runs.naive = p.schedule == family.naive ? runs.own : whole_run_cost(naive);
  runs.other_kind = family.tiled;
  const Problem other = under(p, runs.other_kind);
  runs.other_basis = basis_of(other);
  runs.other = p.schedule == runs.other_kind ? runs.own : whole_run_cost(other);
  runs.visits = schedule.visit_counts();
  return runs;
}

TrafficModel build_traffic_model(const Schedule& schedule, const WholeRuns& runs, std::int64_t cursor) {
  const Problem& p = schedule.problem();
  TrafficModel model;
  const Cost so_far = schedule.totals_before(cursor).cost;
  const double longest =
      double(std::max({runs.naive.hbm_total().bytes(), runs.other.hbm_total().bytes(), runs.own.hbm_total().bytes()}));
  model.bars.push_back(
      traffic_bar(fmt::format("{}, whole run", title_of(row_of(p).family.naive)), runs.naive, longest));
  model.bars.back().basis = runs.naive_basis;
  model.bars.back().note = runs.naive_note;
  TrafficBar other = traffic_bar(fmt::format("{}, whole run", title_of(runs.other_kind)), runs.other, longest);
  const double naive_bytes = double(runs.naive.hbm_total().bytes()), other_bytes = double(other.bytes);
  other.basis = runs.other_basis;
  if (naive_bytes > 0 && other_bytes > 0) other.text += " · " + bytes_against(naive_bytes, other_bytes);
  model.bars.push_back(std::move(other));
  model.bars.push_back(traffic_bar(fmt::format("{}, so far", title_of(p.schedule)), so_far, longest));

  for (int i = 0; i < kTensorCount; ++i)
    if (std::any_of(model.bars.begin(), model.bars.end(), [i](const TrafficBar& bar) {
          return std::any_of(bar.parts.begin(), bar.parts.end(),
                             [i](const TrafficPart& part) { return part.tensor == TensorId(i); });
        }))
      model.legend.push_back(TensorId(i));

  model.visits = fmt::format("{}: {} full, {} partial; {} skipped", counted(runs.visits.visited(), "tile visit"),
                             format_count(runs.visits.full), format_count(runs.visits.partial),
                             counted(runs.visits.skipped, "tile"));
  model.flops = fmt::format("{} matmul, {}, {} other operations", format_flops(so_far.matmul),
                            counted(so_far.exp, "exponential"), format_count(so_far.other));
  const Textbook book = textbook(p);
  model.textbook = fmt::format("The paper's ledger: {} elements; {} for the visible pairs",
                               format_count(book.hbm_elements), format_flops(book.flops));
  for (int i = 0; i < kTensorCount; ++i) {
    const Traffic &now = so_far.hbm[std::size_t(i)], &all = runs.own.hbm[std::size_t(i)];
    if (all.bytes() == 0) continue;
    model.lines.push_back({tensor_title(TensorId(i)), format_count(now.read_bytes), format_count(now.write_bytes),
                           format_count(all.read_bytes), format_count(all.write_bytes)});
  }
  const Traffic now = so_far.hbm_total(), all = runs.own.hbm_total();
  model.lines.push_back({"all", format_count(now.read_bytes), format_count(now.write_bytes),
                         format_count(all.read_bytes), format_count(all.write_bytes)});
  return model;
}

}  // namespace tilewalk
