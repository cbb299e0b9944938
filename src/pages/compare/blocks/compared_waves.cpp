#include "pages/compare/blocks/compared_waves.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "core/schedules/registry.h"
#include "view/words/predict_words.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

std::string other_time(const Problem& p, double modelled_ms, const CallTimes& times, int side) {
  if (times.of_walks || ms_text(times.ms[side]) == ms_text(modelled_ms)) return "";
  const std::string& variant = times.variants[side];
  const bool wide = row_of(p).memory.scores_in_hbm && !variant.empty();
  const std::string basis = wide                       ? " with S in fp32"
                            : p.numerics.narrow_scores ? fmt::format(" with tiles {}×{}", p.tiling.br, p.tiling.bc)
                                                       : "";
  return fmt::format("Modelled{}; the call's bar has {}, {}{}.", basis, ms_text(times.ms[side]), times.kind(),
                     variant.empty() ? "" : " with " + variant);
}

}  // namespace

void compare_waves(const Comparison& c, const CallTimes* times, WavesModel& left, WavesModel& right) {
  if (!times) return;
  left.other_time = other_time(c.left, c.left_run.ms(), *times, 0);
  right.other_time = other_time(c.right, c.right_run.ms(), *times, 1);
}

std::string shared_text(const std::optional<RunTime>& run) {
  if (!run || run->waves.waves < 1 || run->waves.cycles <= 0) return "";
  const Waves& w = run->waves;
  const std::int64_t together = std::min<std::int64_t>(w.occupancy.blocks_per_sm, (w.blocks + w.sms - 1) / w.sms);
  if (together < 2) return "";
  const std::string wave =
      fmt::format(" alone on its SM · {} with {} on it", short_cycles(w.cycles / double(w.waves)), together);
  return w.waves == 1 ? wave : wave + fmt::format(" · {} waves: {}", format_count(w.waves), short_cycles(w.cycles));
}

void add_shared_memory(const Problem& p, const std::optional<RunTime>& run, PipeSide& side) {
  if (!run || !row_of(p).chip.shared_bytes || run->waves.occupancy.blocks_per_sm < 1) return;
  const Occupancy& o = run->waves.occupancy;
  side.sram_text +=
      fmt::format(" Its fast kernel has {} and {} in shared memory: {} an SM, by {}.", row_of(p).chip.beside_shared,
                  format_bytes(o.shared_bytes), counted(o.blocks_per_sm, "thread block"), o.limit);
}

}  // namespace tilewalk
