#include "session/document/problem_draft.h"

#include "core/fields/validate.h"
#include "core/schedules/registry.h"

namespace tilewalk {

Draft draft_of(const Problem& p) {
  Draft draft;
  for (const Field& field : fields()) draft[field.name] = field.text(p);
  return draft;
}

Result<Problem> problem_of(const Draft& draft) {
  Problem p;
  Issues issues;
  for (const Field* field : editor_fields()) {
    const auto typed = draft.find(field->name);
    const Result<Done> read = field->set(p, typed == draft.end() ? "" : typed->second);
    if (!read) append(issues, read.issues());
  }
  const bool all_read = issues.empty();
  for (Issue& issue : validate(p)) {  // where another field cannot be parsed, only ranges of single fields are certain
    const Field* const field = find_field(issue.field);
    if (all_read || (field && !field->in_range(p))) issues.push_back(std::move(issue));
  }
  if (!issues.empty()) return issues;
  return p;
}

bool concerns(const Issue& issue, const std::string& field) {
  if (issue.field.starts_with("window")) return field == "mask";
  for (std::size_t begin = 0; begin <= issue.field.size();) {
    const std::size_t end = std::min(issue.field.find(" x ", begin), issue.field.size());
    if (issue.field.substr(begin, end - begin) == field) return true;
    begin = end + 3;
  }
  return false;
}

}  // namespace tilewalk
