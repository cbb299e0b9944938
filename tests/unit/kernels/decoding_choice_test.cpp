// Which build of flash_v2 and flash_v3 decodes: few rows of Q and many keys, by head size, heads and bytes.
#include <catch2/catch.hpp>

#include "core/problem/build_choice.h"
#include "tests/unit/kernels/hopper_choice.h"

using namespace tilewalk;
using namespace tilewalk::fast;

TEST_CASE("decoding: as many parts as DRAM needs, of the build for few rows where there is one", "[unit]") {
  // Eight heads of K and V, whose 32 query rows are one tile. DRAM sets the time: 120 of 132 places suffice.
  const BuildChoice wide = v3_choice(128, {8, 32, 116889, false, 0});
  CHECK(wide.plan.each == 15);
  CHECK(wide.plan.us > 8.0 * 116889 * 128 * 4 / kDramBytesPerUs);
  CHECK(v3_choice(128, {32, 32, 60000, false, 0}).plan.each == 4);  // three would leave 36 multiprocessors
  CHECK(wide.variant == 0);  // more K and V than the build for one tile gains from at d = 128
  const BuildChoice narrow = v3_choice(64, {32, 17, 37400, false, 0});
  CHECK(narrow.variant == short_rows_variant(64));
  CHECK(narrow.plan.divided());
  CHECK(v3_choice(64, {32, 17, 2048, false, 0}).variant == short_rows_variant(64));  // faster than the estimate says
  CHECK(v3_choice(40, {8, 64, 16384, false, 0}).variant == short_rows_variant(40));
  CHECK_FALSE(v3_choice(64, {32, 65, 37400, false, 0}).variant == short_rows_variant(64));  // two tiles of 64 rows
  CHECK_FALSE(v3_choice(64, {396, 8, 2048, false, 0}).plan.divided());                      // as many tiles as places
}

TEST_CASE("decoding up to d = 64: FA-2's build of few rows, but where its own parts are faster", "[unit]") {
  const PartsShape long_call{32, 8, 60000, false, 0}, short_call{4, 8, 2048, false, 0};
  for (const Contender kernel : {Contender::FlashV2, Contender::FlashV3}) {
    const auto variant = [&](std::int64_t d, const PartsShape& s) {
      return choose_build(kernel, d, s, kHopperSms).variant;
    };
    for (const std::int64_t d : {1, 8, 24, 32, 37, 40, 48, 56}) {
      const BuildChoice few = choose_build(kernel, d, long_call, kHopperSms);
      CHECK((few.variant == kFewRowsVariant) == (kernel == Contender::FlashV2 || d <= 8 || d == 24));
      CHECK(few.build.rows == 16);
      CHECK(few.build.d == (d <= 32 ? 32 : 64));
      CHECK(few.plan.divided());
      CHECK(few.workspace_bytes() == few.part_slots() * 16 * std::size_t(few.build.d + 1) * 4);
      for (const PartsShape& other : {PartsShape{32, 17, 60000, false, 0}, {32, 8, 60000, true, 59992}})
        CHECK(variant(d, other) < kFewRowsVariant);
      CHECK(variant(d, {32, 8, 128, false, 0}) < kFewRowsVariant);  // nothing to divide
    }
    for (const std::int64_t d : {48, 64}) CHECK(variant(d, short_call) == kFewRowsVariant);
    CHECK(variant(64, long_call) != kFewRowsVariant);
    CHECK(variant(72, long_call) < kFewRowsVariant);
  }
}

