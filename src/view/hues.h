// The hue of each tensor, on screen and in print (Okabe–Ito): Q sky blue, K orange, V green, O purple, m and ℓ yellow.
#pragma once

#include "core/problem/tensor.h"

namespace tilewalk {

unsigned hue_of(TensorId);  // 0xRRGGBB

}  // namespace tilewalk
