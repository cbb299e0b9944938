// What a piece of work cost: edges of code run, and memory at its most above what there was before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace tilewalk::test {

struct Cost {
  std::uint64_t edges = 0;
  std::size_t bytes = 0;
};
Cost cost_of(const std::function<void()>& work);

}  // namespace tilewalk::test
