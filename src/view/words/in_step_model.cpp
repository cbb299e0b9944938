#include "view/words/in_step_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/units.h"
#include "core/schedules/registry.h"
#include "view/words/units.h"

namespace tilewalk {
std::string so_far_text(const WalkProgress& p) {
  return fmt::format("{} of {} · {} · {}", format_count(p.visits), counted(p.of_visits, "tile visit"),
                     part_of_text(format_bytes(p.bytes), format_bytes(p.of_bytes)),
                     part_of_text(format_flops(p.flops), format_flops(p.of_flops)));
}

std::int64_t cursor_at_the_same_cycle(const Timeline& now, std::int64_t cursor, const Timeline& pinned) {
  double at = 0;
  for (const Segment& s : now.segments)
    if (s.end_step > s.first_step && (s.end_step <= cursor || s.first_step < cursor)) at = std::max(at, s.end);
  std::int64_t reached = -1, first = std::numeric_limits<std::int64_t>::max();
  for (const Segment& s : pinned.segments) {
    if (s.end_step <= s.first_step) continue;
    first = std::min(first, s.first_step);
    if (s.end <= at) reached = std::max(reached, s.end_step);
  }
  if (first == std::numeric_limits<std::int64_t>::max()) return 0;
  return reached < 0 ? first : reached;
}

namespace {

// Visits of the pinned side's tiles for each of this one's: 2 where those have half as many scores.
double visits_for_one(const Problem& pinned, const Problem& now) {
  const auto scores = [](const Tiling& tiling) { return double(tiling.br * tiling.bc); };
  return scores(now.tiling) / scores(pinned.tiling);
}

// The side whose lack of lanes leaves the two in step by tile where modelled time is chosen; else null.
const Problem* without_lanes(Pace pace, const Problem& pinned, const Problem& now) {
  if (pace != Pace::Time) return nullptr;
  return !has_lanes(pinned.schedule) ? &pinned : !has_lanes(now.schedule) ? &now : nullptr;
}

// Visits are those of the first pass: each tile counts once.
std::string passes_words(const Problem& pinned, const Problem& now) {
  for (const Problem* each : {&pinned, &now})
    if (row_of(*each).memory.scores_in_hbm)
      return fmt::format(" Each tile counts once: in {}'s first pass, not in those that read it back.",
                         title_of(each->schedule));
  return "";
}

}  // namespace

std::string pace_text(Pace pace, const Problem& pinned, const Problem& now) {
  if (const Problem* const one = without_lanes(pace, pinned, now))
    return std::string("in step by tile: ") + title_of(one->schedule) + " has no lanes";
  const std::string out = fmt::format("in step by {}", name_of(pace));
  const double visits = visits_for_one(pinned, now);
  if (pace != Pace::Tile || visits == 1) return out;
  const std::string many = format_digits(visits > 1 ? visits : 1 / visits, 2);
  return fmt::format("{}: {} of {}, {} of {}", out, visits > 1 ? many : "1", title_of(pinned.schedule),
                     visits > 1 ? "1" : many, title_of(now.schedule));
}

std::string pace_tip(Pace pace, const Problem& pinned, const Problem& now) {
  const std::string tiles =
      fmt::format("The pinned side, in tiles of {}×{}, has visited as many scores as this one, in tiles of {}×{}.",
                  pinned.tiling.br, pinned.tiling.bc, now.tiling.br, now.tiling.bc) +
      passes_words(pinned, now);
  const char* meaning = "";
  switch (pace) {
    case Pace::Tile: meaning = tiles.c_str(); break;
    case Pace::Flop: meaning = "The pinned side has done no more FLOPs than this one."; break;
    case Pace::Byte: meaning = "The pinned side has asked global memory for no more bytes than this one."; break;
    case Pace::Time: meaning = "Both thread blocks are at the same modelled cycle."; break;
  }
  const std::string no_cycles = "Without lanes there is no modelled cycle at which both thread blocks are. " + tiles;
  if (without_lanes(pace, pinned, now)) meaning = no_cycles.c_str();
  return fmt::format("{} Click for the next of tile, FLOP, byte and modelled time (I).", meaning);
}

}  // namespace tilewalk
