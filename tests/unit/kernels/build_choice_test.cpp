// Which build of flash_v2 and flash_v3 runs a call, and how tiles are divided where heads are few.
#include "core/problem/build_choice.h"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "core/problem/section_plan.h"
#include "core/problem/shares_plan.h"
#include "kernels/fast/work_items.h"
#include "tests/unit/kernels/hopper_choice.h"

using namespace tilewalk;
using namespace tilewalk::fast;

namespace {

constexpr Contender kBoth[] = {Contender::FlashV2, Contender::FlashV3};

Parts parts_of(const PartsPlan& plan) {
  return {plan.first, plan.tiles, plan.each, plan.whole_first, plan.whole, nullptr, nullptr};
}

}  // namespace

TEST_CASE("each head size has the build that wastes least", "[unit]") {
  const std::pair<Contender, std::vector<std::int64_t>> kernels[] = {
      {Contender::FlashV1, {64, 128, 256}},
      {Contender::FlashV2, {32, 64, 96, 128, 160, 192, 256}},
      {Contender::FlashV3, {32, 48, 64, 96, 112, 128, 160, 192, 256}},
      {Contender::FlashV2Backward, {32, 64, 96, 128, 160, 192, 256}},
      {Contender::FlashV3Backward, {64, 128, 192, 256}}};
  for (const auto& [kernel, builds] : kernels) {
    std::size_t next = 0;
    for (std::int64_t d = 1; d <= kLargestFastHead; ++d) {
      if (d > builds[next]) ++next;
      INFO(word_of(kernel) << ", d " << d);
      CHECK(built_d(kernel, d) == builds[next]);
    }
  }
}

TEST_CASE("the estimate knows the tiles that the kernels have", "[unit]") {
  for (const Contender kernel : kBoth) {
    for (const bool causal : {false, true}) {
      for (std::int64_t d = 8; d <= kLargestFastHead; d += 8) {
        const BuildPace pace = pace_of(kernel, d, causal);
        CHECK(FastTile{pace.rows, pace.keys} == fast_tile(kernel, d, causal));
        CHECK(pace.d == built_d(kernel, d));
        CHECK(pace.visit_us > 0);
      }
    }
  }
}

TEST_CASE("decoding on a fast memory: two parts a multiprocessor", "[unit]") {
  const auto parts = [](std::int64_t heads, std::int64_t n_kv, double gb_per_s, std::int64_t d = 64) {
    return choose_build(Contender::FlashV3, d, {heads, 17, n_kv, false, 0}, kHopperSms, gb_per_s).plan.each;
  };
  const double h100 = 3350, h200 = 4800;
  CHECK(parts(32, 60000, h200) == 8);  // 256 parts on 264 places
  CHECK(parts(8, 120000, h200) == 33);
  CHECK(parts(32, 60000, h100) == parts(32, 60000, 0));
  CHECK(parts(32, 60000, h100) > 8);
  CHECK(parts(4, 16384, h200) == parts(4, 16384, h100));            // few bytes
  CHECK(parts(32, 60000, h200, 48) == parts(32, 60000, h100, 48));  // slower there
  CHECK(parts(90, 60000, h200) == parts(90, 60000, h100));          // 180 parts would leave places empty
}

TEST_CASE("four heads without a mask: the last wave is divided", "[unit]") {
  const BuildChoice choice = v3_choice(64, {4, 6535, 6535, false, 0});
  CHECK(choice.variant == 0);
  CHECK(choice.plan.whole == 132);  // of 140 tiles
  CHECK(choice.plan.first == 132);
  CHECK(choice.plan.tiles == 8);
  CHECK(choice.plan.each >= 8);
  CHECK(choice.workspace_bytes() == std::size_t(8) * choice.plan.each * 192 * 65 * 4);
  CHECK(choice.plan.us < 0.7 * plan_parts({4, 6535, 6535, false, 0}, choice.build, kHopperSms, false).us);
}

