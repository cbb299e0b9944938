#include "core/values/state.h"

#include <algorithm>
#include <cstring>

#include "core/values/quantity.h"

namespace tilewalk {
namespace {

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

}  // namespace

bool State::operator==(const State& other) const {
  const auto same = [&](std::vector<float> State::*values) {
    return !values || same_bits(this->*values, other.*values);
  };
  const std::vector<QuantityRow>& rows = quantity_ledger();
  return cursor == other.cursor && started == other.started && (!started || step == other.step) &&
         sums_pending == other.sums_pending && std::all_of(rows.begin(), rows.end(), [&](const QuantityRow& row) {
           return same(row.values) && same(row.before);
         });
}

}  // namespace tilewalk
