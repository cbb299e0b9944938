// The numbers of a backward pass's quantities in state_hash_word; those of the forward passes end at 6. Elements: row *
// cols + col for P, dP and dS (cols of the current tile), row * d + x for gradients.
#pragma once

namespace tilewalk {

enum GradientQuantity : unsigned {
  kGradientP = 7,
  kGradientDP = 8,
  kGradientDS = 9,
  kGradientDQ = 10,
  kGradientDK = 11,
  kGradientDV = 12,
  kFinalDQ = 13,
  kFinalDK = 14,
  kFinalDV = 15,
};

}  // namespace tilewalk
