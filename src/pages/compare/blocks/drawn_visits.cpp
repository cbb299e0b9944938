#include "pages/compare/blocks/drawn_visits.h"

#include <algorithm>
#include <cmath>

#include "view/walk/lanes_axis.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kDrawn = 8;  // visits, of which others begin or end beside them
constexpr double kFewest = 2;       // of them in a narrow area
constexpr double kWord = 46;        // width of "QKᵀ 3" in its box, before scaling

std::int64_t most_simulated(const Timeline& t) { return std::min(t.visits, TimelineOptions().most_visits); }

// The cycle at which the work of the steps before the cursor ends.
double reached_cycle(const Timeline& t, std::int64_t cursor) {
  double out = 0;
  for (const Segment& s : t.segments)
    if (s.first_step < s.end_step && s.first_step < cursor) out = std::max(out, s.end);
  return out;
}

bool covers(const Timeline& t, std::int64_t cursor) {
  const bool later = std::any_of(t.segments.begin(), t.segments.end(),
                                 [&](const Segment& s) { return s.first_step < s.end_step && s.end_step >= cursor; });
  return later && reached_cycle(t, cursor) <= complete_until(t) + kSameCycle;
}

// One visit more than is drawn: thread blocks work faster in the middle than at their ends.
double first_cycle(const Timeline& t) {
  if (t.simulated_visits <= kDrawn || t.visits <= 0) return 0;
  return std::max(0.0, complete_until(t) - t.cycles * double(kDrawn + 1) / double(t.visits));
}

// So many visits that the shortest product has space for its word.
double visits_with_words(const Timeline& t, double width) {
  double shortest = 0;
  for (const Segment& s : t.segments)
    if ((s.doing == Doing::Scores || s.doing == Doing::Accumulate) && s.end > s.start)
      shortest = shortest > 0 ? std::min(shortest, s.end - s.start) : s.end - s.start;
  const double a_visit = t.visits > 0 ? t.cycles / double(t.visits) : 0;
  return a_visit > 0 ? std::clamp(width * shortest / (kWord * a_visit), kFewest, double(kDrawn)) : double(kDrawn);
}

}  // namespace

Timeline timeline_drawing(const Schedule& schedule, const ThreadBlock& block, std::int64_t cursor) {
  Timeline out = timeline_of(schedule, block, kDrawn);
  if (out.lanes.empty() || covers(out, cursor)) return out;
  const double cycles = out.cycles;
  std::int64_t visits = kDrawn;
  while (visits < most_simulated(out) && !covers(out, cursor)) out = timeline_of(schedule, block, visits *= 2);
  if (out.visits > 0 && covers(out, cursor)) {  // the fewest that cover it, in whole pages of visits
    const double pages = reached_cycle(out, cursor) / (out.cycles / double(out.visits) * double(kDrawn));
    for (visits = std::max<std::int64_t>(1, std::int64_t(pages)) * kDrawn;; visits += kDrawn) {
      out = timeline_of(schedule, block, visits);
      if (covers(out, cursor) || visits >= most_simulated(out)) break;
    }
  }
  out.cycles = cycles;
  return out;
}

bool draws_cursor(const Timeline& t, std::int64_t cursor) {
  if (t.lanes.empty()) return true;
  if (!covers(t, cursor)) return t.simulated_visits >= most_simulated(t);
  return first_cycle(t) <= 0 || reached_cycle(t, cursor) > first_cycle(t);
}

bool place_on_axis(const Timeline& t, const std::vector<const Timeline*>& on_axis, std::int64_t cursor, double width,
                   double& begin, double& end) {
  const LanesAxis axis(on_axis, true);
  double from = axis.at(first_cycle(t)) / axis.wide();
  if (from >= 1) return false;
  double wide = 1 - from;
  if (const double visits = visits_with_words(t, width); visits < double(kDrawn) && t.visits > std::int64_t(visits)) {
    const double fewer = visits * t.cycles / double(t.visits) / axis.wide();
    const double at = axis.at(reached_cycle(t, cursor)) / axis.wide();
    if (fewer < wide) {
      from = std::min(1 - fewer, from + std::max(0.0, std::floor((at - from) / fewer)) * fewer);
      wide = fewer;
    }
  }
  begin = from + begin * wide;
  end = from + end * wide;
  return from + wide < 1 - kSameCycle;
}

}  // namespace tilewalk
