// The reasons for a contender's time, in words: the roof that bounds it, how its thread blocks fill the card, and the
// lengths where its time jumps.
#pragma once

#include <string>
#include <vector>

#include "measured/prediction_error.h"

namespace tilewalk {

// "The limit of FA-2 is the products: 1.1 TFLOP by mma.sync, its instruction, at 503 TFLOP/s take 2.19 ms. …": the
// slowest of bytes, products and exponentials, the next one, and how thread blocks fill the card where that costs time.
// Precondition: the row has figures.
std::string roof_sentence(const PredictionRow&, const DeviceModel&);

// "Its 64 thread blocks leave 68 of 132 SMs idle. …"; empty where the card is full.
std::string filling_sentence(const CardFilling&);

// Names rows of naive and eager that are not aligned to 16 bytes, and what padding saves; empty where there are none.
std::string padding_sentence(const std::vector<PredictionRow>&, const DeviceModel&);

// Which naive attention the roofline's is, and the bytes that the naive walk of the same call asks for: those of the
// ledger and the pipes. Begins with a space.
std::string naive_basis_sentence(const Prediction& naive, const DeviceModel&);

// Where the softmax of naive, or of eager, changes at a length up to n: "Above N = 16,384 …". Empty where it does not.
std::string naive_jump_sentence(std::int64_t n);
std::string eager_jump_sentence(std::int64_t n);

// Where the curves of the speed-up end, and that naive's scores do not fit beyond; without the reason where the page
// has it of the call that it shows. Empty where naive runs there.
std::string curve_end_sentence(std::int64_t longest, const AttentionCall& next, const AttentionCall& shown,
                               const DeviceModel&);

}  // namespace tilewalk
