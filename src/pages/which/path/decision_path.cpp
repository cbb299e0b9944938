#include "pages/which/path/decision_path.h"

#include <algorithm>
#include <numeric>

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

std::vector<StopPlace> place_stops(const std::vector<float>& widths, float room, float gap, float pitch) {
  const std::size_t n = widths.size();
  std::vector<StopPlace> out(n, StopPlace{0, 0});
  if (n == 0) return out;
  const float words = std::accumulate(widths.begin(), widths.end(), 0.0f),
              gaps = float(std::max<std::size_t>(1, n - 1));
  const float free = std::min((room - words) / gaps, std::max(gap, pitch - words / float(n)));
  float end = 0;
  if (free >= gap) {
    for (std::size_t i = 0; i < n; ++i) out[i].x = end + widths[i] / 2, end += widths[i] + free;
    return out;
  }
  const float first = widths.front() / 2, step = std::min(pitch, (room - first - widths.back() / 2) / gaps);
  for (std::size_t rows = 2; rows <= n; ++rows) {
    bool fits = true;
    for (std::size_t i = 0; i < n; ++i) {
      out[i] = {std::clamp(first + step * float(i), widths[i] / 2, std::max(widths[i] / 2, room - widths[i] / 2)),
                int(i % rows)};
      fits = fits && (i < rows || out[i].x - out[i - rows].x >= (widths[i] + widths[i - rows]) / 2 + gap);
    }
    if (fits) break;
  }
  return out;
}

std::string check_text(const WhichCheck& check) {
  return check.mark == WhichMark::Refused ? check.says + ": yours is " + check.value : check.says;
}

}  // namespace tilewalk