TEST_CASE("decoding up to d = 64: FA-3's build by bulk copies, in one wave or whole", "[unit]") {
  const auto each = [](std::int64_t d, std::int64_t heads, std::int64_t n_kv) {
    const BuildChoice bulk = v3_choice(d, {heads, 1, n_kv, false, 0});
    CHECK(bulk.variant == kBulkRowsVariant);
    CHECK((bulk.plan.divided() ? std::int64_t(bulk.plan.tiles) : heads) == heads);
    return bulk.plan.each;
  };
  // As measured: two blocks a multiprocessor at d = 64, three at 48, four at 32.
  CHECK(each(64, 32, 37400) == 8);
  CHECK(each(48, 32, 37400) == 12);
  CHECK(each(32, 32, 60000) == 16);
  CHECK(each(64, 4, 16384) == 33);  // few bytes: fewer parts to join
  CHECK(each(64, 128, 3000) == 2);
  CHECK(each(64, 256, 4096) == 1);
  CHECK(each(8, 256, 1024) == 1);   // whole tiles by this build even where it is slower in parts
  CHECK(each(48, 640, 2048) == 3);  // a wave and a fifth of whole tiles take longer
  CHECK(v3_choice(40, {8, 8, 8192, false, 0}).variant == kFewRowsVariant);  // few bytes in odd rows
  CHECK(v3_choice(40, {8, 8, 60000, false, 0}).variant == kBulkRowsVariant);
  CHECK(v3_choice(40, {640, 1, 2048, false, 0}).variant == kFewRowsVariant);
  CHECK(v3_choice(16, {8, 1, 8192, false, 0}).variant == kFewRowsVariant);
  CHECK(v3_choice(64, {256, 1, 255, false, 0}).variant < kFewRowsVariant);  // not measured
  CHECK(v3_choice(64, {32, 17, 37400, false, 0}).variant == short_rows_variant(64));
}

TEST_CASE("decoding above d = 64: FA-3's build by bulk copies for rows of an even number of chunks", "[unit]") {
  for (const std::int64_t d : {80, 96, 112, 128}) {
    INFO("d " << d);
    const BuildChoice bulk = v3_choice(d, {32, 8, 60000, false, 0});
    CHECK(bulk.variant == kBulkRowsVariant);
    CHECK(bulk.build.rows == 16);
    CHECK(bulk.build.d == (d > 96 ? 128 : 96));
    CHECK(bulk.build.blocks == 2);
    CHECK(bulk.plan.divided());
    CHECK(bulk.plan.tiles * bulk.plan.each <= 2 * kHopperSms);  // one wave
    CHECK(bulk.workspace_bytes() == bulk.part_slots() * 16 * std::size_t(bulk.build.d + 1) * 4);
    CHECK(v3_choice(d, {32, 17, 60000, false, 0}).variant < kFewRowsVariant);
    CHECK((v3_choice(d, {4, 8, 9041, false, 0}).variant == kBulkRowsVariant) == (d < 128));  // few bytes
    CHECK(v3_choice(d, {8, 4, 4096, false, 0}).variant == kBulkRowsVariant);
    CHECK(v3_choice(d, {4, 8, 2048, false, 0}).variant < kFewRowsVariant);
    CHECK(choose_build(Contender::FlashV2, d, {32, 8, 60000, false, 0}, kHopperSms).variant < kFewRowsVariant);
  }
  const auto each = [](std::int64_t d, std::int64_t heads, std::int64_t n_kv) {
    return v3_choice(d, {heads, 1, n_kv, false, 0}).plan.each;
  };
  // As measured (decode_forced_parts): about one block a multiprocessor, of 132.
  CHECK(each(128, 32, 60000) == 4);
  CHECK(each(128, 16, 4096) == 8);
  CHECK(each(128, 64, 20231) == 2);
  CHECK(each(80, 8, 4096) == 16);
  CHECK(each(96, 128, 20231) == 1);
  CHECK(each(80, 72, 9455) == 2);   // half of the multiprocessors read at half the rate
  CHECK(each(128, 48, 9455) != 3);  // 144 blocks: twelve multiprocessors would end late
  CHECK_FALSE(v3_choice(128, {1280, 1, 1024, false, 0}).plan.divided());
  for (const std::int64_t d : {72, 88, 104, 120, 144}) CHECK(v3_choice(d, {32, 8, 60000, false, 0}).variant < 101);
}

