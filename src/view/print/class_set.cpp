#include "view/print/class_set.h"

#include <fmt/format.h>

#include <limits>

#include "view/print/worksheet.h"

namespace tilewalk {
namespace {

Issues why_not(const Opening& opening, const ClassSetRequest& request) {
  const Problem& p = opening.document.problem;
  Issues issues = why_no_worksheet(p);
  if (request.count < 1 || request.count > kMostSheets)
    issues.push_back({"count", std::to_string(request.count), fmt::format("must be from 1 to {} sheets", kMostSheets),
                      "Print a second set with a later --seed"});
  const FileInputs& files = opening.read.tensors;
  if (request.count > 1 && files.q && files.k && files.v)
    issues.push_back({"count", std::to_string(request.count),
                      "would print the same sheet again: Q, K and V come from files", "Leave --count out"});
  if (request.count > 1 && p.numerics.seed > std::numeric_limits<std::uint64_t>::max() - std::uint64_t(kMostSheets))
    issues.push_back({"seed", std::to_string(p.numerics.seed), "leaves no seeds to follow it", "Try a smaller one"});
  if (request.q_tile >= p.q_tiles())
    issues.push_back(
        {"q-tile", std::to_string(request.q_tile), fmt::format("must be from 0 to {}", p.q_tiles() - 1), ""});
  return issues;
}

}  // namespace

Result<std::vector<PrintDocument>> build_class_set(const Opening& opening, const ClassSetRequest& request,
                                                   const std::function<bool(double)>& go_on) {
  if (Issues issues = why_not(opening, request); !issues.empty()) return issues;
  const std::int64_t q_tile = request.q_tile >= 0 ? request.q_tile : busiest_q_tile(*opening.schedule);
  std::vector<PrintDocument> sheets, keys;
  for (std::int64_t i = 0; i < request.count; ++i) {
    if (go_on && !go_on(double(i) / double(request.count))) break;
    Opening each = opening;
    each.document.problem.numerics.seed += std::uint64_t(i);
    const std::shared_ptr<const Schedule> schedule = make_schedule(each.document.problem);
    Worksheet made = build_worksheet(schedule, each.inputs(), q_tile);
    sheets.push_back(std::move(made.sheet));
    if (request.key) keys.push_back(std::move(made.key));
  }
  for (PrintDocument& key : keys) sheets.push_back(std::move(key));
  return sheets;
}

}  // namespace tilewalk
