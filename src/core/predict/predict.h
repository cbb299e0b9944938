// Predicts a contender on a card: bytes, floors, the pencil method and the whole model of time. One call, one card, one
// row; no figure here comes from a race.
//
// The whole model: operations at their own rates (core/predict/operations), tiles by core/predict/run_time, and the
// cost of launches on the card. Beside it the pencil method (core/predict/pencil_method, and core/predict/paper_waves).
// Not modelled: what core/predict/operations and core/chip/visit_pace leave out, and anything else running on the card.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/predict/attention_method.h"
#include "core/predict/ceilings.h"
#include "core/predict/operations.h"
#include "core/predict/paper_waves.h"
#include "core/predict/run_time.h"

namespace tilewalk {

enum class Roof { Bytes, Products, Exponentials };
const char* name_of(Roof);  // "bytes", "products", "exponentials"

// How thread blocks fill the card.
struct CardFilling {
  std::int64_t blocks = 0, waves = 0;
  int sms = 0, blocks_per_sm = 0, busy_sms = 0;
  double last_wave = 0;     // share of it that is full
  bool lone_warps = false;  // one warp a scheduler, which waits for its own results
};

struct Prediction {
  const AttentionMethod* method = nullptr;
  AttentionCall call;
  std::string note;   // why there are no figures; empty where there are
  bool there = true;  // false: no such pair, or it does not fit; the figures below are absent
  double flops = 0, hbm_bytes = 0, dram_bytes = 0, extra_bytes = 0;  // extra: memory beyond Q, K, V, O
  double floor_bytes_ms = 0, floor_flops_ms = 0, floor_exp_ms = 0;
  double products_ms = 0;  // by the instruction that the method uses: mma.sync, or the card's best
  std::optional<double> pencil_ms, predicted_ms;
  std::optional<double> paper_short_ms;  // on paper too, by the rule for short and small calls
  std::optional<PaperWaves> waves;       // behind it, of tiles
  // The card's time is predicted_ms. processor_ms: of launching it, one call at a time; by_processor: that may set the
  // time of a call which is not queued.
  double processor_ms = 0;
  bool by_processor = false;
  std::vector<Operation> operations;   // eager and naive
  std::optional<CardFilling> filling;  // tiles, forward
  FastTile tile;                       // of its kernel's build; zeros for lists of operations

  double intensity() const { return dram_bytes > 0 ? flops / dram_bytes : 0; }
  double roofline_ms() const;  // the highest of the three floors
  Roof binds() const;          // the longest of bytes, products by their instruction, and exponentials
};

// Whether Q, K, V and O, and so many bytes more, fit in the card's memory.
bool fits_in_memory(const AttentionCall&, double extra_bytes, const DeviceModel&);
// Why there is no time: the method cannot run the call on the card, or does not fit; empty where there is a time.
std::string why_not_run(const AttentionMethod&, const AttentionCall&, const DeviceModel&);
Prediction predict(const AttentionMethod&, const AttentionCall&, const DeviceModel&);

// The prediction for rows padded to the next multiple of 8 numbers, so that they begin at multiples of 16 bytes. None
// where they do already, or where the method is not a list of operations.
std::optional<Prediction> padded(const Prediction&, const DeviceModel&);

}  // namespace tilewalk