TEST_CASE("decoding many heads at d = 64: thread blocks that take one head after another", "[unit]") {
  const auto blocks = [](std::int64_t heads, std::int64_t d = 64) {
    const BuildChoice bulk = v3_choice(d, {heads, 1, 1024, false, 0});
    return bulk.plan.divided() ? 0 : std::int64_t(bulk.plan.blocks) / kHopperSms;
  };
  CHECK(blocks(256) == 0);   // one wave
  CHECK(blocks(512) == 2);   // 0.97 of two rounds
  CHECK(blocks(640) == 3);   // 0.81 of two rounds, as of three with two blocks
  CHECK(blocks(1280) == 2);  // 0.97 of five rounds; of four with three blocks 0.81
  CHECK(blocks(1536) == 3);
  CHECK(blocks(1120) == 3);
  CHECK(blocks(280) == 0);   // most places would be empty in the last round
  CHECK(blocks(896) == 0);   // 0.85, as of two waves of four blocks: stretches
  CHECK(blocks(1600) == 0);  // 0.87; measured 6 % slower so
  CHECK(blocks(1280, 56) == 0);
  CHECK(blocks(1280, 48) == 0);
}

TEST_CASE("decoding: equal stretches of all heads' keys where blocks would leave multiprocessors idle", "[unit]") {
  const auto stretches = [](std::int64_t d, std::int64_t heads, std::int64_t n_kv) {
    const BuildChoice bulk = v3_choice(d, {heads, 1, n_kv, false, 0});
    if (!bulk.plan.in_stretches()) return 0;
    CHECK(bulk.variant == kBulkRowsVariant);
    CHECK(bulk.plan.tiles == heads);
    CHECK(bulk.part_slots() == 2 * std::size_t(bulk.plan.blocks));  // a stretch has parts of at most two heads
    CHECK(heads * bulk.plan.each >= bulk.plan.blocks);
    CHECK(bulk.plan.blocks <= heads * ceil_div(n_kv, bulk.build.keys));
    return int(bulk.plan.blocks / kHopperSms);
  };
  CHECK(stretches(128, 300, 3628) == 1);  // 0.57 of two waves
  CHECK(stretches(96, 400, 2901) == 0);
  CHECK(stretches(80, 400, 1660) == 0);
  CHECK(stretches(128, 512, 2048) == 0);  // 0.97 of two waves
  CHECK(stretches(112, 160, 6687) == 1);  // 28 multiprocessors would have two heads
  CHECK(stretches(128, 144, 3338) == 1);  // twelve would
  CHECK(stretches(112, 140, 4000) == 0);
  CHECK(stretches(128, 160, 1842) == 0);  // few bytes: joining takes longer
  CHECK(stretches(112, 128, 4743) == 0);  // a head for nearly every multiprocessor
  CHECK(stretches(128, 96, 8985) == 1);   // 36 multiprocessors would have none
  CHECK(stretches(128, 48, 18921) == 1);
  CHECK(stretches(128, 32, 60000) == 0);  // four parts each: 128 blocks
  CHECK(stretches(64, 800, 3000) == 2);   // 0.76 of two waves of four blocks
  CHECK(stretches(64, 1280, 1024) == 0);  // one head after another
  CHECK(stretches(64, 800, 512) == 0);    // not measured
}

TEST_CASE("decoding above d = 64: the build of one consumer where a head has one tile of 64 rows", "[unit]") {
  for (const std::int64_t d : {72, 96, 128, 160, 192, 256}) {
    const BuildChoice once = v3_choice(d, {8, 64, 16384, false, 0});
    CHECK(once.variant == kOneTileVariant);
    CHECK(once.build.rows == kOneTileRows);
    CHECK(once.build.keys == pace_of(Contender::FlashV3, d, false).keys);
    CHECK(once.workspace_bytes() == once.part_slots() * std::size_t(kOneTileRows) * std::size_t(once.build.d + 1) * 4);
    CHECK(v3_choice(d, {8, 65, 16384, false, 0}).variant == 0);       // two tiles read the same K and V
    CHECK(v3_choice(d, {8, 64, 16384, true, 16320}).variant == 0);    // a mask
    CHECK_FALSE(v3_choice(d, {8, 64, 64, false, 0}).plan.divided());  // nothing to divide
  }
  CHECK(v3_choice(128, {32, 32, 60000, false, 0}).variant == 0);
  CHECK(v3_choice(120, {32, 8, 60000, false, 0}).variant == kOneTileVariant);
}
