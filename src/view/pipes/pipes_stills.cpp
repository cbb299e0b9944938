#include "view/pipes/pipes_stills.h"

#include <fmt/format.h>

namespace tilewalk {
namespace {

// The middle of a section; both have steps in ascending order of sections.
std::int64_t middle_of(const Schedule& schedule, int section) {
  const auto first_from = [&](int at) {
    std::int64_t low = 0, high = schedule.step_count();
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      schedule.step(middle).section < at ? low = middle + 1 : high = middle;
    }
    return low;
  };
  return (first_from(section) + first_from(section + 1)) / 2;
}

}  // namespace

void add_stills(const Schedule& pinned, const Schedule& now, bool of_walk, PipesModel& m) {
  if (m.lighter < 0) return;
  constexpr int kNow = 1;
  const auto still = [&](int side, const std::string& label, const std::string& tip, std::int64_t step) {
    std::vector<Command> there = {SetPace{Pace::Byte}};
    if (of_walk) {
      there.push_back(side == kNow ? Command{GoToStep{step}} : Command{ExchangeAt{step}});
    } else {
      if (side != kNow) there.push_back(Action::ExchangeSides);
      there.push_back(GoToCallStep{step});
    }
    m.stills.push_back({label, tip, std::move(there)});
  };
  const auto schedule = [&](int side) -> const Schedule& { return side == kNow ? now : pinned; };
  const int heavier = 1 - m.lighter;
  const std::string light = m.sides[m.lighter].title, heavy = m.sides[heavier].title;
  still(m.lighter, light + " at its end",
        fmt::format("{} is done; how far has {} come with as many bytes?", light, heavy),
        schedule(m.lighter).step_count());
  if (schedule(heavier).section_count() > 2)
    still(heavier, heavy + " in pass 2",
          fmt::format("{} reads back what it wrote, long after the end of {}", heavy, light),
          middle_of(schedule(heavier), 1));
}

}  // namespace tilewalk
