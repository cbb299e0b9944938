#include "view/words/in_step_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/units.h"
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

std::string pace_text(Pace pace, const Problem& pinned, const Problem& now) {
  std::string out = fmt::format("in step by {}", name_of(pace));
  const Tiling &a = pinned.tiling, &b = now.tiling;
  if (pace != Pace::Tile || (a.br == b.br && a.bc == b.bc)) return out;
  const std::int64_t left = a.br * a.bc, right = b.br * b.bc;
  const Tiling &small = left < right ? a : b, &large = left < right ? b : a;
  const double times = double(std::max(left, right)) / double(std::min(left, right));
  return out +
         fmt::format(": {} of {}×{} for one of {}×{}", format_digits(times, 2), small.br, small.bc, large.br, large.bc);
}

std::string pace_tip(Pace pace) {
  const char* meaning = "";
  switch (pace) {
    case Pace::Tile: meaning = "The pinned side has begun tile visits of as many scores as this one."; break;
    case Pace::Flop: meaning = "The pinned side has done no more FLOPs than this one."; break;
    case Pace::Byte: meaning = "The pinned side has asked global memory for no more bytes than this one."; break;
    case Pace::Time: meaning = "Both thread blocks are at the same modelled cycle."; break;
  }
  return fmt::format("{} Click for the next of tile, FLOP, byte and modelled time (I).", meaning);
}

}  // namespace tilewalk
