// What the numbers that are asked for really are, as the screen counts them (core/problem/format_value): right, and as
// each classic mistake would make them at the same place. A replay of its own each, made when it is first needed.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/replay/replay.h"
#include "session/hand/hand_asked.h"

namespace tilewalk {

// The number at a place of a state; nothing where the state does not hold it. Weights of a merge are not in a state.
std::optional<double> number_at(const Problem&, const State&, const HandPlace&);

class HandValues {
 public:
  HandValues(std::shared_ptr<const Schedule>, const Inputs&);

  const Schedule& schedule() const { return *schedule_; }
  const Problem& problem() const { return schedule_->problem(); }
  const Inputs& inputs() const { return replay_.inputs(); }
  const State& after(std::int64_t step) { return replay_.at(step + 1); }  // until it is asked again
  std::optional<double> right(const HandKey&);
  std::optional<double> under(Fault, const HandKey&);  // nothing where that mistake is none of this schedule
  // L of each split of a row, as the merge reads them, as the screen counts them; ∞ where a split saw nothing.
  std::vector<double> log_sums(const Step&, std::int64_t row);
  // Of the Q tile at hand, the row of which most is to be told: whose max grows at most visits, else the last.
  std::int64_t telling_row(const Step&);

 private:
  std::shared_ptr<const Schedule> schedule_;
  Replay replay_;
  std::map<Fault, std::unique_ptr<Replay>> mistaken_;
  std::map<std::array<std::int64_t, 3>, std::int64_t> telling_;  // by batch, head and Q tile
};

}  // namespace tilewalk
