// What others measured and published: rates of released attention kernels that this project has no model or no kernel
// of its own for. They are witnesses beside the predictions, not part of any: no constant is taken from them.
// A rate counts 4 N^2 d FLOPs a head, half of that with a causal mask, forward. Each row says for which calls it was
// published: head size, mask and the shortest length. Not modelled: how the rate changes with the number of heads.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/predict/attention_call.h"
#include "core/problem/device_model.h"

namespace tilewalk {

// A card by what it can do: its compute capability and its data sheet's rate of 16-bit products.
struct PublishedOn {
  int capability;
  double tflops;
};

struct PublishedRate {
  const char* method;  // "FA-1 as released"
  PublishedOn on;
  std::optional<std::int64_t> d;  // none: of any
  std::optional<bool> causal;     // none: with and without a mask
  std::int64_t from_n, to_n;      // of rows; 0: no limit
  double least_tflops, most_tflops;
  const char* source;
};

struct PublishedTime {
  const PublishedRate* rate = nullptr;
  double least_ms = 0, most_ms = 0;  // of the call at that rate
};

// The rows that fit the call on the card, in their order; in 16 bits alone.
std::vector<PublishedTime> published_times(const AttentionCall&, const DeviceModel&);

}  // namespace tilewalk
