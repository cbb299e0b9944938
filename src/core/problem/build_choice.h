// Which build of flash_v2 or flash_v3 runs a call, and whether it divides tiles (parts_plan.h). No CUDA here: a test
// checks the choice without a GPU.
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/problem/bulk_plan.h"
#include "core/problem/fast_kernels.h"
#include "core/problem/parts_plan.h"

namespace tilewalk::fast {

struct BuildChoice {
  int variant = 0;  // of flash_v2_launch() and flash_v3_launch(), and of flash_v3_parts_launch()
  BuildPace build{};
  PartsPlan plan{};

  std::size_t part_slots() const {
    if (plan.in_stretches()) return 2 * std::size_t(plan.blocks);
    return plan.divided() ? std::size_t(plan.tiles) * std::size_t(plan.each) : 0;
  }
  std::size_t workspace_bytes() const { return part_slots() * std::size_t(build.rows) * std::size_t(build.d + 1) * 4; }
};

// Times of a visit on an H100, from calls with few and with many keys: bench_shapes.py, kernels/NOTES-builds.md.
inline BuildPace pace_of(Contender kernel, std::int64_t d, bool causal) {
  const int built = (int)built_d(kernel, d);
  if (kernel == Contender::FlashV3) {
    switch (built) {
      case 32: return {192, 128, 32, 1.30, 1, causal ? 1.66 : 1.33, 1.2};
      case 48: return {192, 128, 48, 1.415, 1, causal ? 1.6 : 1.35, 0.6};
      case 64: return {192, 128, 64, 1.45, 1, causal ? 2.2 : 3.0, 0.9, {0.58, 0.80}};
      case 96: return {128, 128, 96, 1.25};
      case 112: return {128, 128, 112, 1.43};
      case 128: return {128, 128, 128, 1.50};
      case 160: return {128, 112, 160, 1.74};
      case 192: return {128, 112, 192, 1.80};
      default: return {128, 64, 256, 1.34};
    }
  }
  switch (built) {
    case 32: return {128, 64, 32, 1.7, 3};
    case 64: return causal ? BuildPace{128, 128, 64, 3.5, 2} : BuildPace{128, 64, 64, 2.56, 3};
    case 96: return {128, 64, 96, 2.2, 2};
    case 128: return {128, 64, 128, 2.82, 2};
    case 160: return {64, 64, 160, 2.17, 2};
    case 192: return {64, 64, 192, 2.45, 2};
    default: return {64, 64, 256, 3.30, 2};
  }
}

// flash_v3's other builds at head sizes up to 64, by the head size they are built for: 64, 48 or 32. Constants of those
// for 48 and 32: v3.18 and v3.19 in kernels/NOTES-builds.md.

// For short rows: three blocks a multiprocessor.
constexpr BuildPace short_rows(std::int64_t built) {
  switch (built) {
    case 32: return {64, 64, 32, 0.73, 3, 2.45};
    case 48: return {64, 64, 48, 0.80, 3, 2.5};
    default: return {64, 64, 64, 0.83, 3, 2.5};
  }
}
constexpr int short_rows_variant(std::int64_t d) { return d > 48 ? 8 : 2; }  // flash_v3_variants.h

// For few tiles: two blocks a multiprocessor, which need half the visits of the build above, so the longest tile ends
// sooner. How long joining its parts takes, and its constants: v3.16 and v3.20 in kernels/NOTES-builds.md.
constexpr BuildPace two_blocks(std::int64_t built) {
  switch (built) {
    case 32: return {64, 128, 32, 1.02, 2, 2.4};
    case 48: return {64, 128, 48, 1.18, 2, 2.4};
    default: return {64, 128, 64, 1.15, 2, 2.4};
  }
}
inline constexpr JoinPace kTwoBlocksJoin{3.2, 3e6, 0.02, 0.2, 0.01};
constexpr int two_blocks_variant(std::int64_t d) { return d > 48 ? 9 : 3; }  // flash_v3_variants.h

// Rows of an odd number of 16-byte chunks take a multiprocessor so many microseconds each: blocks that share it wait,
// where the first tiles, which are copied ahead, are not most of them.
inline constexpr double kOddRowUs = 3.3e-3;
inline constexpr std::int64_t kCopiedAhead = 300;  // keys
inline bool has_odd_rows(std::int64_t d) { return ceil_div(d, 8) % 2 == 1; }
inline BuildPace with_loads(BuildPace build, std::int64_t d, const PartsShape& s, std::int64_t multiprocessors) {
  if (!has_odd_rows(d) || s.n_kv <= kCopiedAhead || multiprocessors <= 0) return build;
  const std::int64_t tiles = s.heads * ceil_div(s.n_q, build.rows);
  const double together = double(std::min<std::int64_t>(build.blocks, ceil_div(tiles, multiprocessors)));
  const double share = wave_share(tiles, build.blocks, multiprocessors);
  build.visit_us = std::max(build.visit_us, kOddRowUs * 2 * build.keys * together / share);
  return build;
}

// flash_v3's build of 128 rows at head sizes up to 64 without a mask: where its tiles just fill the multiprocessors.
constexpr BuildPace fewer_rows(std::int64_t built) {
  switch (built) {
    case 32: return {128, 128, 32, 1.01, 1, 2.45};
    case 48: return {128, 128, 48, 1.01, 1, 2.24};
    default: return {128, 128, 64, 1.26, 1, 2.4};
  }
}
inline constexpr int kFewerRowsVariant = 1;  // flash_v3_variants.h

// flash_v2's build with Q in registers at head sizes up to 64 without a mask, two blocks a multiprocessor: faster than
// three where not all three have work.
inline constexpr BuildPace kFewTiles{128, 64, 64, 1.75, 2};
inline constexpr int kFewTilesVariant = 2;  // flash_v2.cu

// flash_v2's build of 64 rows without a mask at head sizes up to 128 (kernels/fast/flash_v2_short.cu): faster where
// rows are few and tiles of 128 would be half empty.
constexpr BuildPace v2_short_pace(std::int64_t built_d) {
  switch (built_d) {
    case 32: return {64, 128, 32, 1.99, 3};
    case 64: return {64, 128, 64, 3.0, 3};
    case 96: return {64, 128, 96, 2.70, 2};
    default: return {64, 128, 128, 3.42, 2};
  }
}
inline constexpr double kShortAlone = 1.05;  // of the estimate, where a head has one tile
constexpr int v2_short_variant(std::int64_t d) { return d > 32 && d <= 64 ? 3 : 2; }  // flash_v2.cu

inline double bytes_of_kv(std::int64_t d, const PartsShape& s) {
  return double(s.heads) * double(s.n_kv) * double(d) * 4;
}

// flash_v3's builds for parts where each K and V head has one Q tile of at most 64 rows, as in decoding, at head sizes
// above 64: one consumer, one block a multiprocessor. Of flash_v3_parts_launch() alone; times: p.9 in
// kernels/NOTES-builds.md.
inline constexpr int kOneTileVariant = 100;
inline constexpr std::int64_t kOneTileRows = 64;
inline constexpr double kOneTileBytes128 = 3.2e8;  // K and V; with more, d = 128 gains nothing

// The build of few rows, as in decoding, of flash_v2 and flash_v3 (kernels/fast/few_rows.h). At d = 64, flash_v2's own
// parts read K and V faster, but not the few of a short call. Times of an H200: kernels/NOTES-decoding.md.
inline constexpr int kFewRowsVariant = 101;
inline constexpr BuildPace kFewRows{16, 128, 64, 1.7, 4, 2.5};
inline constexpr double kFewRowsBytes = 4e6;
inline bool in_few_rows(std::int64_t d, const PartsShape& shape) {
  if (shape.causal || shape.n_q > kFewRows.rows || d > kFewRows.d) return false;
  return d != 64 || bytes_of_kv(d, shape) <= kFewRowsBytes;
}

// flash_v3's build of few rows by bulk copies (kernels/fast/few_rows_bulk.h), whole tiles too. Up to d = 64 the parts
// of the build above stay where they are faster: for few bytes, and for rows of an odd number of 16-byte chunks, but
// for many bytes in five or seven.
inline constexpr int kBulkRowsVariant = 102;
inline constexpr BuildPace kBulkRows{16, 128, 64, 1.7, 4, 2.5};
inline constexpr double kBulkOddBytes = 16e6;
inline constexpr double kBulkBytes128 = 30e6;  // at d = 128, where heads are fewer than kBulkHeads128
inline constexpr std::int64_t kBulkHeads128 = 8;
constexpr bool is_of_few_rows(int variant) { return variant == kFewRowsVariant || variant == kBulkRowsVariant; }
// columns: d, rounded up to a multiple of 8.
constexpr BuildPace bulk_rows(std::int64_t columns) {
  BuildPace build = kBulkRows;
  build.d = columns > 96 ? 128 : columns > 64 ? 96 : columns > 32 ? 64 : 32;
  if (columns > 64) build.blocks = 2;
  return build;
}
inline constexpr std::int64_t kBulkKeys = 256;  // shorter calls were not measured
inline bool in_bulk_rows(std::int64_t d, const PartsShape& shape, const PartsPlan& bulk, const PartsPlan& few,
                         std::int64_t multiprocessors) {
  if (shape.causal || shape.n_q > kBulkRows.rows || d > 128 || shape.n_kv < kBulkKeys) return false;
  const double bytes = bytes_of_kv(d, shape);
  if (d > 64) {
    const bool few_heads = d > 112 && shape.heads < kBulkHeads128;
    return d % 16 == 0 && bytes > (few_heads ? kBulkBytes128 : kFewRowsBytes);
  }
  if (d % 16 == 0) return !bulk.divided() || bytes > kFewRowsBytes * (d == 16 ? 2 : 1);
  return !few.divided() || (d > 24 && bytes > kBulkOddBytes && shape.heads <= multiprocessors * kBulkRows.blocks);
}

inline constexpr double kSpreadUs = 5;              // a launch
inline constexpr double kSpreadBytesPerUs = 2.4e6;  // read and written
inline constexpr double kSpreadSaves = 1.4e-9;      // microseconds for a score and column of Q and K

// Whether flash_v3 first copies K and V into rows of built_d elements. Rows of an odd number of 16-byte chunks begin
// inside 32-byte pieces, and the copy engine then takes longer for each of the n_q rows that read them. Times of an
// H100: kernels/NOTES.md.
inline bool spreads_rows(std::int64_t d, std::int64_t kv_heads, const PartsShape& s) {
  if (d % 16 != 8 || d < 72 || d > 120) return false;
  const double rows = double(kv_heads) * double(s.n_kv), scores = double(s.heads) * double(s.n_q) * double(s.n_kv);
  if (rows * double(d) * 2 > double(1 << 30)) return false;  // addresses of 32 bits
  const double saved_us = scores * double(d) * (s.causal ? 0.5 : 1) * kSpreadSaves;
  return saved_us > kSpreadUs + rows * double(d) * 8 / kSpreadBytesPerUs;
}

// Where flash_v3 decodes at d = 64 on a card with this memory, one wave of two parts a multiprocessor reads K and V up
// to 5 % faster than three: on an H200 more bytes on their way are slower, the cause not known. On an H100 the number
// of parts gains at most 1 %, and fewer than 64 MB are no faster (kernels/NOTES-decoding.md).
inline constexpr double kFastDramGbPerS = 4000, kTwoPartsFromBytes = 64e6, kFullWave = 0.9;
inline void take_two_parts(PartsPlan& plan, const PartsShape& shape, std::int64_t multiprocessors) {
  const std::int64_t places = 2 * multiprocessors, each = places / shape.heads;
  if (plan.whole > 0 || each < 2 || each > kMostParts || double(each * shape.heads) < kFullWave * double(places))
    return;
  plan.each = int(each);
}

// The parts of a build: joining them takes as long as measured for its kernel.
inline PartsPlan plan_of(Contender kernel, const PartsShape& shape, const BuildPace& build,
                         std::int64_t multiprocessors, bool may_divide = true) {
  const bool slow = kernel == Contender::FlashV2 && (shape.causal || shape.n_q <= build.rows);
  const JoinPace& join = slow ? kSlowJoin : shape.causal ? kCausalJoin : kJoin;
  return plan_parts(shape, build, multiprocessors, may_divide, join);
}

inline const BuildChoice& faster(const BuildChoice& other, const BuildChoice& usual) {
  return other.plan.us < kWorthwhile * usual.plan.us ? other : usual;
}

// flash_v2 up to d = 128. Tiles of 64 rows where they compute fewer rows than tiles of 128, and the estimate does not
// speak against them. It does not know that a tile of at most 64 rows waits for fewer loads in a short block.
inline BuildChoice without_mask_v2(std::int64_t d, const PartsShape& shape, BuildChoice best,
                                   std::int64_t multiprocessors) {
  if (best.build.d == kFewTiles.d)
    best = faster({kFewTilesVariant, kFewTiles, plan_of(Contender::FlashV2, shape, kFewTiles, multiprocessors)}, best);
  const BuildPace build = v2_short_pace(best.build.d);
  const std::int64_t tiles = ceil_div(shape.n_q, build.rows);
  if (tiles % 2 == 0) return best;
  const BuildChoice other{v2_short_variant(d), build, plan_of(Contender::FlashV2, shape, build, multiprocessors)};
  return other.plan.us < (tiles == 1 ? kShortAlone : 1) * best.plan.us ? other : best;
}

// flash_v3 up to d = 64.
inline BuildChoice narrow_v3(std::int64_t d, const PartsShape& shape, BuildChoice usual, std::int64_t multiprocessors,
                             double dram_gb_per_s) {
  const auto in_rounds = [&](BuildChoice& choice) {
    if (shape.causal && !choice.plan.divided())
      choice.plan.us = std::max(choice.plan.us, rounds_us(choice.build, shape, multiprocessors));
  };
  in_rounds(usual);
  const std::int64_t built = usual.build.d;
  BuildChoice small{short_rows_variant(d), with_loads(short_rows(built), d, shape, multiprocessors)};
  const bool one_tile = shape.n_q <= small.build.rows;  // as in decoding
  small.plan = plan_of(Contender::FlashV3, shape, small.build, multiprocessors, one_tile && !shape.causal);
  if (one_tile && small.plan.divided()) {  // its parts read K and V fastest
    if (d == 64 && dram_gb_per_s > kFastDramGbPerS && bytes_of_kv(d, shape) >= kTwoPartsFromBytes)
      take_two_parts(small.plan, shape, multiprocessors);
    return small;
  }
  in_rounds(small);
  BuildChoice best = faster(small, usual);
  if (!shape.causal || has_odd_rows(d)) {
    BuildChoice fewer{kFewerRowsVariant, fewer_rows(built)};
    fewer.plan = plan_parts(shape, fewer.build, multiprocessors, false);
    in_rounds(fewer);
    const double least = shape.causal ? best.plan.us : usual.plan.us;
    if (fewer.plan.us < std::min(kWorthwhile * least, best.plan.us)) best = fewer;
  }
  BuildChoice two{two_blocks_variant(d), with_loads(two_blocks(built), d, shape, multiprocessors)};
  two.plan = plan_parts(shape, two.build, multiprocessors, shape.causal, kTwoBlocksJoin);
  in_rounds(two);
  return two.plan.us < best.plan.us ? two : best;
}

// dram_gb_per_s: the card's memory by its data sheet, 1e9 bytes per second; 0 for any.
inline BuildChoice choose_build(Contender kernel, std::int64_t d, const PartsShape& shape, std::int64_t multiprocessors,
                                double dram_gb_per_s = 0) {
  const BuildPace first = pace_of(kernel, d, shape.causal);
  const bool v3 = kernel == Contender::FlashV3, narrow = v3 ? first.d <= 64 : first.d == 64;
  if (const std::int64_t columns = ceil_div(d, 8) * 8; columns <= 128 && multiprocessors > 0) {
    BuildChoice few{kFewRowsVariant, kFewRows};
    if (columns <= 32) few.build.d = 32;
    if (columns <= kFewRows.d) few.plan = plan_parts(shape, few.build, multiprocessors);
    BuildChoice bulk{kBulkRowsVariant, bulk_rows(columns)};
    if (v3) bulk.plan = plan_bulk(shape.heads, shape.n_kv, columns, bulk.build, multiprocessors);
    if (v3 && in_bulk_rows(columns, shape, bulk.plan, few.plan, multiprocessors)) return bulk;
    if (in_few_rows(columns, shape) && few.plan.divided()) return few;
  }
  const bool reads_once = d != 128 || bytes_of_kv(d, shape) <= kOneTileBytes128;
  if (v3 && !narrow && !shape.causal && shape.n_q <= kOneTileRows && reads_once) {
    BuildPace build = first;
    build.rows = int(kOneTileRows);
    const BuildChoice once{kOneTileVariant, build, plan_of(kernel, shape, build, multiprocessors)};
    if (once.plan.divided()) return once;
  }
  // The parts of flash_v2 at these sizes are computed by the build with Q in registers.
  const bool has_parts = v3 || !narrow || shape.causal;
  const BuildChoice usual{0, first, plan_of(kernel, shape, first, multiprocessors, has_parts)};
  if (!v3) return shape.causal || d > 128 ? usual : without_mask_v2(d, shape, usual, multiprocessors);
  return narrow ? narrow_v3(d, shape, usual, multiprocessors, dram_gb_per_s) : usual;
}

}  // namespace tilewalk::fast
