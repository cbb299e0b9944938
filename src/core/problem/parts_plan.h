// When a forward kernel divides tiles along the keys (Parts, forward_args.h), and into how many parts. The last wave of
// thread blocks often leaves most multiprocessors without work: 140 tiles on 132 multiprocessors take as long as 264.
// Without a mask the tiles of that wave are divided; under a causal mask the tiles longer than a part. Whole tiles are
// drawn first, then parts. An estimate in microseconds decides; it knows waves, visits, a tile's beginning and end,
// what joining costs, and the rate of DRAM where K and V are read once. Not modelled: blocks that share a
// multiprocessor, L2, clocks. No CUDA here.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tilewalk::fast {

// One build of a kernel, as the estimate knows it.
struct BuildPace {
  int rows, keys;           // of its tile
  int d;                    // the head size that it computes
  double visit_us;          // a visit of one Q tile and one KV tile, with as many thread blocks as fit
  int blocks = 1;           // thread blocks that share a multiprocessor
  double item_us = 1.5;     // of a tile or part: Q, first scores, last products, O
  double first_us = 0;      // once a call without a mask: larger tiles begin later
  double last[2] = {1, 1};  // of a tile's time, where at most one or two thirds of its rows are there
};

struct PartsShape {
  std::int64_t heads, n_q, n_kv;  // heads: in all, batch included
  bool causal;
  std::int64_t shift;  // row i sees keys up to i + shift
};

struct PartsPlan {
  int first = 0, tiles = 0, each = 1;  // as in Parts
  int whole_first = 0, whole = 0;
  double us = 0;   // the estimate
  int blocks = 0;  // as in Parts
  bool divided() const { return tiles > 0; }
  bool in_stretches() const { return divided() && blocks > 0; }
};

inline constexpr double kTail = 0.25;  // of a part: multiprocessors without work at a causal call's end
// What parts cost beside their visits.
struct JoinPace {
  double us;                    // a second launch
  double bytes_per_us;          // partial O, written and read, mostly in L2
  double part_us = 0;           // for each part of a tile
  double later_us = 0;          // of a causal call whose items do not all begin at once
  double tail_at_once = kTail;  // in place of kTail, where they do
};
// From 440 calls of an H200 without a mask, and 56 of flash_v3 with (p.14 in kernels/NOTES-builds.md). Slow: flash_v2
// under a causal mask, or where a head has one Q tile; there such figures chose too many parts.
inline constexpr JoinPace kJoin{5.5, 5.6e6, 0.08}, kSlowJoin{6, 3e6}, kCausalJoin{4.3, 3e6, 0, 1.4, 0.05};
inline constexpr double kMostWaves = 16;              // beyond, the last wave is too small a part of the whole
inline constexpr double kManyWaves = 8;               // from there on, what a tile without rows saves is filled
inline constexpr double kWorthwhile = 0.96;           // of the time without parts
inline constexpr double kDramBytesPerUs = 2.98e6;     // of an H100: 32 heads of 60,000 keys, kernels/NOTES-builds.md
inline constexpr double kDramReaders = 110;           // multiprocessors that reach this rate
inline constexpr int kMostParts = 256;                // of a tile
inline constexpr std::int64_t kMostPartSlots = 1056;  // parts in all: eight for each of 132 multiprocessors
inline constexpr std::int64_t kLongest = 1 << 22;     // visits of a tile: kv_tiles_of() multiplies in 32 bits

inline std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// KV tiles that Q tile `index` sees.
inline std::int64_t visits_of(const PartsShape& s, const BuildPace& build, std::int64_t index) {
  std::int64_t keys = s.n_kv;
  if (s.causal) keys = std::min(keys, std::min((index + 1) * build.rows, s.n_q) + s.shift);
  return keys <= 0 ? 0 : ceil_div(keys, build.keys);
}

// The time of a wave of `items`, at most as many as fit, over that of a full one: blocks with a multiprocessor of their
// own are faster than those that share it, but a multiprocessor with fewer blocks does less in all.
inline double wave_share(std::int64_t items, int blocks, std::int64_t multiprocessors) {
  const std::int64_t together = std::min<std::int64_t>(ceil_div(items, multiprocessors), blocks);
  if (together >= blocks) return 1;
  const double busy = blocks == 2 ? 0.62 : together == 1 ? 0.5 : 0.82;
  return double(together) / double(blocks) / busy;
}

// What whole tiles of a causal call take at least, longest first: of the k slots + 1 longest, k + 1 are in one place.
inline double rounds_us(const BuildPace& build, const PartsShape& s, std::int64_t multiprocessors) {
  const std::int64_t slots = multiprocessors * build.blocks, q_tiles = ceil_div(s.n_q, build.rows);
  double most = 0;
  for (std::int64_t k = 1; k * slots < q_tiles * s.heads && double(k) < kMostWaves; ++k) {
    const std::int64_t visits = visits_of(s, build, q_tiles - 1 - k * slots / s.heads);
    most = std::max(most, double(k + 1) * (double(visits) * build.visit_us + build.item_us));
  }
  return most;
}

