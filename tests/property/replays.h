// Set-up shared by the files of replay laws.
#pragma once

#include <cstring>
#include <vector>

#include "core/replay/replay.h"

namespace tilewalk::test {

inline Replay replay_of(const Problem& p) { return Replay(make_schedule(p), Inputs(p)); }

inline bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * 4) == 0);
}

}  // namespace tilewalk::test
