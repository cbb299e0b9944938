// The words of a prediction: times, shares, wins, and the basis of its figures. view/predict/roof_words says which roof
// binds, and why some lengths jump.
#pragma once

#include <string>
#include <vector>

#include "measured/prediction_error.h"

namespace tilewalk {

std::string call_title(const AttentionCall&);  // "N 4,096 · d 64 · 16 heads · batch 4 · causal · bf16"
std::string ms_text(double ms);                // "0.94 ms", "12 µs", "1.64 s"
std::string error_text(double share);          // "+4 %", "−12 %", "0 %"
std::string times_text_of(double times);       // "4.8×"
std::string big_bytes(double bytes);           // "2.00 GiB": bytes have binary units, rates decimal ones

// One operation of a contender that is a list of operations: each is a trip to HBM.
struct OperationLine {
  std::string line, bytes, ms;  // "s = q @ k.transpose(-1, -2)", "8.59 GB", "2.45 ms"
};
std::vector<OperationLine> lines_of(const Prediction&);
// "The lines ask for 109 MB in all; 8.39 MB go through DRAM. FA-2 moves 8.45 MB through DRAM."; two: FA-2 at the same
// call, or null where its figures are hidden.
std::string trips_sentence(const Prediction& eager, const PredictionRow* two);

// "FA-3 takes 0.56 ms where naive takes 4.1: 7.3 times as fast."; empty where there is no pair.
std::string win_sentence(const std::vector<PredictionRow>&);

// Names the methods whose time may be bound by the processor's launches; empty: none.
std::string launches_sentence(const std::vector<PredictionRow>&);

// "+3 %": the error of the prediction beside a recorded time. "–" where that time may be the processor's: the
// prediction is the card's.
std::string error_cell(const PredictionRow&);

// The basis of a prediction's figures: launches that may bound the time, rates that were not measured here, a GPU that
// nothing ran on here. Without figures, why. Empty where everything was measured.
std::string basis_text(const Prediction&, const DeviceModel&);

// Methods without a time and why, and methods that never ran on such a GPU here, each once: "FA-1, FA-2: Predicted …".
std::vector<std::string> notes_of(const std::vector<PredictionRow>&, const DeviceModel&);

}  // namespace tilewalk