TEST_CASE("FA-2 divides the last of several waves where half of it would be empty", "[unit]") {
  const BuildChoice choice = choose_build(Contender::FlashV2, 128, {50, 1644, 1644, false, 0}, kHopperSms);
  CHECK(choice.plan.whole == 2 * 2 * kHopperSms);  // two waves of two thread blocks a multiprocessor
  CHECK(choice.plan.tiles == 122);
  CHECK(choice.plan.each == 2);  // 244 parts, a wave
  CHECK_FALSE(choose_build(Contender::FlashV2, 128, {50, 1000, 1000, false, 0}, kHopperSms).plan.divided());
  // The first wave begins one block a multiprocessor; a later one of as few tiles takes as long as a full one.
  const auto whole_us = [&](std::int64_t heads) {  // two tiles a head
    return plan_parts({heads, 256, 1644, false, 0}, choice.build, kHopperSms, false).us;
  };
  CHECK(whole_us(61) < 0.9 * whole_us(132));
  CHECK(whole_us(132 + 61) == Approx(whole_us(132 + 132)));
}

TEST_CASE("FA-2 without a mask: tiles of 64 rows where those of 128 compute more rows", "[unit]") {
  const auto choice = [](std::int64_t d, std::int64_t heads, std::int64_t n_q, std::int64_t n_kv) {
    return choose_build(Contender::FlashV2, d, {heads, n_q, n_kv, false, 0}, kHopperSms);
  };
  for (const std::int64_t d : {24, 64, 72, 128}) {
    INFO("d " << d);
    const BuildChoice three = choice(d, 200, 150, 8192);  // 192 rows, not 256
    CHECK(three.variant == v2_short_variant(d));
    CHECK(three.build.rows == 64);
    CHECK(three.build.d == built_d(Contender::FlashV2, d));
    CHECK(choice(d, 200, 200, 8192).build.rows == 128);   // 256 rows by either
    CHECK(choice(d, 400, 3100, 8192).build.rows == 128);  // 3,136, not 3,200: each visit of 64 rows takes longer
    CHECK(choice(d, 8, 40, 8192).build.rows == 64);
    CHECK(choose_build(Contender::FlashV2, d, {200, 150, 8192, true, 8042}, kHopperSms).build.rows == 128);
  }
  const BuildChoice in_parts = choice(128, 25, 133, 13749);
  CHECK(in_parts.variant == v2_short_variant(128));
  CHECK(in_parts.plan.divided());
  CHECK(in_parts.workspace_bytes() == in_parts.part_slots() * 64 * 129 * 4);
  CHECK(choice(160, 200, 150, 8192).variant == 0);  // has tiles of 64 rows alone
  // Where a head has one tile, an estimate 5 % above the other's decides for it still.
  CHECK(choice(128, 12, 8, 4096).build.rows == 64);
  CHECK(choice(128, 6, 40, 1024).build.rows == 128);
}

TEST_CASE("one row and many keys: every multiprocessor reads some", "[unit]") {
  for (const Contender kernel : kBoth) {
    const BuildChoice choice = choose_build(kernel, 128, {4, 8, 65536, false, 0}, kHopperSms);
    CHECK(choice.plan.tiles == 4);
    CHECK(choice.plan.tiles * choice.plan.each >= kHopperSms / 2);
  }
}

TEST_CASE("where heads are many, tiles stay whole", "[unit]") {
  for (const Contender kernel : kBoth) {
    for (const std::int64_t d : {64, 80, 128, 160, 192, 256}) {
      for (const bool causal : {false, true}) {
        const BuildChoice choice = choose_build(kernel, d, {512, 4096, 4096, causal, 0}, kHopperSms);
        CHECK_FALSE(choice.plan.divided());
        CHECK(choice.workspace_bytes() == 0);
        CHECK(choice.variant == 0);
      }
    }
  }
}

TEST_CASE("short causal rows take tiles of 64 rows", "[unit]") {
  for (const std::int64_t d : {32, 48, 64}) {
    const BuildChoice choice = v3_choice(d, {1008, 577, 577, true, 0});
    CHECK(choice.variant == short_rows_variant(d));
    CHECK(FastTile{choice.build.rows, choice.build.keys} == FastTile{64, 64});
  }
  CHECK(v3_choice(64, {512, 8192, 8192, true, 0}).variant == 0);
  CHECK(v3_choice(128, {1008, 577, 577, true, 0}).variant == 0);
}

