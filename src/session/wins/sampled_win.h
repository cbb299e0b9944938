// The questions of lesson 15: each screen samples one of the recorded wins, and a person guesses it once. A round
// samples like `tilewalk worksheet --roofline --seed` with the next number, so both give the same calls. Another round
// samples others, so the lesson can be repeated. The card is always the H200, which was recorded.
#pragma once

#include <optional>
#include <vector>

#include "session/wins/win_shapes.h"

namespace tilewalk {

struct SampledWin {
  WinShape shape;
  WinAnswer answer;
};

inline constexpr int kDraws = 5;  // a round

inline std::uint64_t seed_of_round(int round) { return std::uint64_t(round) + 1; }
// The win of a place (from 1) in a round (from 0); empty where there is none.
std::optional<SampledWin> sampled_win(const RaceTimes&, int round, int place);

struct Guesses {
  int round = 0;
  std::vector<double> misses;  // shares: 0.1 is 10 % too high
  double median() const;       // of their absolute values; 0 where there are none
};
inline constexpr double kGoodGuess = 0.25;  // goal of the lessons

}  // namespace tilewalk
