#include "pages/which/path/decision_path.h"

#include <algorithm>

#include "dispatch/rule_checks.h"

namespace tilewalk {
namespace {

WhichMark mark_of(const std::optional<bool>& ok) {
  return !ok ? WhichMark::NotReached : *ok ? WhichMark::Passed : WhichMark::Refused;
}

std::string tip_of(const WhichCheck& check) {
  if (check.mark == WhichMark::NotReached) return check.says + ": not asked, because an earlier condition refused";
  return check.says + ": here " + check.value + (check.source.empty() ? "" : " (" + check.source + ")");
}

}  // namespace

std::vector<WhichCheck> checks_of(const BackendAnswer& answer) {
  std::vector<WhichCheck> out;
  for (const RuleAnswer& check : answer.checks) {
    const RuleCheck* const row = check_named(check.rule->check);
    out.push_back({mark_of(check.ok), check.rule->says, check.value, check.rule->source,
                   row ? row->topic : std::string(), refusal_words(*check.rule)});
  }
  return out;
}

std::vector<PathStop> stops_of(const std::vector<WhichCheck>& checks) {
  std::vector<PathStop> out;
  for (const WhichCheck& check : checks) {
    const auto own = std::find_if(out.begin(), out.end(), [&](const PathStop& stop) {
      return !check.topic.empty() && stop.topic == check.topic;
    });
    if (own == out.end()) {
      out.push_back({check.topic, check.mark, tip_of(check)});
      continue;
    }
    own->tip += "\n" + tip_of(check);
    if (check.mark != WhichMark::Refused) continue;
    own->mark = check.mark;
    std::rotate(own, own + 1, out.end());  // the path ends at it
  }
  return out;
}

std::string check_text(const WhichCheck& check) {
  return check.mark == WhichMark::Refused ? check.says + ": yours is " + check.value : check.says;
}

}  // namespace tilewalk
