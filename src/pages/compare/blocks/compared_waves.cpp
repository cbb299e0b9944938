#include "pages/compare/blocks/compared_waves.h"

#include <fmt/format.h>

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

}  // namespace

void compare_waves(const Comparison& c, const CallTimes* times, WavesModel& left, WavesModel& right) {
  if (!times) return;
  left.other_time = other_time(c.left, c.left_run.ms(), *times, 0);
  right.other_time = other_time(c.right, c.right_run.ms(), *times, 1);
}

}  // namespace tilewalk
