#include "pages/compare/chip_lanes_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/units.h"
#include "base/words.h"
#include "core/problem/device_model.h"
#include "measured/recorded_race.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

// The Q tile of a block's first stamps. Under a causal mask its number is that of the tile which sees the last KV tile
// loaded for it; without one, work tiles are numbered head by head.
std::int64_t q_tile_of(const ChipRun& run, const ChipBlock& first, std::int64_t last_kv_tile) {
  const std::int64_t tiles = (run.n + run.rows() - 1) / run.rows();
  if (!run.causal) {
    for (const ChipLane& lane : first.lanes)
      for (const ChipStamp& s : lane.stamps)
        if (s.what == Stamp::WorkTile) return s.tile % tiles;
    return 0;
  }
  for (std::int64_t q = 0; q < tiles; ++q)
    if ((std::min(run.n, (q + 1) * run.rows()) - 1) / ChipRun::kKeys >= last_kv_tile) return q;
  return tiles - 1;
}

bool is_consumer(const ChipLane& lane) { return lane.role.starts_with("consumer"); }

bool has_stamp(const ChipLane& lane, Stamp what) {
  return std::any_of(lane.stamps.begin(), lane.stamps.end(), [&](const ChipStamp& s) { return s.what == what; });
}

// A short Q tile has rows for the first consumers alone.
bool has_rows(const ChipLane& lane) { return has_stamp(lane, Stamp::Scores); }

// True if every consumer with rows stored them.
bool ends_stored(const ChipBlock& block) {
  return std::all_of(block.lanes.begin(), block.lanes.end(), [](const ChipLane& lane) {
    return !is_consumer(lane) || !has_rows(lane) || has_stamp(lane, Stamp::Store);
  });
}

std::string skipped_tiles(const ChipBlock& block) {
  std::string out;
  for (const ChipLane& lane : block.lanes) {
    if (is_consumer(lane) && !has_rows(lane)) {
      add_to_list(out, lane.role + " has no rows of this Q tile");
      continue;
    }
    for (const ChipStamp& s : lane.stamps)
      if (s.what == Stamp::Skip)
        add_to_list(out, fmt::format("{} sees no key of tile {} and skips it", lane.role, s.tile));
  }
  return out;
}

}  // namespace

std::string differences_from(const ChipRun& run, const Problem& now) {
  std::string text;
  const auto add = [&](bool differs, const std::string& what) {
    if (differs) add_to_list(text, what);
  };
  const bool square = now.shape.n_q == now.shape.n_kv;
  add(!square || now.shape.n_kv != run.n,
      fmt::format(
          "N {}, not {}", format_count(run.n),
          square ? format_count(now.shape.n_kv) : format_count(now.shape.n_q) + " × " + format_count(now.shape.n_kv)));
  add(now.shape.batch != run.batch || now.shape.heads != run.heads,
      fmt::format("batch {} × {} heads, not {} × {}", run.batch, run.heads, now.shape.batch, now.shape.heads));
  add(now.shape.kv_heads != now.shape.heads, "a KV head for each head");
  add(now.shape.d != run.d, fmt::format("d {}, not {}", run.d, now.shape.d));
  add(now.tiling.br != run.rows() || now.tiling.bc != ChipRun::kKeys,
      fmt::format("tiles {}×{}, not {}×{}", run.rows(), ChipRun::kKeys, now.tiling.br, now.tiling.bc));
  add(now.numerics.dtype != DType::Bf16, "bf16");
  add(now.shape.mask.kind != MaskKind::None && now.shape.mask.kind != MaskKind::Causal, "causal");
  add(now.tiling.order != KvOrder::Reverse, "keys from the last tile down");
  add(now.tiling.stages != 4, "4 stages");
  add(now.machine.device != kRecordedOn, "an " + device_of(kRecordedOn).title);
  return text;
}

ChipBlock first_q_tile(const ChipBlock& whole) {
  ChipBlock out = whole;
  double begin = -1;
  for (ChipLane& lane : out.lanes) {
    // The watcher of arrivals has no stamp for the next work tile, but one for its Q.
    const Stamp next = lane.role == "landed" ? Stamp::QLoad : Stamp::WorkTile;
    int tiles = 0;
    const auto end = std::find_if(lane.stamps.begin(), lane.stamps.end(),
                                  [&](const ChipStamp& s) { return s.what == next && ++tiles == 2; });
    lane.stamps.erase(end, lane.stamps.end());
    for (const ChipStamp& s : lane.stamps)
      if (s.what == Stamp::WorkTile) begin = begin < 0 ? s.at : std::min(begin, s.at);
  }
  for (ChipLane& lane : out.lanes)
    for (ChipStamp& s : lane.stamps) s.at = std::max(0.0, s.at - std::max(0.0, begin));
  // timeline_of() ends where the first consumer has no more stamps. Here all are complete up to the last one's end.
  if (!ends_stored(out)) return out;
  double end = 0;
  for (const ChipLane& lane : out.lanes)
    if (is_consumer(lane)) end = std::max(end, lane.stamps.back().at);
  for (ChipLane& lane : out.lanes)
    if (is_consumer(lane)) lane.stamps.push_back({Stamp::Start, -1, end});
  return out;
}

ChipLanes chip_lanes_for(const ChipTimelines& chip, const Problem& now) {
  ChipLanes out;
  const auto at = chip.provenance.find("card, driver, top clock");
  if (at != chip.provenance.end()) out.card = at->second.substr(0, at->second.find(','));
  out.run = chip.nearest(now);
  if (!out.run) return out;
  const ChipBlock first = first_q_tile(out.run->blocks.front());
  out.timeline = timeline_of(*out.run, first);
  out.skipped = skipped_tiles(first);
  std::set<std::int64_t> visited;
  for (const Segment& s : out.timeline.segments)
    if (s.doing == Doing::Scores) visited.insert(s.kv_tile);
  out.whole = ends_stored(first);
  if (visited.empty()) return out;
  out.first_kv_tile = *visited.rbegin(), out.last_kv_tile = *visited.begin();
  out.q_tile = q_tile_of(*out.run, first, out.first_kv_tile);
  return out;
}

void describe_chip(const ChipLanes& chip, const Problem& modelled, const Timeline& timeline, LanesModel& model) {
  if (!chip.run) {
    model.sentence = "The chip was not recorded with just these switches: put one back. " + model.sentence;
    return;
  }
  if (model.pictures.size() != 2) return;
  const ChipRun& run = *chip.run;
  std::string tiles = run.name;
  if (const std::size_t by = tiles.find('x'); by != std::string::npos) tiles.replace(by, 1, "×");
  model.pictures[0].title = fmt::format("Recorded on an {}: tiles {} · SM {} at {:.2f} GHz", chip.card, tiles,
                                        run.blocks.front().sm, run.blocks.front().ghz);
  model.pictures[1].title = "Modelled: " + lane_settings(modelled);
  model.pictures[1].cycles_text = cycles_text(timeline.simulated_cycles) + " cycles";
  for (LanesPicture& picture : model.pictures)
    picture.note = fmt::format("Q tile {}, KV tiles {} to {}", chip.q_tile, chip.first_kv_tile, chip.last_kv_tile);
}

}  // namespace tilewalk
