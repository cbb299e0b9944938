// Shapes whose speed-up a learner may be asked to predict, and the answers: points of the races where naive and a tiled
// method both ran, in bf16 at head sizes 64 and 128, at lengths from 1,024 to 16,384, with at least two thread blocks
// for every SM. By the pencil method the speed-up depends only on d and on the mask; different lengths test that. Not
// asked: points sampled to check the model, longer rows, which naive's softmax must read twice, and cards that are half
// empty.
#pragma once

#include <cstdint>
#include <vector>

#include "measured/prediction_error.h"

namespace tilewalk {

struct WinShape {
  AttentionCall call;
  const AttentionMethod* method = nullptr;  // FA-2 or FA-3
};

// The shapes that exist on the card and fit it, in the order of the races.
std::vector<WinShape> win_shapes(const RaceTimes&, const DeviceModel&);

// Samples `count` of them by a seed; methods, head sizes and masks as mixed as possible. Invariant: no shape twice.
std::vector<WinShape> sampled_by(std::uint64_t seed, std::size_t count, std::vector<WinShape>);

struct WinAnswer {
  double naive_pencil_ms = 0, pencil_ms = 0;
  double naive_ms = 0, ms = 0;  // recorded; or by the model of time, where this card has no recording
  bool recorded = false;

  double pencil_win() const { return naive_pencil_ms / pencil_ms; }
  double win() const { return naive_ms / ms; }
  double error() const { return pencil_win() / win() - 1; }
};
// Times may be null: a card without recordings.
WinAnswer answer_of(const WinShape&, const DeviceModel&, const RaceTimes*);

}  // namespace tilewalk
