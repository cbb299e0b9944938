// Into how many parts flash_v3's build of few rows by bulk copies (kernels/fast/few_rows_bulk.h) divides the keys of
// each head, and where all heads' keys are shared out equally instead. An estimate in microseconds of an H200 decides:
// bytes at the memory's rate, longer where the busiest multiprocessor has more than its share or where few bytes are on
// their way, and what joining costs. Constants: calls of decode_bulk_h200_2026-11-29.csv and their first tries, above
// d = 64 of decode_forced_parts_h200_2026-11-30.csv, of stretches decode_stretches_tries_h200_2026-11-30.csv
// (kernels/NOTES-decoding.md); an H100 was not measured. No CUDA here.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/problem/parts_plan.h"

namespace tilewalk::fast {

inline constexpr double kBulkBytesPerUs = 4.3e6;
inline constexpr double kBulkInFlight = 65536;  // bytes of a multiprocessor; with fewer it waits
inline constexpr double kBulkWait = 0.17;       // of the time, for each time that as many bytes are missing
inline constexpr double kBulkExcess = 0.03;     // likewise, for bytes beyond
inline constexpr double kBulkLaterWave = 0.4;   // of the places of a last wave that stay empty: its bytes come faster
inline constexpr double kBulkJoinUs = 2, kBulkPartUs = 0.006;
inline constexpr std::int64_t kMostBulkSlots = 2112;  // four waves of 132 multiprocessors

// At d = 64, where heads are many: so many thread blocks of each multiprocessor take one head after another; 0: a block
// for each work item. Two or three, whose last round of heads fills more places; of equal ones three, which hide more
// of a short head's begin and end. Rounds must be nearly full, or much fuller than waves of a block for each head are:
// a last round of few heads is slow. Other head sizes are up to 3 % slower so (kernels/NOTES-decoding.md).
inline constexpr double kFullRounds = 0.9, kFullerRounds = 0.8;  // of the places, in the mean of all rounds
inline constexpr double kFullerBy = 0.15;
inline constexpr int kWaveBlocks = 4;  // of each multiprocessor, a block for each head
inline int many_heads_blocks(std::int64_t heads, std::int64_t columns, std::int64_t multiprocessors) {
  if (columns != 64 || multiprocessors <= 0) return 0;
  const auto filled = [&](int blocks) {
    const std::int64_t places = blocks * multiprocessors;
    return double(heads) / double(ceil_div(heads, places) * places);
  };
  const int best = heads > 3 * multiprocessors && filled(3) >= filled(2) ? 3 : 2;
  if (heads <= best * multiprocessors) return 0;
  const bool fuller = filled(best) >= kFullerRounds && filled(best) >= filled(kWaveBlocks) + kFullerBy;
  return filled(best) >= kFullRounds || fuller ? best : 0;
}

// Where the blocks of a plan with `each` parts a head leave many multiprocessors without work at the end: so many
// thread blocks of each multiprocessor have equal stretches of all heads' keys (Parts); 0: none. Up to two heads a
// multiprocessor that is faster only where bytes are many. At d = 80 and 96 it was as often slower.
inline constexpr double kFullEnough = 0.9, kFewPairs = 0.57;  // of the places
inline constexpr double kStretchBytes = 130e6, kStretchBytesWhole = 300e6, kStretchBytesPairs = 450e6;
inline constexpr std::int64_t kStretchKeys = 1024;  // shorter calls were not measured
inline int stretch_blocks(std::int64_t heads, std::int64_t n_kv, std::int64_t columns, std::int64_t each,
                          std::int64_t multiprocessors) {
  if (multiprocessors <= 0 || n_kv < kStretchKeys) return 0;
  const auto filled = [](std::int64_t items, std::int64_t places) {
    return double(items) / double(ceil_div(items, places) * places);
  };
  if (columns == 64) {
    const std::int64_t places = kWaveBlocks * multiprocessors;
    return heads > places && filled(heads, places) < kFullEnough ? 2 : 0;
  }
  const bool pairs = heads > multiprocessors, waves = heads > 2 * multiprocessors;
  if (columns <= 96 || filled(heads * each, pairs ? 2 * multiprocessors : multiprocessors) >= kFullEnough) return 0;
  // A second head on a few multiprocessors costs most at d = 128.
  const bool few_pairs = columns > 112 && pairs && filled(heads, 2 * multiprocessors) < kFewPairs;
  const double least = few_pairs   ? kStretchBytes
                       : pairs     ? kStretchBytesPairs
                       : each == 1 ? kStretchBytesWhole
                                   : kStretchBytes;
  return waves || double(heads) * double(n_kv) * double(columns) * 4 >= least ? 1 : 0;
}

// columns: d, rounded up to a multiple of 8. build.blocks thread blocks share a multiprocessor.
inline double bulk_us(std::int64_t heads, std::int64_t n_kv, std::int64_t columns, const BuildPace& build,
                      std::int64_t each, std::int64_t multiprocessors) {
  const std::int64_t items = heads * each, places = multiprocessors * build.blocks, waves = ceil_div(items, places);
  const double read = double(heads) * double(n_kv) * double(columns) * 4 / kBulkBytesPerUs;
  const double on_sms = double(std::min(items, places)) / double(multiprocessors);
  const double flight = on_sms * build.keys * double(columns) * 4 / kBulkInFlight;
  double share = waves == 1 ? double(ceil_div(items, multiprocessors) * multiprocessors) / double(items)
                            : 1 + kBulkLaterWave * (double(waves * places) / double(items) - 1);
  share *= flight < 1 ? 1 + kBulkWait * (1 / flight - 1) : 1 + kBulkExcess * (flight - 1);
  return read * share + (each > 1 ? kBulkJoinUs + kBulkPartUs * double(items) / double(waves) : 0);
}

// Above d = 64. Each thread block has one tile of keys on its way, which takes as long as the memory's latency; many
// blocks together reach the memory's rate, and more of them are slower again. A last wave takes the time of a part of
// a full one at least. A head's tiles of keys may be shared out unequally.
inline constexpr double kWideBytesPerUs = 4.55e6, kWideLatencyUs = 0.48, kWideExcess = 0.07;
inline constexpr double kWideLastWave = 0.4, kWideUnequal = 0.27, kWideUs = 7.1, kWideJoinUs = 0.9, kWidePartUs = 6e-4;
inline constexpr double kStretchesJoinUs = 2.1;
class WideEstimate {
 public:
  WideEstimate(std::int64_t heads, std::int64_t n_kv, std::int64_t columns, const BuildPace& build,
               std::int64_t multiprocessors)
      : heads_(heads),
        places_(multiprocessors * build.blocks),
        tiles_(ceil_div(n_kv, build.keys)),
        multiprocessors_(double(multiprocessors)),
        head_bytes_(double(n_kv) * double(columns) * 4),
        asked_by_block_(build.keys * double(columns) * 4 / kWideLatencyUs / kWideBytesPerUs),
        full_rate_(bytes_per_us(double(places_))) {}

