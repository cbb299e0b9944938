// What lesson 14 asks: each of its screens has sampled one of the recorded wins (measured/win_shapes), and a person
// gives one guess. A round draws as `tilewalk worksheet --roofline --seed` does with the next number, so that both ask
// the same; another round draws others, and the lesson can be taken again. Asked is the H200, which was recorded.
#pragma once

#include <optional>
#include <vector>

#include "measured/win_shapes.h"

namespace tilewalk {

struct SampledWin {
  WinShape shape;
  WinAnswer answer;
};

inline constexpr int kDraws = 5;  // of a round

inline std::uint64_t seed_of_round(int round) { return std::uint64_t(round) + 1; }
// What a place (from 1) asks in a round (from 0); none where there is nothing to ask.
std::optional<SampledWin> sampled_win(const RaceTimes&, int round, int place);

struct Guesses {
  int round = 0;
  std::vector<double> misses;  // shares: 0.1 is 10 % too high
  double median() const;       // of their sizes; 0 where there are none
};
inline constexpr double kGoodGuess = 0.25;  // the path's goal

}  // namespace tilewalk
