#include "pages/which/brief_checks.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

bool is_routine(const std::string& check) {
  return check == "enabled" || check == "dense" || check == "on_gpu" || check == "four_dims" || check == "mask_shape";
}

// Of a refused card: what fails, one row for all that hold, one for all checks that were not reached.
std::vector<WhichCheck> failed_first(const std::vector<WhichCheck>& all, std::vector<WhichCheck> rows) {
  WhichCheck hold{WhichMark::Passed, "", "", ""};
  int count = 0;
  for (const WhichCheck& check : all) {
    if (check.mark != WhichMark::Passed) continue;
    hold.value += (count++ > 0 ? ", " : "") + check.says;
    if (hold.source.find(check.source) == std::string::npos)
      hold.source += (hold.source.empty() ? "" : ", ") + check.source;
  }
  std::erase_if(rows, [](const WhichCheck& row) { return row.mark == WhichMark::Passed; });
  if (count == 0) return rows;
  hold.says = count == 1 ? "1 condition before it holds" : fmt::format("{} conditions before it hold", count);
  const auto at =
      std::find_if(rows.begin(), rows.end(), [](const WhichCheck& row) { return row.mark == WhichMark::NotReached; });
  rows.insert(at, std::move(hold));
  return rows;
}

}  // namespace

std::vector<WhichCheck> brief_of(const BackendAnswer& answer, const std::vector<WhichCheck>& all) {
  std::vector<WhichCheck> out;
  std::size_t routine = all.size(), left = 0;
  std::string unreached;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const WhichCheck& check = all[i];
    if (check.mark == WhichMark::NotReached) {
      unreached += "\n" + check.says;
      ++left;
    } else if (check.mark == WhichMark::Passed && is_routine(answer.checks[i].rule->check)) {
      if (routine == all.size()) {
        routine = out.size();
        out.push_back(check);
        continue;
      }
      WhichCheck& row = out[routine];
      row.says += ", " + check.says;
      row.value += ", " + check.value;
      if (row.source.find(check.source) == std::string::npos) row.source += ", " + check.source;
    } else {
      out.push_back(check);
    }
  }
  if (left > 0)
    out.push_back({WhichMark::NotReached, fmt::format("{} more check{}, not reached", left, left == 1 ? "" : "s"),
                   unreached.substr(1), ""});
  if (answer.failed()) return failed_first(all, std::move(out));
  return out;
}

std::vector<WhichCheck> checks_of(const BackendAnswer& answer) {
  std::vector<WhichCheck> out;
  for (const RuleAnswer& check : answer.checks)
    out.push_back({!check.ok   ? WhichMark::NotReached
                   : *check.ok ? WhichMark::Passed
                               : WhichMark::Refused,
                   check.rule->says, check.value, check.rule->source});
  return out;
}

}  // namespace tilewalk
