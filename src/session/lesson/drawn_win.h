// What lesson 14 asks: recorded pairs of times, naive's and a FlashAttention's of one call, from which each screen
// draws one. A round of drawing gives each place another pair; another round gives others, so that the lesson can be
// taken again. Asked are full cards alone (132 thread blocks or more), N from 2,048 to 32,768, d 64 and 128: where the
// method on paper (core/predict/paper) knows what it says. Not asked: eager, the backward pass, lengths that are no
// power of two; and 65,536, where naive takes twice what its bytes explain.
#pragma once

#include <optional>
#include <vector>

#include "core/predict/attention_method.h"
#include "measured/race_times.h"

namespace tilewalk {

struct WinToAsk {
  AttentionCall call;
  const AttentionMethod* fast = nullptr;  // FA-2 or FA-3
  double naive_ms = 0, fast_ms = 0;       // recorded
  double win() const { return naive_ms / fast_ms; }
  bool operator==(const WinToAsk& other) const;
};
using DrawnWin = std::optional<WinToAsk>;

inline constexpr int kDraws = 5;  // of a round; later ones are harder: d 128, a mask

std::vector<WinToAsk> wins_to_ask(const RaceTimes&);
// What a place (from 1) asks in a round (from 0); none where there is nothing to ask. No pair comes twice in a round.
DrawnWin drawn_win(const std::vector<WinToAsk>&, int round, int place);
// Naive's time over the fast one's, both on paper.
double win_on_paper(const WinToAsk&);

struct Guesses {
  std::vector<double> misses;  // shares: 0.1 is 10 % too high
  double median() const;       // of their sizes; 0 where there are none
};
inline constexpr double kGoodGuess = 0.25;  // the path's goal

}  // namespace tilewalk