TEST_CASE("few causal rows up to d = 64 take tiles of 64 rows and 128 keys", "[unit]") {
  for (const std::int64_t d : {16, 32, 48, 64}) {
    INFO("d " << d);
    CHECK(v3_choice(d, {8, 1557, 1557, true, 0}).variant == two_blocks_variant(d));
    CHECK(v3_choice(d, {128, 4096, 4096, true, 0}).variant == 0);
  }
  CHECK_FALSE(v3_choice(64, {12, 1131, 1131, true, 0}).plan.divided());
  const BuildChoice one = v3_choice(64, {1, 1795, 1795, true, 0});  // each tile of a multiprocessor of its own
  CHECK(one.variant == two_blocks_variant(64));
  CHECK(one.plan.each >= 4);
  CHECK(v3_choice(128, {8, 1557, 1557, true, 0}).variant == 0);
}

TEST_CASE("few tiles up to d = 64 take those of 64 rows and 128 keys without a mask too", "[unit]") {
  for (const std::int64_t d : {8, 24, 32, 40, 48, 64}) {
    INFO("d " << d);
    const BuildChoice choice = v3_choice(d, {12, 620, 620, false, 0});
    CHECK(choice.variant == two_blocks_variant(d));
    CHECK(choice.build.d == built_d(Contender::FlashV3, d));
    CHECK_FALSE(choice.plan.divided());  // its parts are for causal calls
  }
  CHECK(v3_choice(64, {3, 5577, 5577, false, 0}).variant == two_blocks_variant(64));  // 264 tiles, two each
  CHECK(v3_choice(64, {1, 9600, 3500, false, 0}).variant == 0);
}

TEST_CASE("a causal call with a few tiles more than places needs another round", "[unit]") {
  // Of 64 rows, 290 tiles on 264 places: 10.1 us on an H200; on 396 places, in tiles of 64 keys, 8.2.
  CHECK(v3_choice(64, {145, 103, 103, true, 0}).variant == short_rows_variant(64));
  const auto us = [](std::int64_t heads) { return rounds_us(two_blocks(64), {heads, 103, 103, true, 0}, kHopperSms); };
  CHECK(us(132) == 0);
  CHECK(us(265) == Approx(1.5 * us(133)));
  // Of 128 rows, four tiles a head: the 133rd is one of the second longest, the 265th and 397th are shorter still.
  const BuildPace pace = fewer_rows(64);
  CHECK(rounds_us(pace, {100, 512, 512, true, 0}, kHopperSms) == Approx(3 * (2 * pace.visit_us + pace.item_us)));
}

TEST_CASE("rows of an odd number of 16-byte chunks take tiles that load fewer of them", "[unit]") {
  // 36 heads of 6,251 rows in tiles of 64: 627 us at d = 40, 364 in tiles of 192.
  CHECK(v3_choice(40, {36, 6251, 6251, true, 0}).build.rows == 192);
  CHECK(v3_choice(40, {7, 3977, 3977, true, 0}).variant == kFewerRowsVariant);
  CHECK(v3_choice(48, {7, 3977, 3977, true, 0}).variant != kFewerRowsVariant);
  CHECK(v3_choice(40, {12, 941, 941, false, 0}).variant == kFewerRowsVariant);
  CHECK(v3_choice(64, {12, 941, 941, false, 0}).variant == two_blocks_variant(64));
  // Alone on their multiprocessors, blocks do not wait for the rows of others.
  CHECK(v3_choice(40, {2, 512, 512, false, 0}).build.rows == 64);
}

TEST_CASE("tiles of 128 rows where they just fill the multiprocessors", "[unit]") {
  CHECK(v3_choice(56, {3, 5577, 5577, false, 0}).variant == kFewerRowsVariant);  // 132 tiles, one each
  CHECK(v3_choice(56, {8, 2100, 2100, false, 0}).variant != kFewerRowsVariant);  // 136
  CHECK(v3_choice(56, {3, 5577, 5577, true, 0}).variant != kFewerRowsVariant);
  CHECK(v3_choice(64, {625, 728, 728, false, 0}).variant == 0);
}

