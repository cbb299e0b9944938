#include "lab/run/run_walk.h"

#include <algorithm>

namespace tilewalk::lab {

RunWalk::RunWalk(Machine start) : kept_{start}, now_(std::move(start)) {}

void RunWalk::keep() {
  if (now_.steps() < kept_.back().steps() + spacing_) return;
  kept_.push_back(now_);
  const std::size_t most =
      std::clamp<std::size_t>(kMostCheckpointBytes / std::max<std::size_t>(now_.bytes(), 1), 2, kMostCheckpoints);
  if (kept_.size() <= most) return;
  std::vector<Machine> fewer;
  for (std::size_t at = 0; at < kept_.size(); at += 2) fewer.push_back(std::move(kept_[at]));
  kept_ = std::move(fewer);
  spacing_ *= 2;
}

void RunWalk::begin(std::int64_t step) {
  wanted_ = std::max<std::int64_t>(step, 0);
  const auto after = std::upper_bound(kept_.begin(), kept_.end(), wanted_,
                                      [](std::int64_t at, const Machine& each) { return at < each.steps(); });
  const Machine& before = *(after - 1);
  if (now_.steps() > wanted_ || before.steps() > now_.steps()) now_ = before;
}

bool RunWalk::work(std::int64_t most_steps) {
  while (most_steps > 0 && now_.steps() < wanted_ && now_.state() == RunState::More) {
    const std::int64_t before = now_.steps();
    const std::int64_t to_checkpoint = std::max<std::int64_t>(kept_.back().steps() + spacing_ - before, 1);
    now_.run(std::min({wanted_ - before, most_steps, to_checkpoint}));
    now_.take_visits();
    most_steps -= std::max<std::int64_t>(now_.steps() - before, 1);
    keep();
  }
  return now_.steps() >= wanted_ || now_.state() != RunState::More;
}

const Machine& RunWalk::at(std::int64_t step) {
  begin(step);
  while (!work(10'000'000)) {
  }
  return now_;
}

}  // namespace tilewalk::lab
