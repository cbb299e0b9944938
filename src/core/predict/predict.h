// What a contender will take on a card: bytes, floors, the method on paper and the whole model of time. One call, one
// card, one row; nothing here is read from a race.
//
// The whole model: operations at their own rates (core/predict/operations), tiles by core/chip/waves at the pace of
// core/chip/visit_pace, never faster than DRAM allows; and what it costs to begin. The method on paper (lesson 14):
// five numbers of the card. Bandwidth B, product rate P, mma.sync's share of P, exponentials and other operations a
// cycle.
//   naive  8 N^2 bytes a head over B, masked or not
//   FA-2   4 N^2 d FLOPs a head (half if causal) by mma.sync, then N^2 exponentials (half if causal)
//   FA-3   the longer of the products at P and 1/16 + 5/128 cycles a score
// Not modelled: what core/predict/operations and core/chip/visit_pace leave out, and anything else running on the card.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/predict/attention_method.h"
#include "core/predict/operations.h"

namespace tilewalk {

// The roofs: what a card can do at most, or what it was measured to do.
struct Ceilings {
  double bytes_per_s = 0, flop_per_s = 0, mma_sync_flop_per_s = 0, exp_per_s = 0;
  std::string source;  // one sentence
};
Ceilings ceilings_of(const DeviceModel&);

// A card of one's own: another's multiprocessors with the bandwidth and the rate typed in, taken as what it reaches.
DeviceModel own_card(const DeviceModel& like, std::optional<double> gb_per_s, std::optional<double> tflops);

enum class Roof { Bytes, Products, Exponentials };
const char* name_of(Roof);  // "bytes", "products", "exponentials"

struct Prediction {
  const AttentionMethod* method = nullptr;
  AttentionCall call;
  std::string note;   // why there are no figures, or what they rest on; may be empty
  bool there = true;  // false: no such pair, or it does not fit; the figures below are absent
  double flops = 0, hbm_bytes = 0, dram_bytes = 0, extra_bytes = 0;  // extra: memory beyond Q, K, V, O
  double floor_bytes_ms = 0, floor_flops_ms = 0, floor_exp_ms = 0;
  std::optional<double> paper_ms, predicted_ms;
  std::vector<Operation> operations;  // eager and naive

  double intensity() const { return dram_bytes > 0 ? flops / dram_bytes : 0; }
  double roofline_ms() const;
  Roof binds() const;  // the highest of the three floors
};

Prediction predict(const AttentionMethod&, const AttentionCall&, const DeviceModel&);

// Every contender that can be modelled, in the order of the table.
std::vector<Prediction> predict_all(const AttentionCall&, const DeviceModel&);

}  // namespace tilewalk
