// The cost of a piece of work: executed edges of code, and the largest memory beyond that at its start.
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
