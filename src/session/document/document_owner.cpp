#include "session/document/document_owner.h"

#include <algorithm>

#include "core/fields/validate.h"
#include "core/schedules/ledger.h"
#include "core/schedules/registry.h"
#include "core/walk/in_step.h"

namespace tilewalk {
namespace {

// After the first scores: before them there is no tile, no row and no number to see.
std::int64_t after_first_scores(const Problem& problem) {
  constexpr std::int64_t kMostSteps = 64;  // searched, of the first visit; without scores among them: its start
  if (!validate(problem).empty()) return 0;
  const auto schedule = make_schedule(problem);
  const std::int64_t first = last_cursor_within(*schedule, 0, Pace::Tile);  // before the first visit
  for (std::int64_t k = first; k < std::min(schedule->step_count(), first + kMostSteps); ++k)
    if (made_by(row_of(problem), schedule->step(k), Quantity::S)) return k + 1;
  return 0;
}

}  // namespace

Document walking(Document document, const Problem& problem) {
  document.problem = problem;
  document.title.clear(), document.about.clear();
  document.paths = {};
  document.edits.clear();
  document.cursor = after_first_scores(problem);
  document.view.page = Page::Walk;
  document.view.batch = document.view.head = 0;
  return document;
}

}  // namespace tilewalk
