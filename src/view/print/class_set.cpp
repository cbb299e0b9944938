#include "view/print/class_set.h"

#include <fmt/format.h>

#include <limits>

#include "view/print/worksheet.h"

namespace tilewalk {
namespace {

Issues why_not(const Opening& opening, const ClassSetWish& wish) {
  const Problem& p = opening.document.problem;
  Issues issues = why_no_worksheet(p);
  if (wish.count < 1 || wish.count > kMostSheets)
    issues.push_back({"count", std::to_string(wish.count), fmt::format("must be from 1 to {} sheets", kMostSheets),
                      "Print a second set with a later --seed"});
  const FileInputs& files = opening.read.tensors;
  if (wish.count > 1 && files.q && files.k && files.v)
    issues.push_back({"count", std::to_string(wish.count),
                      "would print the same sheet again: Q, K and V come from files", "Leave --count out"});
  if (wish.count > 1 && p.numerics.seed > std::numeric_limits<std::uint64_t>::max() - std::uint64_t(kMostSheets))
    issues.push_back({"seed", std::to_string(p.numerics.seed), "leaves no seeds to follow it", "Try a smaller one"});
  if (wish.q_tile >= p.q_tiles())
    issues.push_back({"q-tile", std::to_string(wish.q_tile), fmt::format("must be from 0 to {}", p.q_tiles() - 1), ""});
  return issues;
}

}  // namespace

Result<std::vector<PrintDocument>> build_class_set(const Opening& opening, const ClassSetWish& wish,
                                                   const std::function<bool(double)>& go_on) {
  if (Issues issues = why_not(opening, wish); !issues.empty()) return issues;
  const std::int64_t q_tile = wish.q_tile >= 0 ? wish.q_tile : busiest_q_tile(*opening.schedule);
  std::vector<PrintDocument> sheets, keys;
  for (std::int64_t i = 0; i < wish.count; ++i) {
    if (go_on && !go_on(double(i) / double(wish.count))) break;
    Opening each = opening;
    each.document.problem.numerics.seed += std::uint64_t(i);
    const std::shared_ptr<const Schedule> schedule = make_schedule(each.document.problem);
    Worksheet made = build_worksheet(schedule, each.inputs(), q_tile);
    sheets.push_back(std::move(made.sheet));
    if (wish.key) keys.push_back(std::move(made.key));
  }
  for (PrintDocument& key : keys) sheets.push_back(std::move(key));
  return sheets;
}

}  // namespace tilewalk
