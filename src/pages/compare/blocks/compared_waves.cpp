#include "pages/compare/blocks/compared_waves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "base/words.h"
#include "core/schedules/registry.h"
#include "view/words/predict_words.h"

namespace tilewalk {
namespace {

std::string other_time(const Problem& p, double modelled_ms, const CallTimes& times, int side) {
  if (times.of_walks || ms_text(times.ms[side]) == ms_text(modelled_ms)) return "";
  const std::string& variant = times.variants[side];
  const bool wide = row_of(p).memory.scores_in_hbm && !variant.empty();
  return fmt::format("Modelled{}; the call's bar has {}, {}{}.", wide ? " with S in fp32" : "", ms_text(times.ms[side]),
                     times.kind(), variant.empty() ? "" : " with " + variant);
}

bool are_filled_alike(const WavesModel& a, const WavesModel& b) {
  constexpr double kAlike = 0.03;  // of a square's height
  return std::equal(a.squares.begin(), a.squares.end(), b.squares.begin(), b.squares.end(),
                    [](const SmSquare& x, const SmSquare& y) {
                      return x.sm == y.sm && x.busy == y.busy && std::fabs(x.share - y.share) < kAlike;
                    });
}

}  // namespace

void compare_waves(const Comparison& c, const CallTimes* times, WavesModel& left, WavesModel& right) {
  if (times) {
    left.other_time = other_time(c.left, c.left_run.ms(), *times, 0);
    right.other_time = other_time(c.right, c.right_run.ms(), *times, 1);
  }
  if (!are_filled_alike(left, right)) return;
  const Waves &before = c.left_run.time.waves, &now = c.right_run.time.waves;
  right.alike = before.waves == now.waves && before.blocks == now.blocks
                    ? "Filled as at the left, by as many thread blocks."
                    : fmt::format("Filled as at the left. What differs: {} thread blocks in {}, not {} in {}.",
                                  format_count(now.blocks), counted(now.waves, "wave"), format_count(before.blocks),
                                  format_count(before.waves));
}

}  // namespace tilewalk
