// Shapes whose win a learner may be asked to predict, and the answers: points of the races where naive and a tiled
// method both ran, in bf16 at head sizes 64 and 128, at lengths from 1,024 to 16,384, with so many thread blocks that
// every SM has two. On paper the win of a method depends on d and on the mask alone; the lengths are what it is held
// against. Not asked: points drawn to hold the model, longer rows, which naive's softmax must read twice, and cards
// that are half empty.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "measured/prediction_error.h"

namespace tilewalk {

struct WinShape {
  AttentionCall call;
  const AttentionMethod* method = nullptr;  // FA-2 or FA-3
};

// Those that exist on the card and fit it, in the order of the races.
std::vector<WinShape> win_shapes(const RaceTimes&, const DeviceModel&);

// So many of them by a seed; methods, head sizes and masks as mixed as can be. Invariant: no shape twice.
std::vector<WinShape> sampled_by(std::uint64_t seed, std::size_t count, std::vector<WinShape>);

struct WinAnswer {
  double naive_paper_ms = 0, paper_ms = 0;
  double naive_ms = 0, ms = 0;  // recorded; where nobody recorded this card, by the model of time
  bool recorded = false;

  double paper_win() const { return naive_paper_ms / paper_ms; }
  double win() const { return naive_ms / ms; }
  double error() const { return paper_win() / win() - 1; }
};
// Times may be null: another card than the recorded one.
WinAnswer answer_of(const WinShape&, const DeviceModel&, const RaceTimes*);

}  // namespace tilewalk
