#include "session/wins/sampled_win.h"

#include <cmath>

#include "base/median.h"
#include "core/problem/device_model.h"

namespace tilewalk {

std::optional<SampledWin> sampled_win(const RaceTimes& times, int round, int place) {
  const DeviceModel& card = device_of(times.device);
  const std::vector<WinShape> five = sampled_by(seed_of_round(round), kDraws, win_shapes(times, card));
  if (place < 1 || place > int(five.size())) return std::nullopt;
  const WinShape& shape = five[std::size_t(place - 1)];
  return SampledWin{shape, answer_of(shape, card, &times)};
}

double Guesses::median() const {
  std::vector<double> sizes;
  for (const double miss : misses) sizes.push_back(std::fabs(miss));
  return tilewalk::median(std::move(sizes));
}

}  // namespace tilewalk
