#include "view/walk/moved_in_all.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "base/words.h"
#include "core/schedules/registry.h"
#include "view/words/units.h"

namespace tilewalk {

MovedInAll moved_in_all(const Problem& p, const WholeRuns& runs) {
  MovedInAll all;
  const ScheduleKind naive = row_of(p).family.naive, other = p.schedule == naive ? runs.other_kind : naive;
  const Cost& other_cost = p.schedule == naive ? runs.other : runs.naive;
  const std::int64_t own_bytes = runs.own.hbm_total().bytes(), other_bytes = other_cost.hbm_total().bytes();
  const std::string own_text = format_bytes(own_bytes), other_text = format_bytes(other_bytes);
  all.moved = own_text + " moved";
  const double longest = double(std::max(own_bytes, other_bytes));
  all.bars.push_back(traffic_bar(title_of(p.schedule), runs.own, longest));
  if (other_bytes <= 0 || own_bytes <= 0) return all;
  all.bars.push_back(traffic_bar(title_of(other), other_cost, longest));
  all.fewer = own_bytes < other_bytes;
  const std::string ratio = bytes_against(double(other_bytes), double(own_bytes));
  all.against = all.fewer ? "not " + other_text : fmt::format("{}: {}", title_of(other), other_text);
  const std::size_t space = ratio.rfind(' ');
  all.ratio_word = own_bytes == other_bytes ? ratio : ratio.substr(space + 1);
  if (own_bytes != other_bytes) all.ratio = ratio.substr(0, space);
  return all;
}

std::vector<TensorId> score_matrices(ScheduleKind naive) {
  std::vector<TensorId> out;
  for (const HbmTensor& tensor : schedule_row(naive).memory.tensors)
    if (tensor.width == Width::Scores || tensor.width == Width::Weights) out.push_back(tensor.id);
  return out;
}

std::string cost_of_scores(const Problem& p, const WholeRuns& runs) {
  const ScheduleRow& row = row_of(p);
  const std::vector<TensorId> matrices = score_matrices(row.family.naive);
  std::int64_t moved = 0;
  for (const TensorId id : matrices) moved += runs.naive.of(id).bytes();
  const std::string all = format_bytes(runs.naive.hbm_total().bytes()), part = format_bytes(moved);
  if (row.memory.scores_in_hbm)
    return fmt::format("They were written whole and read back: {} of the {}. {} never writes them.",
                       without_unit_of(part, all), all, title_of(runs.other_kind));
  if (moved == 0) return {};
  return fmt::format("Naive attention writes {} to HBM and reads them back: {} of its {}.", names_of(matrices),
                     without_unit_of(part, all), all);
}

SharesOfLess shares_of_less(const Problem& p, const WholeRuns& runs) {
  const ScheduleFamily& family = row_of(p).family;
  const std::int64_t naive = runs.naive.hbm_total().bytes(), own = runs.own.hbm_total().bytes();
  if (p.schedule == family.naive || naive <= own) return {};
  Problem unmasked = p;
  unmasked.shape.mask = {};
  const WholeRuns of_all = runs.visits.skipped > 0 ? whole_runs(*make_schedule(unmasked)) : runs;
  if (of_all.naive.hbm_total().bytes() != naive) return {};
  const std::vector<TensorId> matrices = score_matrices(family.naive);
  std::vector<TensorId> instead;  // stored by this schedule alone: L
  std::int64_t of_scores = 0, of_loads = 0;
  for (int i = 0; i < kTensorCount; ++i) {
    const TensorId id = TensorId(i);
    const std::int64_t by_naive = runs.naive.of(id).bytes(), by_this = of_all.own.of(id).bytes();
    const bool of_this_alone = by_naive == 0 && by_this > 0;
    if (of_this_alone) instead.push_back(id);
    const bool is_score = std::find(matrices.begin(), matrices.end(), id) != matrices.end();
    (is_score || of_this_alone ? of_scores : of_loads) += by_naive - by_this;
  }
  const std::int64_t skipped = of_all.own.hbm_total().bytes() - own;
  if (of_scores <= 0 || of_loads < 0 || skipped < 0 || (of_loads == 0 && skipped == 0)) return {};
  const std::string less = format_bytes(naive - own);
  double unit = 1;  // the parts have the unit of the sum
  while (double(naive - own) / unit >= 1024) unit *= 1024;
  const auto part = [&](std::int64_t bytes) { return format_digits(double(bytes) / unit, 3); };
  std::vector<std::string> parts;
  parts.push_back(fmt::format("{} because {}", part(of_scores),
                              instead.empty() ? names_of(matrices) + " are never stored"
                                              : names_of(instead) + (instead.size() == 1 ? " is" : " are") +
                                                    " stored instead of " + names_of(matrices)));
  const std::int64_t rows = std::min(runs.naive_rows, p.shape.n_q);
  const bool taller = p.tiling.br > rows && of_all.own.of(TensorId::K).bytes() < runs.naive.of(TensorId::K).bytes();
  const std::string why_loads =
      taller ? fmt::format("Q tiles of {} rows, not {}, load K and V less often", p.tiling.br, rows)
             : "each of the other tensors crosses less often";
  if (of_loads > 0) parts.push_back(fmt::format("{} because {}", part(of_loads), why_loads));
  if (skipped > 0)
    parts.push_back(fmt::format("{} because {} are skipped: naive computes all of S", part(skipped),
                                counted(runs.visits.skipped, "masked tile")));
  SharesOfLess out{fmt::format("Of the {} less, ", less), {}};
  for (std::size_t i = 0; i < parts.size(); ++i)
    out.text += (i == 0 ? "" : i + 1 == parts.size() ? ", and " : ", ") + parts[i];
  out.text += ".";
  if (skipped > 0)
    out.brief = fmt::format("Of the {} saved, {} comes from {} that the mask skips.", less, part(skipped),
                            counted(runs.visits.skipped, "tile"));
  return out;
}

std::string scores_of_long_context(const Problem& p) {
  constexpr std::int64_t kLength = 131072, kBytes = 4;  // S is fp32 in any dtype
  if (std::min(p.shape.n_q, p.shape.n_kv) >= kLength) return {};
  return fmt::format("At N {} in fp32, S alone would be {}.", format_count(kLength),
                     format_bytes(kBytes * kLength * kLength));
}

std::string fate_of_scores(const Problem& p) {
  const ScheduleRow& row = row_of(p);
  const std::string names = names_of(score_matrices(row.family.naive)),
                    whole = fmt::format("{}×{}", format_count(p.shape.n_q), format_count(p.shape.n_kv));
  if (row.memory.scores_in_hbm) return fmt::format("{}, {} each, went to HBM", names, whole);
  return makes(row, Quantity::DQ) ? fmt::format("{}, {} each, never existed", names, whole)
                                  : fmt::format("S, the {} matrix, never existed", whole);
}

}  // namespace tilewalk
