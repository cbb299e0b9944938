// The gradients of one KV head in float64, all rows at once.
#pragma once

#include "core/witness/reference.h"

namespace tilewalk::test {

inline ReferenceGradients reference_gradients(const Inputs& inputs, std::int64_t batch, std::int64_t kv_head) {
  ReferenceBackward walk(inputs, batch, kv_head);
  while (!walk.work()) {
  }
  return walk.gradients();
}

}  // namespace tilewalk::test
