// The timeline measured on the GPU itself: stamps of flash_v3's traced build (kernels/fast/record.h), recorded on an
// H200 in assets/measurements/flash_v3_stamps_*.csv by kernels/fast/scripts/record_traces.py. A stamp says what ended
// in one role of a thread block, for which KV tile, and when by that multiprocessor's own clock. A damaged or foreign
// file gives an Issue with file and line; memory use is bounded by the file's own length.
//
// The stamps do not show when a product ended (its warpgroup saw it at the next wait; it is drawn until then) and, in
// the build without a producer, when a tile arrived. Products of one warpgroup run in the order of issue, so P V of a
// tile is drawn from the moment at which the S issued before it was seen. Stamping itself costs time: the file also has
// the run's times with and without stamps.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/chip/timeline.h"
#include "measured/stamp.h"

namespace tilewalk {

inline constexpr const char* kChipTimelineFile = "assets/measurements/flash_v3_stamps_h200_2026-11-21.csv";
// In the same folder: builds without an optimisation beside the whole one, in one run. Each run of the stamps had a
// clock of its own, so times of two of them do not show what an optimisation gains.
inline constexpr const char* kChipBuildsFile = "flash_v3_ablation_h200_2026-11-23.csv";
inline constexpr std::int64_t kChipMultiprocessors = 132;  // of the H200 of the recording

struct ChipStamp {
  Stamp what{};           // what ended
  std::int64_t tile = 0;  // KV tile; work tile for w, a, Q, z; -1 for the first
  double at = 0;          // cycles since the block's first stamp
};

struct ChipLane {
  std::string role;  // "producer", "landed" (arrivals of tiles), "consumer 0" …
  std::vector<ChipStamp> stamps;

  bool is_consumer() const { return role.starts_with("consumer"); }
};

struct ChipBlock {
  std::int64_t block = 0, sm = 0, cycles = 0;  // cycles: from the first to the last stamp of the thread block
  double ghz = 0;                              // its clock: cycles over nanoseconds
  std::vector<ChipLane> lanes;
};

// One build on one problem: bf16, 128-key tiles, 16k tokens in all.
struct ChipRun {
  std::int64_t variant = 0, d = 0, heads = 0, batch = 0, n = 0;
  bool causal = false;
  std::string name;  // "128x128, no overlap"
  // medians: the racing build; the build with stamps, switched off and on
  double ms_plain = 0, ms_silent = 0, ms_traced = 0;
  double ms_beside = 0;   // of the racing build again, in turn with the others in one run (kChipBuildsFile); 0: none
  double ghz_silent = 0;  // median clock of the multiprocessors in the run with stamps switched off
  std::vector<ChipBlock> blocks;

  bool specialised() const, ping_pong() const, overlap() const;
  std::int64_t rows() const;                  // of a Q tile
  static constexpr std::int64_t kKeys = 128;  // of a KV tile, in every recorded build
  // Cycles of a multiprocessor for one visit of a Q tile and a KV tile, from the run with stamps switched off and its
  // clock.
  double cycles_per_visit(std::int64_t multiprocessors) const;
};

struct ChipTimelines {
  std::map<std::string, std::string> provenance;  // "card, driver, top clock", "date", …
  std::vector<ChipRun> runs;

  // The run with this head size and mask whose length is nearest (ties: the shorter), with the lane options of `like`
  // where a build has them; null if there is none.
  const ChipRun* nearest(const Problem& like) const;
};

Result<ChipTimelines> parse_chip_timelines(std::string_view text, const std::string& name);
Result<Done> add_times_beside(std::string_view text, const std::string& name, ChipTimelines&);  // of kChipBuildsFile
// With the times of kChipBuildsFile, if it is there.
Result<ChipTimelines> load_chip_timelines(const std::string& path);

Problem recorded_problem(const ChipRun&);  // with its tiles, options and device

// In core/chip/timeline's lanes, so that both are drawn alike. Steps are empty: a segment has no step of the walk.
Timeline timeline_of(const ChipRun&, const ChipBlock&);

// Median cycles by phase and tile visit over all consumers of a block: how a warpgroup spends its time.
struct ChipPhases {
  std::int64_t visits = 0;
  double scores = 0;       // S = Q Kᵀ, from issue to seen
  double softmax = 0;      // row max, exponentials, row sum
  double wait_output = 0;  // for O after the softmax
  double correct = 0;      // O rescaled where needed, P packed to 16 bits
  double turn = 0;         // for the tensor cores' turn
  double tiles = 0;        // for K and V to land
  double period = 0;       // from one visit to the next
};
ChipPhases phases_of(const ChipBlock&);

}  // namespace tilewalk