  // Of equal stretches, a thread block a multiprocessor.
  double stretches_us() const {
    return kWideUs + double(heads_) * head_bytes_ / bytes_per_us(multiprocessors_) + kStretchesJoinUs;
  }

  double us(std::int64_t each) const {
    const std::int64_t items = heads_ * each, last = items < places_ ? items : items % places_, full = items - last;
    const double longest = double(ceil_div(tiles_, each) * each) / double(tiles_);  // part, over the mean
    const double bytes = head_bytes_ / double(each) * (1 + kWideUnequal * (longest - 1));
    double us = kWideUs + double(full) * bytes / full_rate_;
    if (last > 0)
      us += double(last) * bytes / bytes_per_us(std::max(double(last), full > 0 ? kWideLastWave * double(places_) : 0));
    return each == 1 ? us : us + kWideJoinUs + kWidePartUs * double(std::min(items, places_));
  }

 private:
  double bytes_per_us(double blocks) const {
    const double asked = blocks * asked_by_block_, excess = std::max(0.0, blocks / multiprocessors_ - 1);
    return kWideBytesPerUs * asked / std::sqrt(1 + asked * asked) / (1 + kWideExcess * excess);
  }

  std::int64_t heads_, places_, tiles_;
  double multiprocessors_, head_bytes_, asked_by_block_, full_rate_;
};

// Whether some multiprocessors would have a second block and most would not. Above d = 96 one block of each nearly
// reaches the memory's rate, and those with two end late.
inline bool has_late_blocks(std::int64_t items, std::int64_t columns, std::int64_t multiprocessors) {
  return columns > 96 && items > multiprocessors && 2 * items < 3 * multiprocessors;
}

inline PartsPlan stretches_of(std::int64_t heads, std::int64_t blocks, double us) {
  return {.tiles = int(heads), .each = int(ceil_div(blocks, heads)) + 1, .us = us, .blocks = int(blocks)};
}

inline PartsPlan plan_wide(std::int64_t heads, std::int64_t n_kv, std::int64_t columns, const BuildPace& build,
                           std::int64_t multiprocessors) {
  const WideEstimate estimate(heads, n_kv, columns, build, multiprocessors);
  PartsPlan best{.us = estimate.us(1)};
  const std::int64_t most = std::min({std::int64_t(kMostParts), kMostPartSlots / heads, ceil_div(n_kv, build.keys)});
  for (std::int64_t each = 2; each <= most; ++each) {
    if (has_late_blocks(heads * each, columns, multiprocessors)) continue;
    const double us = estimate.us(each);
    if (us < best.us) best = {.tiles = int(heads), .each = int(each), .us = us};
  }
  const std::int64_t blocks = stretch_blocks(heads, n_kv, columns, best.each, multiprocessors) * multiprocessors;
  return blocks > 0 ? stretches_of(heads, blocks, estimate.stretches_us()) : best;
}

inline PartsPlan plan_bulk(std::int64_t heads, std::int64_t n_kv, std::int64_t columns, const BuildPace& build,
                           std::int64_t multiprocessors) {
  if (columns > 64) return plan_wide(heads, n_kv, columns, build, multiprocessors);
  if (const int blocks = many_heads_blocks(heads, columns, multiprocessors); blocks > 0)
    return {.blocks = int(blocks * multiprocessors)};
  PartsPlan best{.us = bulk_us(heads, n_kv, columns, build, 1, multiprocessors)};
  const std::int64_t places = multiprocessors * build.blocks;  // one wave, unless heads alone are more
  const std::int64_t slots = heads > places ? kMostBulkSlots : places;
  const std::int64_t most = std::min<std::int64_t>({kMostParts, slots / heads, ceil_div(n_kv, build.keys)});
  for (std::int64_t each = 2; each <= most; ++each) {
    const double us = bulk_us(heads, n_kv, columns, build, each, multiprocessors);
    if (us < best.us) best = {.tiles = int(heads), .each = int(each), .us = us};
  }
  const std::int64_t blocks = stretch_blocks(heads, n_kv, columns, best.each, multiprocessors) * multiprocessors;
  return blocks > 0 ? stretches_of(heads, blocks, best.us) : best;
}

}  // namespace tilewalk::fast