inline double join_us(const BuildPace& build, const PartsShape& s, const PartsPlan& plan, const JoinPace& join) {
  const double rows = double(std::min<std::int64_t>(build.rows, s.n_q));
  const double bytes = double(plan.tiles) * plan.each * rows * build.d * 4 * 2;
  return join.us + bytes / join.bytes_per_us + join.part_us * plan.each;
}

// may_divide false: the estimate of whole tiles alone.
inline PartsPlan plan_parts(const PartsShape& s, const BuildPace& build, std::int64_t multiprocessors,
                            bool may_divide = true, const JoinPace& join = kSlowJoin) {
  PartsPlan best;
  const std::int64_t slots = multiprocessors * build.blocks;
  const std::int64_t q_tiles = ceil_div(s.n_q, build.rows), tiles = q_tiles * s.heads;
  if (slots <= 0 || q_tiles <= 0) return best;
  // K and V of a visit come from DRAM where no other Q tile reads them.
  const double loads = q_tiles == 1 ? double(build.keys * build.d * 4) / kDramBytesPerUs : 0;
  const double visit = std::max(build.visit_us, loads * kDramReaders * build.blocks);
  const std::int64_t longest = visits_of(s, build, q_tiles - 1);  // under either mask
  std::int64_t all = longest * tiles;
  if (s.causal) {
    all = 0;
    for (std::int64_t i = 0; i < q_tiles; ++i) all += visits_of(s, build, i) * s.heads;
  }
  const auto spread = [&](double items) { return (double(all) * visit + items * build.item_us) / double(slots); };
  const auto one = [&](double visits) { return visits * visit + build.item_us; };
  const auto wave = [&](std::int64_t items, double visits) {
    return std::max(wave_share(items, build.blocks, multiprocessors) * one(visits),
                    double(items) * visits * loads + build.item_us);
  };
  const auto waves = [&](std::int64_t items, double visits) {
    const std::int64_t last = items % slots;
    return double(items / slots) * wave(slots, visits) + (last > 0 ? wave(last, visits) : 0);
  };
  const auto longest_first = [&](std::int64_t items, double visits) {
    return std::max(one(visits) * (items < slots ? wave_share(items, build.blocks, multiprocessors) : 1),
                    spread(double(items)));
  };
  const std::int64_t last_rows = s.n_q - (q_tiles - 1) * build.rows;
  const double last = 3 * last_rows <= build.rows ? build.last[0] : 3 * last_rows <= 2 * build.rows ? build.last[1] : 1;
  const std::int64_t filled =
      double(tiles) > kManyWaves * double(slots) ? std::int64_t(double(s.heads) * (double(q_tiles - 1) + last)) : tiles;
  // Two blocks that share a multiprocessor end together, and two begin there: a later wave leaves multiprocessors empty
  // and takes as long as a full one, however few tiles it has.
  const bool in_pairs = build.blocks == 2 && tiles > slots && loads == 0;
  best.us = s.causal   ? longest_first(tiles, double(longest))
            : in_pairs ? double(ceil_div(tiles, slots)) * one(double(longest))
                       : waves(filled, double(longest));
  const double first = s.causal ? 0 : build.first_us;
  best.us += first;
  const double whole = best.us;
  if (!may_divide || double(tiles) >= kMostWaves * double(slots) || longest > kLongest) return best;
  for (int each = 2; each <= std::min<std::int64_t>(kMostParts, longest); ++each) {
    PartsPlan plan{.each = each};
    const double part = double(ceil_div(longest, each));
    if (s.causal) {
      std::int64_t longer = 0;  // Q tiles; later ones see no fewer keys
      for (std::int64_t low = 0, high = q_tiles; low < high; longer = q_tiles - low) {
        const std::int64_t middle = (low + high) / 2;
        if (visits_of(s, build, middle) > ceil_div(longest, each))
          high = middle;
        else
          low = middle + 1;
      }
      plan.tiles = int(longer * s.heads);
      plan.whole_first = plan.tiles, plan.whole = int(tiles) - plan.tiles;
      const std::int64_t items = tiles + std::int64_t(plan.tiles) * (each - 1);
      const bool at_once = items <= slots;
      plan.us = longest_first(items, part) + (at_once ? join.tail_at_once : kTail) * part * visit;
      plan.us += at_once ? 0 : join.later_us;
    } else {
      plan.tiles = int(tiles % slots), plan.first = plan.whole = int(tiles - plan.tiles);
      plan.us = waves(plan.first, double(longest)) + waves(std::int64_t(plan.tiles) * each, part);
    }
    const std::int64_t used = std::int64_t(plan.tiles) * each;
    if (plan.tiles == 0 || used > kMostPartSlots) continue;
    plan.us += first + join_us(build, s, plan, join);
    if (plan.us < best.us && plan.us < kWorthwhile * whole) best = plan;
  }
  return best;
}

}  // namespace tilewalk::fast
