// Equal stretches of all heads' KV tiles, as thread blocks of the build of few rows take them (work_items.h).
#include <random>
#include <vector>

#include "kernels/fast/work_items.h"
#include "tests/support/catch.h"

using namespace tilewalk;
using namespace tilewalk::fast;

TEST_CASE("stretches are every KV tile of every head once, and differ by one tile at most", "[unit]") {
  std::mt19937 random(11);
  const auto from = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  for (int i = 0; i < 300; ++i) {
    const int heads = from(1, 500), kv_tiles = from(1, 60);
    const Stretches shared{from(1, std::min(264, heads * kv_tiles)), heads, kv_tiles};
    INFO(heads << " heads of " << kv_tiles << " tiles, " << shared.blocks << " blocks");
    std::vector<int> seen(std::size_t(heads) * std::size_t(kv_tiles)), slots(2 * std::size_t(shared.blocks));
    std::vector<std::vector<int>> slots_of_head(static_cast<std::size_t>(heads));
    const int least = heads * kv_tiles / shared.blocks;
    for (int block = 0; block < shared.blocks; ++block) {
      const int begin = int(stretch_begin(shared, block)), end = int(stretch_begin(shared, block + 1));
      CHECK((end - begin == least || end - begin == least + 1));
      for (int first = begin, count = 0; first < end; first += count) {
        const WorkItem item = stretch_item(shared, block, first, count);
        REQUIRE((count > 0 && first + count <= end));
        for (int nth = 0; nth < count; ++nth) ++seen.at(std::size_t(item.tile * kv_tiles + nth_kv_tile(item, nth)));
        CHECK(stretch_of(shared, first) == block);
        CHECK((item.slot < 0) == (count == kv_tiles));
        if (item.slot < 0) continue;
        ++slots.at(std::size_t(item.slot));
        slots_of_head[std::size_t(item.tile)].push_back(item.slot);
      }
    }
    CHECK(seen == std::vector<int>(seen.size(), 1));
    for (const int used : slots) CHECK(used <= 1);
    for (int head = 0; head < heads; ++head) {  // as join_stretches() finds the parts of a head again
      const long long first = (long long)head * kv_tiles;
      const int begin = stretch_of(shared, first), end = stretch_of(shared, first + kv_tiles - 1);
      std::vector<int> found;
      for (int block = begin; begin != end && block <= end; ++block)
        found.push_back(block == begin ? stretch_slot(shared, head, block) : 2 * block);
      CHECK(found == slots_of_head[std::size_t(head)]);
    }
  }
}