TEST_CASE("sections of a causal backward pass have every head once", "[unit]") {
  const auto sections = [](Contender kernel, const SharesShape& s) {
    return backward_sections(kernel, s, shares_of(kernel, s, kHopperSms), kHopperSms);
  };
  for (const Contender kernel : {Contender::FlashV2Backward, Contender::FlashV3Backward}) {
    for (const std::int64_t heads : {1, 2, 7, 16, 68}) {
      for (const std::int64_t n : {1, 130, 1026, 5624}) {
        const SharesShape s{heads, 4, n, n, 64, true};
        const BackwardSections found = sections(kernel, s);
        const std::int64_t all = heads * shares_of(kernel, s, kHopperSms);
        REQUIRE(found.heads >= 1);
        CHECK((all - found.larger * (found.heads + 1)) % found.heads == 0);
        CHECK(found.larger * (found.heads + 1) <= all);
      }
    }
    CHECK(sections(kernel, {8, 4, 5624, 5624, 64, true}).heads == 4);
    CHECK(sections(kernel, {8, 4, 5624, 5624, 64, false}).heads == 1);    // no mask: blocks take equally long
    CHECK(sections(kernel, {256, 1, 1024, 1024, 128, true}).heads == 1);  // many waves
  }
  // Q, dO and dQ of four such heads do not stay in L2 beside FA-3's rate of loads.
  CHECK(sections(Contender::FlashV3Backward, {4, 8, 10745, 10745, 128, true}).heads == 2);
  CHECK(sections(Contender::FlashV2Backward, {4, 8, 10745, 10745, 128, true}).heads == 4);
}

TEST_CASE("sections of K and V heads give sections of query heads that have every head once", "[unit]") {
  std::mt19937_64 random(12);
  bool unequal = false;
  for (int i = 0; i < 500; ++i) {
    const std::int64_t kv_heads = std::int64_t(random() % 60) + 1, group = std::int64_t(random() % 8) + 1;
    const std::int64_t n = std::int64_t(random() % 4000) + 1;
    const BackwardSections of_keys =
        backward_sections(Contender::FlashV3Backward, {kv_heads, group, n, n, 192, true}, 1, kHopperSms);
    const BackwardSections found = even_sections(kv_heads * group, of_keys.heads);
    INFO(kv_heads << " heads, " << group << " query heads of each, n " << n);
    CHECK((kv_heads * group - found.larger * (found.heads + 1)) % found.heads == 0);
    CHECK((found.heads >= 1 && found.heads + (found.larger > 0) <= of_keys.heads));
    unequal |= (kv_heads * group - of_keys.larger * (of_keys.heads + 1)) % of_keys.heads != 0;
  }
  CHECK(unequal);  // the sections of K and V heads would not do
}

TEST_CASE("without a multiprocessor nothing is divided", "[unit]") {
  CHECK(choose_build(Contender::FlashV3, 64, {4, 6535, 6535, false, 0}, 0).workspace_bytes() == 0);
}

TEST_CASE("work items are every KV tile of every Q tile, once", "[unit]") {
  std::mt19937 random(5);
  const auto from = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  int divided = 0;
  for (int i = 0; i < 400; ++i) {
    const Contender kernel = kBoth[from(0, 1)];
    const std::int64_t d = from(1, 256), n_q = from(1, 5000), n_kv = from(1, 9000);
    const PartsShape shape{from(1, 12), n_q, n_kv, from(0, 1) == 1, from(0, 1) * (n_kv - n_q)};
    const BuildChoice choice = choose_build(kernel, d, shape, kHopperSms);
    if (!choice.plan.divided()) continue;
    ++divided;
    const Parts parts = parts_of(choice.plan);
    const std::int64_t q_tiles = ceil_div(n_q, choice.build.rows), tiles = q_tiles * shape.heads;
    REQUIRE(parts.whole + parts.tiles == tiles);
    CHECK(std::int64_t(choice.part_slots()) <= kMostPartSlots);
    std::vector<std::vector<int>> seen(static_cast<std::size_t>(tiles));
    for (std::vector<int>& of_tile : seen) of_tile.resize(static_cast<std::size_t>(ceil_div(n_kv, choice.build.keys)));
    std::vector<int> slots(choice.part_slots());
    for (int index = 0; index < work_items(parts); ++index) {
      const WorkItem item = work_item(parts, index);
      REQUIRE((item.tile >= 0 && item.tile < tiles));
      if (item.of > 1) ++slots.at(std::size_t(item.slot));
      for (int nth = 0; nth < kv_tiles_of(item, int(seen[0].size())); ++nth)
        ++seen[std::size_t(item.tile)].at(std::size_t(nth_kv_tile(item, nth)));
    }
    for (const std::vector<int>& of_tile : seen) CHECK(of_tile == std::vector<int>(of_tile.size(), 1));
    CHECK(slots == std::vector<int>(slots.size(), 1));
  }
  CHECK(divided > 100);
}

