// FA-3's build for a call on a Hopper GPU with 132 multiprocessors.
#pragma once

#include "core/problem/build_choice.h"

namespace tilewalk::fast {

constexpr std::int64_t kHopperSms = 132;

inline BuildChoice v3_choice(std::int64_t d, const PartsShape& shape) {
  return choose_build(Contender::FlashV3, d, shape, kHopperSms);
}

}  // namespace tilewalk::fast
