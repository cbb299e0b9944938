// What a contender will take on a card: bytes, floors, the method on paper and the whole model of time. One call, one
// card, one row; nothing here is read from a race.
//
// The whole model: operations at their own rates (core/predict/operations), tiles by core/chip/waves at the pace of
// core/chip/visit_pace, never faster than DRAM allows; and what it costs to begin. Beside it the method on
// paper (core/predict/paper).
// Not modelled: what core/predict/operations and core/chip/visit_pace leave out, and anything else running on the card.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/predict/attention_method.h"
#include "core/predict/ceilings.h"
#include "core/predict/operations.h"

namespace tilewalk {

enum class Roof { Bytes, Products, Exponentials };
const char* name_of(Roof);  // "bytes", "products", "exponentials"

// How many times as long launches took on another host of the same card (launches_h200_2026-11-23.csv).
inline constexpr double kSlowerProcessor = 1.6;

struct Prediction {
  const AttentionMethod* method = nullptr;
  AttentionCall call;
  std::string note;   // why there are no figures, or what they rest on; may be empty
  bool there = true;  // false: no such pair, or it does not fit; the figures below are absent
  double flops = 0, hbm_bytes = 0, dram_bytes = 0, extra_bytes = 0;  // extra: memory beyond Q, K, V, O
  double floor_bytes_ms = 0, floor_flops_ms = 0, floor_exp_ms = 0;
  std::optional<double> paper_ms, predicted_ms;
  bool by_processor = false;          // so little work that the processor's launches may set the time, not the card
  std::vector<Operation> operations;  // eager and naive

  double intensity() const { return dram_bytes > 0 ? flops / dram_bytes : 0; }
  double roofline_ms() const;
  Roof binds() const;  // the highest of the three floors
};

// Why there is no time: the pair does not exist, or does not fit the card; empty where there is one.
std::string why_not_run(const AttentionMethod&, const AttentionCall&, const DeviceModel&);
Prediction predict(const AttentionMethod&, const AttentionCall&, const DeviceModel&);

}  // namespace tilewalk
