// Why a contender takes as long as it does, in words: which roof holds it, how its thread blocks fill the card, and
// where a length makes it jump.
#pragma once

#include <string>
#include <vector>

#include "measured/prediction_error.h"

namespace tilewalk {

// "What holds FA-2 is the products: 1.1 TFLOP by mma.sync, its instruction, at 503 TFLOP/s take 2.19 ms. …": which of
// bytes, products and exponentials takes longest, what comes after it, and how thread blocks fill the card where that
// costs. Precondition: the row has figures.
std::string roof_sentence(const PredictionRow&, const DeviceModel&);

// "Its 64 thread blocks leave 68 of 132 SMs idle. …"; empty where the card is full.
std::string filling_sentence(const CardFilling&);

// Rows of naive and eager that do not begin at 16 bytes, and what padding them wins back; empty where there are none.
std::string padding_sentence(const std::vector<PredictionRow>&, const DeviceModel&);

// Where naive's softmax, and eager's, change at a length up to this one: "Above N = 16,384 …". Empty where they do not.
std::string naive_jump_sentence(std::int64_t n);
std::string eager_jump_sentence(std::int64_t n);

}  // namespace tilewalk
