// What limits a thread block, counted from its lanes: the share of the simulated time, however much of it is drawn, in
// which products, softmax and loads are boxes, and the share that the products would need at the tensor cores' peak
// rate.
#pragma once

#include <string>

#include "core/chip/timeline.h"

namespace tilewalk {

// True if all work of the lane is loads and stores. Where it holds up products or softmax, their lanes wait.
bool only_moves_tiles(const Timeline&, int lane);

// "In the first 16,886 cycles products take 62 % of compute, softmax 32 %; loads take 9 % of their lane. At the tensor
// cores' peak rate products would take 22 %: mma.sync does not reach it." A share is the mean over the lanes that do
// such work; boxes that overlap in one lane count once.
std::string limiting_work(const Problem&, const Timeline&);

}  // namespace tilewalk
