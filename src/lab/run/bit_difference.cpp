#include "lab/run/bit_difference.h"

#include <tuple>

#include "core/values/exact_math.h"

namespace tilewalk::lab {

bool same_bits(float a, float b) { return exact::bits_of(a) == exact::bits_of(b) || (a != a && b != b); }

std::optional<std::size_t> first_difference(std::span<const float> a, std::span<const float> b) {
  for (std::size_t at = 0; at < a.size() && at < b.size(); ++at)
    if (!same_bits(a[at], b[at])) return at;
  return std::nullopt;
}

std::optional<StateDifference> first_difference(const MarkedState& a, const MarkedState& b, std::int64_t d) {
  for (const auto& [quantity, of_a, of_b, columns] :
       {std::tuple("m", a.m, b.m, std::int64_t(1)), {"l", a.l, b.l, 1}, {"o", a.o, b.o, d}}) {
    StateDifference out{.quantity = quantity, .column = std::nullopt};
    if (of_a.size() != of_b.size()) {
      out.in_one_alone = true;
      return out;
    }
    const std::optional<std::size_t> at = first_difference(of_a, of_b);
    if (!at) continue;
    out.row = std::int64_t(*at) / columns;
    if (quantity[0] == 'o') out.column = std::int64_t(*at) % columns;
    out.first = of_a[*at], out.second = of_b[*at];
    return out;
  }
  return std::nullopt;
}

}  // namespace tilewalk::lab
