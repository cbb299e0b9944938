#include "pages/race/win/win_frame.h"

#include <fmt/format.h>

#include "base/units.h"
#include "core/fields/validate.h"
#include "core/predict/attention_method.h"
#include "core/problem/contender.h"
#include "core/schedules/registry.h"
#include "measured/win_pair.h"
#include "view/words/predict_words.h"
#include "view/words/race_row_text.h"

namespace tilewalk {
namespace {

int generation_of(const PredictionRow& row) {
  const ContenderRow* const contender = contender_named(row.predicted.method->id);
  return contender ? contender->generation : 0;
}

// naive: the longer one.
std::vector<WinBar> bars_of(const WinPair& pair, double naive, double fast, std::string (*text)(double)) {
  return {{"naive " + text(naive), 1, generation_of(*pair.naive)},
          {rung_title(pair.fast->predicted.method->id) + " " + text(fast), fast / naive, generation_of(*pair.fast)}};
}

// What the walk of the call asks of HBM; 0: there is none.
double asked_bytes(const Problem& walk) {
  return validate(walk).empty() ? double(whole_run_cost(walk).hbm_total().bytes()) : 0;
}

// Counted bytes depend on it: a larger Q tile loads K and V less often.
std::string tiles_of(const Problem& walk) { return fmt::format("{}×{}", walk.tiling.br, walk.tiling.bc); }

}  // namespace

WinFrame build_win_frame(const std::vector<PredictionRow>& rows, const DeviceModel& card) {
  WinFrame out;
  const std::optional<WinPair> pair = win_pair(rows);
  if (!pair) return out;
  const Prediction &fast = pair->fast->predicted, &naive = pair->naive->predicted;
  out.lines.push_back({"", "Same O."});
  const Problem naive_walk = walked_by(*naive.method, naive.call, card),
                walk = walked_by(*fast.method, fast.call, card);
  const double naive_bytes = asked_bytes(naive_walk), bytes = asked_bytes(walk);
  const bool counted = bytes > 0 && naive_bytes > bytes;
  if (counted)
    out.lines.push_back(
        {times_text_of(naive_bytes / bytes), "fewer bytes asked for.", bars_of(*pair, naive_bytes, bytes, big_bytes)});
  out.lines.push_back({times_text_of(pair->win()), pair->recorded ? "as fast." : "as fast, predicted.",
                       pair->win() > 1 ? bars_of(*pair, pair->naive_ms, pair->fast_ms, ms_text) : std::vector<WinBar>(),
                       !pair->recorded});
  out.note = fmt::format("{} · N {} · tiles {}{}", card.title, format_count(fast.call.n), tiles_of(walk),
                         pair->recorded ? ", times recorded" : "");
  return out;
}

}  // namespace tilewalk
