#include "view/walk/lanes_axis.h"

#include <algorithm>

namespace tilewalk {
namespace {

constexpr double kSparse = 0.25;    // folds are for work that takes less of the time than this
constexpr double kLongWait = 0.05;  // of the time: shorter waits are drawn as they are
constexpr double kMostFolds = 0.5;  // of the axis

double kept_cycles(const Timeline& t, const std::vector<FoldedWait>& waits) {
  double cycles = t.simulated_cycles;
  for (const FoldedWait& wait : waits) cycles -= wait.end - wait.start;
  return cycles;
}

}  // namespace

std::vector<FoldedWait> folded_waits(const Timeline& t) {
  std::vector<FoldedWait> work;  // stretches of work
  for (const Segment& s : t.segments)
    if (s.doing != Doing::Waiting && s.end > s.start) work.push_back({s.start, s.end});
  std::sort(work.begin(), work.end(), [](const FoldedWait& a, const FoldedWait& b) { return a.start < b.start; });
  std::vector<FoldedWait> waits;
  double reached = 0, waited = 0;
  for (const FoldedWait& each : work) {
    if (each.start - reached > kLongWait * t.simulated_cycles) waits.push_back({reached, each.start});
    reached = std::max(reached, each.end);
  }
  for (const FoldedWait& wait : waits) waited += wait.end - wait.start;
  if (waited < (1 - kSparse) * t.simulated_cycles) waits.clear();
  return waits;
}

double LanesAxis::at(double cycles) const {
  double drawn = cycles;
  for (const FoldedWait& wait : waits_) {
    if (cycles <= wait.start) break;
    const double length = wait.end - wait.start;
    drawn += (std::min(cycles, wait.end) - wait.start) * (fold_ / length - 1);
  }
  return drawn;
}

SharedAxes shared_axes(const std::vector<const Timeline*>& timelines, bool folds, double px, double fold_px) {
  SharedAxes out;
  std::vector<std::vector<FoldedWait>> waits;
  double kept = 1;
  std::size_t most = 0;
  for (const Timeline* t : timelines) {
    waits.push_back(folds ? folded_waits(*t) : std::vector<FoldedWait>{});
    kept = std::max(kept, kept_cycles(*t, waits.back()));
    most = std::max(most, waits.back().size());
  }
  // All folds of the widest take `share` of the axis, its other cycles the rest.
  const double share = std::min(kMostFolds, double(most) * fold_px / std::max(1.0, px));
  const double fold = most > 0 ? kept * share / (1 - share) / double(most) : 0;
  for (std::size_t i = 0; i < timelines.size(); ++i) {
    out.axes.emplace_back(std::move(waits[i]), fold);
    out.cycles_wide = std::max(out.cycles_wide, out.axes.back().at(timelines[i]->simulated_cycles));
  }
  return out;
}

}  // namespace tilewalk
