// The pencil method, which lessons 14 and 15 teach: seconds from five numbers of the card, without a fit. Bandwidth B,
// product rate P, mma.sync's share of P, exponentials and other operations a cycle.
//     naive  the longer of 8 N^2 bytes a head over B in 16 bits, as S or P crosses four times, and 4 N^2 d FLOPs over
//            P, masked or not. The FLOPs are longer only on cards with few FLOPs a byte (H20)
//     FA-2   4 N^2 d FLOPs a head (half if causal) by mma.sync, then N^2 exponentials (half if causal)
//     FA-3   the longer of the products at P and 1/16 + 5/128 cycles a score
// Not modelled: launches, waves, tiles that a mask cuts, everything else. Under a causal mask naive's softmax reads the
// visible half of S alone, 7 N^2 bytes in all (core/predict/operations): not here.
#pragma once

#include "core/predict/attention_call.h"
#include "core/predict/ceilings.h"

namespace tilewalk {

double naive_by_pencil(const AttentionCall&, const DeviceModel&);
double flash_v2_by_pencil(const AttentionCall&, const DeviceModel&);
double flash_v3_by_pencil(const AttentionCall&, const DeviceModel&);
double softmax_per_s(const Ceilings&);  // scores per second, each with one exponential and five other operations

}  // namespace tilewalk
