#include "session/controllers/undo_controller.h"

#include "core/schedules/registry.h"

namespace tilewalk {

bool same_subject(const Document& a, const Document& b) {
  return a.problem == b.problem && a.paths == b.paths && a.edits == b.edits && a.pinned == b.pinned;
}

std::string undone_words(const Document& from, const Document& to) {
  if (from.problem.schedule != to.problem.schedule)
    return std::string("the schedule is ") + title_of(to.problem.schedule);
  if (from.problem.fault != to.problem.fault)
    return to.problem.fault == Fault::None ? "there is no mistake in it"
                                           : std::string("its mistake is ") + name_of(to.problem.fault);
  if (from.problem != to.problem) return "the problem is as it was";
  if (from.edits != to.edits || from.paths != to.paths) return "the values are as they were";
  return "what is pinned is as it was";
}

void UndoController::changed(Standing before) {
  if (past_.size() == kMost) past_.erase(past_.begin());
  past_.push_back(std::move(before));
  future_.clear();
}

std::optional<Standing> UndoController::move(std::vector<Standing>& from, std::vector<Standing>& to, Standing now) {
  if (from.empty()) return std::nullopt;
  Standing next = std::move(from.back());
  from.pop_back();
  to.push_back(std::move(now));
  return next;
}

}  // namespace tilewalk
