// The correct values of fields, as the screen rounds them (core/problem/format_value), and their values under each
// classic mistake. Each mistake has its own replay, made at first use.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/replay/replay.h"
#include "session/hand/hand_asked.h"

namespace tilewalk {

// The number at a place of a state; empty where the state has none. A state does not contain the weights of a merge.
std::optional<double> number_at(const Problem&, const State&, const HandPlace&);

class HandValues {
 public:
  HandValues(std::shared_ptr<const Schedule>, const Inputs&);

  const Schedule& schedule() const { return *schedule_; }
  const Problem& problem() const { return schedule_->problem(); }
  const Inputs& inputs() const { return replay_.inputs(); }
  const State& after(std::int64_t step) { return replay_.at(step + 1); }  // valid until the next call
  std::optional<double> right(const HandKey&);
  std::optional<double> under(Fault, const HandKey&);  // empty where the schedule does not allow that mistake
  // L of each split of a row, as the merge reads it and the screen rounds it; ∞ where a split saw no key.
  std::vector<double> log_sums(const Step&, std::int64_t row);
  // The row of the current Q tile for HandRows::One: the row whose max grows at most visits, else the last.
  std::int64_t most_changing_row(const Step&);

 private:
  std::shared_ptr<const Schedule> schedule_;
  Replay replay_;
  std::map<Fault, std::unique_ptr<Replay>> mistaken_;
  std::map<std::array<std::int64_t, 3>, std::int64_t> telling_;  // by batch, head and Q tile
};

}  // namespace tilewalk
