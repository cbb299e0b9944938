// FlashAttention-3, forward, for Hopper (sm_90a).
//
// Idea       flash_v2's walk, with a thread of control of its own for each unit of the SM: a producer warp only starts
//            bulk copies (TMA), consumer warpgroups only multiply (wgmma, operands straight from shared memory) and
//            exponentiate, and mbarriers pass the tiles between them.
// Changed    Since flash_v2.cu: wgmma and TMA in place of mma.sync and cp.async; registers move from the producer to
//            the consumers (setmaxnreg); warpgroups take turns so that one's exponentials overlap with another's
//            products (ping-pong); within a warpgroup S of the next tile is multiplied while this tile's softmax runs
//            (overlap); blocks stay on their multiprocessor and draw Q tiles, causal ones longest first (persistent).
// Launch     One block a multiprocessor: a producer warpgroup and 2 or 3 consumer warpgroups of 64 rows each.
// Tiles      flash_v3_variants.h; the first entry of each list is what variant 0 runs.
// Shared     Two stages of Q, of K and of V, and O: d = 128, 112 and 96, 128 x 128: 225 KiB; up to 64, 192 x 128: 137
//            KiB. Above 128 one Q, which O overwrites when it is stored: d = 192, 128 x 112: 217 KiB; d = 160 the same,
//            its third column of 64 half empty; d = 256, 128 x 64: 193 KiB.
// Registers  Producer 24 (32), consumers 240 (160 where there are three); without a producer up to 255 (168).
// Measured   kernels/NOTES.md.
#include <span>

#include "core/problem/build_choice.h"
#include "core/problem/fast_kernels.h"
#include "kernels/fast/flash_v3.h"
#include "kernels/fast/flash_v3_launch.h"
#include "kernels/fast/flash_v3_variants.h"

namespace tilewalk::fast {
namespace {

// The first of each list are the tiles of core/problem/fast_kernels.h.
#define TILEWALK_TILES(D, CONSUMERS, KEYS, OPTIONS, NAME) {64 * CONSUMERS, KEYS},
constexpr FastTile kTiles[][10] = {
    {TILEWALK_V3_32(TILEWALK_TILES)},  {TILEWALK_V3_48(TILEWALK_TILES)},  {TILEWALK_V3_NARROW(TILEWALK_TILES)},
    {TILEWALK_V3_96(TILEWALK_TILES)},  {TILEWALK_V3_112(TILEWALK_TILES)}, {TILEWALK_V3_WIDE(TILEWALK_TILES)},
    {TILEWALK_V3_160(TILEWALK_TILES)}, {TILEWALK_V3_192(TILEWALK_TILES)}, {TILEWALK_V3_WIDEST(TILEWALK_TILES)}};
#undef TILEWALK_TILES
constexpr int list_of(std::int64_t d) {
  int list = 0;
  for (const int built : {32, 48, 64, 96, 112, 128, 160, 192}) list += built_d(Contender::FlashV3, d) > built;
  return list;
}
template <int D, FastTile kTile = kTiles[list_of(D)][0]>
constexpr bool kKnown = fast_tile(Contender::FlashV3, D, false) == kTile&& fast_shared(Contender::FlashV3, D, false) ==
                        Layout<D, Build<(int)kTile.rows / 64, (int)kTile.keys, kAll>>::kBytes;
static_assert(kKnown<32> && kKnown<48> && kKnown<64> && kKnown<96> && kKnown<112> && kKnown<128> && kKnown<160> &&
              kKnown<192> && kKnown<256>);

template <int D>
constexpr bool has_tile(int variant, const BuildPace& build) {
  return kTiles[list_of(D)][variant] == FastTile{build.rows, build.keys};
}
template <int D>
constexpr bool kHasNarrow =
    has_tile<D>(short_rows_variant(D), short_rows(D)) && has_tile<D>(two_blocks_variant(D), two_blocks(D)) &&
    has_tile<D>(kFewerRowsVariant, fewer_rows(D));
static_assert(kHasNarrow<32> && kHasNarrow<48> && kHasNarrow<64>);

template <int D, class B>
const char* launch_build(const ForwardArgs& a, KvRows kv, bool bf16, bool causal, cudaStream_t stream) {
  using Bf16 = __nv_bfloat16;
  if (bf16) return causal ? launch<Bf16, D, true, B>(a, kv, stream) : launch<Bf16, D, false, B>(a, kv, stream);
  return causal ? launch<__half, D, true, B>(a, kv, stream) : launch<__half, D, false, B>(a, kv, stream);
}

struct Version {
  const char* name;
  const char* (*run)(const ForwardArgs&, KvRows kv, bool bf16, bool causal, cudaStream_t);
};

#define TILEWALK_VERSION(D, CONSUMERS, KEYS, OPTIONS, NAME) {NAME, &launch_build<D, Build<CONSUMERS, KEYS, (OPTIONS)>>},
const Version kWidest[] = {TILEWALK_V3_WIDEST(TILEWALK_VERSION)};
const Version kOf192[] = {TILEWALK_V3_192(TILEWALK_VERSION)};
const Version kOf160[] = {TILEWALK_V3_160(TILEWALK_VERSION)};
const Version kWide[] = {TILEWALK_V3_WIDE(TILEWALK_VERSION)};
const Version kOf112[] = {TILEWALK_V3_112(TILEWALK_VERSION)};
const Version kOf96[] = {TILEWALK_V3_96(TILEWALK_VERSION)};
const Version kNarrow[] = {TILEWALK_V3_NARROW(TILEWALK_VERSION)};
const Version kOf48[] = {TILEWALK_V3_48(TILEWALK_VERSION)};
const Version kOf32[] = {TILEWALK_V3_32(TILEWALK_VERSION)};
const std::span<const Version> kLists[] = {kOf32, kOf48, kNarrow, kOf96, kOf112, kWide, kOf160, kOf192, kWidest};
#undef TILEWALK_VERSION

const Version* version(int variant, int d) {
  const std::span<const Version> all = kLists[list_of(d)];
  return variant >= 0 && variant < (int)all.size() ? &all[variant] : nullptr;
}

}  // namespace

const char* flash_v3_variant(int variant, int d) {
  const Version* const found = version(variant, d);
  return found != nullptr ? found->name : nullptr;
}

const char* flash_v3_launch(int variant, const ForwardArgs& a, KvRows kv, bool bf16, bool causal, cudaStream_t stream) {
  return version(variant, a.d)->run(a, kv, bf16, causal, stream);
}

}  // namespace tilewalk::fast
