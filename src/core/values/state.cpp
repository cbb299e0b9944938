#include "core/values/state.h"

#include <cstring>

namespace tilewalk {
namespace {

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

}  // namespace

bool State::operator==(const State& other) const {
  return cursor == other.cursor && started == other.started && (!started || step == other.step) &&
         same_bits(s, other.s) && same_bits(p, other.p) && same_bits(o, other.o) && same_bits(m_old, other.m_old) &&
         same_bits(m, other.m) && same_bits(tile_max, other.tile_max) && same_bits(alpha, other.alpha) &&
         same_bits(beta, other.beta) && same_bits(tile_l, other.tile_l) && same_bits(pv, other.pv) &&
         same_bits(l_old, other.l_old) && same_bits(l, other.l) && same_bits(lse, other.lse) && same_bits(D, other.D) &&
         same_bits(dp, other.dp) && same_bits(ds, other.ds) && same_bits(dq, other.dq) && same_bits(dk, other.dk) &&
         same_bits(dv, other.dv) && sums_pending == other.sums_pending;
}

}  // namespace tilewalk
