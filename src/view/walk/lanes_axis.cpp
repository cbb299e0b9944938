#include "view/walk/lanes_axis.h"

#include <algorithm>
#include <limits>

namespace tilewalk {
namespace {

constexpr double kSparse = 0.5;      // folds are for work that takes less of the time than this
constexpr double kLongWait = 0.015;  // of the time: shorter waits are drawn as they are
constexpr double kWork = 0.7;        // share of the axis that unfolded cycles get

bool is_load(Doing doing) {
  return doing == Doing::LoadQ || doing == Doing::LoadK || doing == Doing::LoadV || doing == Doing::LoadState;
}

// Stretches before `end` in which no lane works, each long enough to fold. Empty where lanes work most of the time.
std::vector<FoldedWait> common_waits(const std::vector<const Timeline*>& timelines, double end) {
  std::vector<FoldedWait> work;  // stretches of work
  for (const Timeline* t : timelines)
    for (const Segment& s : t->segments)
      if (s.doing != Doing::Waiting && s.end > s.start) work.push_back({s.start, s.end});
  std::sort(work.begin(), work.end(), [](const FoldedWait& a, const FoldedWait& b) { return a.start < b.start; });
  std::vector<FoldedWait> waits;
  double reached = 0, waited = 0;
  for (const FoldedWait& each : work) {
    const double until = std::min(each.start, end);
    if (until - reached > kLongWait * end) waits.push_back({reached, until});
    reached = std::max(reached, each.end);
  }
  for (const FoldedWait& wait : waits) waited += wait.end - wait.start;
  if (waited < (1 - kSparse) * end) waits.clear();
  return waits;
}

}  // namespace

double complete_until(const Timeline& t) {
  if (t.simulated_visits >= t.visits) return t.simulated_cycles;
  std::vector<double> loaded(t.lanes.size(), 0);
  for (const Segment& s : t.segments)
    if (is_load(s.doing)) loaded[std::size_t(s.lane)] = std::max(loaded[std::size_t(s.lane)], s.end);
  double first = t.simulated_cycles;
  for (const double each : loaded)
    if (each > 0) first = std::min(first, each);
  return first;
}

LanesAxis::LanesAxis(const std::vector<const Timeline*>& timelines, bool folds) {
  double complete = std::numeric_limits<double>::infinity();
  for (const Timeline* t : timelines) {
    end_ = std::max(end_, t->simulated_cycles);
    if (t->simulated_visits < t->visits) complete = std::min(complete, complete_until(*t));
  }
  end_ = std::max(1.0, std::min(end_, complete));
  if (folds) waits_ = common_waits(timelines, end_);
  double folded = 0;
  for (const FoldedWait& wait : waits_) folded += wait.end - wait.start;
  const double kept = end_ - folded;
  if (folded > 0) factor_ = std::min(1.0, kept * (1 / kWork - 1) / folded);
  wide_ = at(end_);
}

double LanesAxis::at(double cycles) const {
  double drawn = cycles;
  for (const FoldedWait& wait : waits_) {
    if (cycles <= wait.start) break;
    drawn += (std::min(cycles, wait.end) - wait.start) * (factor_ - 1);
  }
  return drawn;
}

double LanesAxis::cycles_at(double drawn) const {
  for (const FoldedWait& wait : waits_) {
    const double start = at(wait.start), end = at(wait.end);
    if (drawn <= start) break;
    if (drawn < end) return wait.start + (drawn - start) / (end - start) * (wait.end - wait.start);
  }
  double cycles = drawn;
  for (const FoldedWait& wait : waits_)
    if (drawn >= at(wait.end)) cycles += (wait.end - wait.start) * (1 - factor_);
  return cycles;
}

}  // namespace tilewalk
