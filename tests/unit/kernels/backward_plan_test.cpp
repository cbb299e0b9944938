// How the backward passes of FA-2 and FA-3 divide a call: their builds, and shares of the query heads of a K and V
// head.
#include <random>

#include "core/problem/shares_plan.h"
#include "tests/support/catch.h"

using namespace tilewalk;
using namespace tilewalk::fast;

namespace {

constexpr std::int64_t kBackwardSms = 132;

}  // namespace

TEST_CASE("a backward thread block has all keys of a head where they are few", "[unit]") {
  const auto build = [](std::int64_t kv_heads, std::int64_t n_q, std::int64_t n_kv, std::int64_t d, bool causal) {
    return backward_build(Contender::FlashV3Backward, {kv_heads, 1, n_q, n_kv, d, causal}, kBackwardSms);
  };
  for (const std::int64_t n : {1, 64, 128}) CHECK(build(864, n, n, 64, true).tile == FastTile{128, 128});
  for (const std::int64_t n : {129, 132, 192}) {
    CHECK(build(864, n, n, 64, false).tile == FastTile{64, 192});
    CHECK(build(864, n, n, 40, true).all_keys);
    CHECK(build(8, n, n, 64, false).all_keys);  // short rows, few heads: no sums and one launch less
  }
  CHECK(!build(864, 193, 193, 64, false).all_keys);
  CHECK(!build(864, 129, 129, 128, false).all_keys);
  for (const std::int64_t d : {72, 96, 128}) {
    CHECK(build(864, 128, 128, d, true).all_keys);
    CHECK(build(8, 4096, 100, d, false).all_keys);
    CHECK(build(864, 128, 128, d, false).tile == FastTile{64, 128});
    CHECK(!build(864, 128, 100, d, true).all_keys);  // first rows may see no key
  }
  CHECK(!build(864, 128, 128, 136, false).all_keys);
  CHECK(!build(864, 200, 190, 64, true).all_keys);  // first rows may see no key
  CHECK(build(864, 200, 190, 64, false).all_keys);
  // Two KV tiles of few heads run side by side: 95 and 113 us measured, and with 64 heads 156 and 139.
  CHECK(!build(8, 4096, 160, 64, false).all_keys);
  CHECK(build(64, 4096, 160, 64, false).all_keys);
  CHECK(build(8, 4096, 100, 64, false).all_keys);  // one tile in either build
  CHECK(!backward_build(Contender::FlashV2Backward, {864, 1, 128, 128, 64, false}, kBackwardSms).all_keys);
}

TEST_CASE("many query heads of one K and V head are shares under a causal mask", "[unit]") {
  const auto shares = [](Contender kernel, const SharesShape& s) { return shares_of(kernel, s, kBackwardSms); };
  const SharesShape long_rows{4, 8, 10745, 10745, 128, true}, short_rows{35, 8, 883, 883, 128, true};
  CHECK(shares(Contender::FlashV3Backward, long_rows) > 1);
  CHECK(shares(Contender::FlashV3Backward, short_rows) == 4);
  // Shares of two and three of five query heads, one share of five behind cuDNN.
  CHECK(shares(Contender::FlashV3Backward, {12, 5, 1923, 1923, 96, true}) == 2);
  CHECK(shares(Contender::FlashV3Backward, {20, 5, 1823, 1823, 128, true}) == 3);
  CHECK(shares(Contender::FlashV2Backward, {12, 5, 1923, 1923, 96, true}) == 5);  // its shares are equal
  CHECK(shares(Contender::FlashV3Backward, {16, 7, 907, 907, 64, true}) == 2);    // three and four
  CHECK(shares(Contender::FlashV2Backward, {8, 8, 2300, 2300, 256, true}) == 4);
  CHECK(shares(Contender::FlashV2Backward, {8, 2, 2818, 2818, 256, true}) == 1);   // two heads stay in L2
  CHECK(shares(Contender::FlashV2Backward, {4, 7, 8919, 8919, 80, true}) == 1);    // sums of seven shares cost more
  CHECK(shares(Contender::FlashV3Backward, {35, 8, 883, 883, 128, false}) == 1);   // blocks keep in step
  CHECK(shares(Contender::FlashV3Backward, {32, 2, 8192, 8192, 128, true}) == 1);  // two heads stay in L2
  CHECK(shares(Contender::FlashV3Backward, {8, 8, 8192, 8192, 32, true}) == 1);    // rows are a quarter as long
  // FA-2 at d = 32: two thread blocks share a multiprocessor, and 240 blocks leave most of 264 places empty at the end.
  CHECK(shares(Contender::FlashV2Backward, {6, 8, 5103, 5103, 32, true}) > 1);
  CHECK(shares(Contender::FlashV2Backward, {6, 8, 6106, 6106, 32, true}) > 1);
}

TEST_CASE("flash_v2's backward pass divides query heads to fill its last wave", "[unit]") {
  // 16 heads of 45 KV tiles: 720 thread blocks are six waves on 132 SMs, 1,440 of half the length eleven.
  CHECK(shares_of(Contender::FlashV2Backward, {16, 8, 2818, 2818, 256, false}, kBackwardSms) == 2);
  CHECK(shares_of(Contender::FlashV2Backward, {16, 8, 2900, 2900, 256, false}, kBackwardSms) == 1);  // 736: 5.6 waves
  CHECK(shares_of(Contender::FlashV2Backward, {12, 2, 4000, 4000, 128, true}, kBackwardSms) == 1);   // unequal lengths
  CHECK(shares_of(Contender::FlashV2Backward, {8, 2, 2818, 2818, 128, true}, kBackwardSms) == 2);
  CHECK(shares_of(Contender::FlashV3Backward, {16, 8, 2818, 2818, 256, false}, kBackwardSms) == 1);  // not measured
}

TEST_CASE("the backward pass divides query heads where K and V heads are few", "[unit]") {
  for (const Contender kernel : {Contender::FlashV2Backward, Contender::FlashV3Backward}) {
    INFO(word_of(kernel));
    CHECK(shares_of(kernel, {2, 4, 3022, 3022, 128, true}, kBackwardSms) == 4);
    CHECK(shares_of(kernel, {64, 4, 4096, 4096, 128, false}, kBackwardSms) == 1);  // blocks enough
    CHECK(shares_of(kernel, {2, 1, 3022, 3022, 128, true}, kBackwardSms) == 1);    // nothing to divide
    CHECK(shares_of(kernel, {2, 4, 3022, 3022, 128, true}, 0) == 1);               // no GPU
    std::mt19937_64 random(11);
    for (int i = 0; i < 500; ++i) {
      const std::int64_t group = std::int64_t(random() % 12) + 1, d = std::int64_t(random() % 256) + 1;
      const SharesShape s{std::int64_t(random() % 40) + 1,   group, std::int64_t(random() % 9000) + 1,
                          std::int64_t(random() % 9000) + 1, d,     random() % 2 == 0};
      const std::int64_t shares = shares_of(kernel, s, kBackwardSms);
      CHECK((shares >= 1 && shares <= group));
      const bool unequal = kernel == Contender::FlashV3Backward && s.causal && d <= 128;
      CHECK((unequal || group % shares == 0));
      std::int64_t heads = 0;
      for (std::int64_t share = 0; share < shares; ++share) {
        const std::int64_t of_share = heads_of_share(group, shares, share);
        CHECK((of_share == group / shares || of_share == (group + shares - 1) / shares));
        heads += of_share;
      }
      CHECK(heads == group);
    }
  }
}
