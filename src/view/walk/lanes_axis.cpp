#include "view/walk/lanes_axis.h"

#include <algorithm>

namespace tilewalk {
namespace {

constexpr double kSparse = 0.25;    // folds are for work that takes less of the time than this
constexpr double kLongWait = 0.05;  // of the time: shorter waits are drawn as they are
constexpr double kWork = 0.62;      // of its side's length, on the side with the larger share of work

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
    drawn += (std::min(cycles, wait.end) - wait.start) * (factor_ - 1);
  }
  return drawn;
}

SharedAxes shared_axes(const std::vector<const Timeline*>& timelines, bool folds) {
  std::vector<std::vector<FoldedWait>> waits;
  double drawn = 0;  // drawn cycles for one real cycle, over a whole side: the same on all sides
  for (const Timeline* t : timelines) {
    waits.push_back(folded_waits(*t));
    folds = folds && !waits.back().empty();
    drawn = std::max(drawn, kept_cycles(*t, waits.back()) / kWork / std::max(1.0, t->simulated_cycles));
  }
  SharedAxes out;
  for (std::size_t i = 0; i < timelines.size(); ++i) {
    const double all = timelines[i]->simulated_cycles, kept = kept_cycles(*timelines[i], waits[i]);
    if (folds)
      out.axes.emplace_back(std::move(waits[i]), (drawn * all - kept) / (all - kept));
    else
      out.axes.emplace_back();
    out.cycles_wide = std::max(out.cycles_wide, out.axes.back().at(all));
  }
  return out;
}

}  // namespace tilewalk
