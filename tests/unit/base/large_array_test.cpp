#include "base/large_array.h"

#include <cstdint>

#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("an array of several MiB begins at a huge page, and has all its values") {
  constexpr std::size_t kHugePage = std::size_t(2) << 20;
  for (const std::size_t count : {std::size_t(1) << 20, (std::size_t(5) << 20) + 1}) {
    INFO(count);
    const LargeArray array = large_array(count);
    REQUIRE(array != nullptr);
#ifdef __linux__
    CHECK(reinterpret_cast<std::uintptr_t>(array.get()) % kHugePage == 0);
#endif
    array[0] = 1.5f, array[count - 1] = -2.5f;
    CHECK(array[0] + array[count - 1] == -1);
  }
}

TEST_CASE("a small array and an empty one are arrays too") {
  const LargeArray one = large_array(1);
  one[0] = 3;
  CHECK(one[0] == 3);
  CHECK(large_array(0) != nullptr);
}