TEST_CASE("flash_v3 copies K and V into wider rows where many queries read them", "[unit]") {
  const PartsShape many{32, 4096, 4096, false, 0}, few{32, 128, 4096, false, 0};
  for (const std::int64_t d : {72, 88, 104, 120}) {
    CHECK(spreads_rows(d, 32, many));
    CHECK_FALSE(spreads_rows(d, 32, few));
  }
  for (const std::int64_t d : {64, 80, 96, 128, 136}) CHECK_FALSE(spreads_rows(d, 32, many));
  CHECK_FALSE(spreads_rows(72, 1, {1, 512, 512, false, 0}));            // the copy's launch takes longer
  CHECK_FALSE(spreads_rows(72, 64, {64, 1 << 18, 1 << 18, false, 0}));  // addresses of 32 bits
}

TEST_CASE("sections of forward heads: K and V in L2, one wave of tiles where short rows stream", "[unit]") {
  const auto sections = [](Contender kernel, const SectionShape& s) { return section_count(kernel, s, kHopperSms); };
  CHECK(sections(Contender::FlashV2, {832, 1, 230, 230, 128}) == 3);  // two waves of tiles
  CHECK(sections(Contender::FlashV3, {64, 1, 230, 230, 128}) == 1);   // K and V of all heads fit in L2
  CHECK(sections(Contender::FlashV3, {512, 1, 400, 400, 256}) == 7);  // products set the time
  CHECK(sections(Contender::FlashV3, {128, 1, 4096, 4096, 128}) == 11);
  CHECK(sections(Contender::FlashV2, {128, 4, 4096, 4096, 128}) == 3);  // four query heads read the same K and V
  for (const std::int64_t n : {600, 700, 1024}) {
    const std::int64_t tiles = (n + 127) / 128, heads = 512;
    const std::int64_t all = sections(Contender::FlashV3, {heads, 1, n, n, 128});
    CHECK((heads + all - 1) / all * tiles <= kHopperSms);  // one wave
    CHECK(heads / all * tiles > kHopperSms / 2);
  }
  for (const std::int64_t n : {1, 100, 100'000, 10'000'000})
    for (const std::int64_t sms : {0, 132}) {
      const std::int64_t all = section_count(Contender::FlashV3, {3, 1, n, n, 128}, sms);
      CHECK((all >= 1 && all <= 3));
    }
}

TEST_CASE("the last section of forward heads has two waves of tiles where L2 allows", "[unit]") {
  const auto sections = [](Contender kernel, const SectionShape& s) { return section_count(kernel, s, kHopperSms); };
  // 25 heads of 134 tiles on 264 places: with 24 MiB the last section would be one head.
  CHECK(sections(Contender::FlashV2, {25, 1, 8536, 8536, 256}) == 7);
  CHECK(sections(Contender::FlashV3, {25, 1, 8536, 8536, 256}) == 7);
  CHECK(sections(Contender::FlashV2, {25, 1, 8536, 8536, 128}) == 3);
  CHECK(sections(Contender::FlashV3, {12, 1, 16000, 16000, 128}) == 4);  // more than 40 MiB leave L2
  std::mt19937_64 random(13);
  for (int i = 0; i < 500; ++i) {
    const std::int64_t heads = std::int64_t(random() % 200) + 1, n = std::int64_t(random() % 30000) + 1200;
    const SectionShape s{heads, 1, n, n, std::int64_t(random() % 32 + 1) * 8};
    for (const Contender kernel : kBoth) {
      const std::int64_t all = sections(kernel, s), largest = (heads + all - 1) / all;
      REQUIRE((all >= 1 && all <= heads));
      CHECK((largest == 1 || largest * n * s.d * 4 <= kMostSectionBytes));
    }
  }
}
