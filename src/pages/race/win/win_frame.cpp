#include "pages/race/win/win_frame.h"

#include <fmt/format.h>

#include "base/units.h"
#include "measured/win_pair.h"
#include "view/words/predict_words.h"
#include "view/words/race_row_text.h"

namespace tilewalk {

WinFrame build_win_frame(const std::vector<PredictionRow>& rows, const std::string& card) {
  WinFrame out;
  const std::optional<WinPair> pair = win_pair(rows);
  if (!pair) return out;
  const Prediction &fast = pair->fast->predicted, &naive = pair->naive->predicted;
  out.lines.push_back({"", "Same O."});
  const bool counted = fast.hbm_bytes > 0 && naive.hbm_bytes > fast.hbm_bytes;
  if (counted) out.lines.push_back({times_text_of(naive.hbm_bytes / fast.hbm_bytes), "fewer bytes."});
  out.lines.push_back({times_text_of(pair->win()), pair->recorded ? "as fast." : "as fast, predicted."});
  out.note = fmt::format("{} · N {} · {}", card, format_count(fast.call.n), rung_title(fast.method->id));
  // Naive as it is raced: a walk's tiles read Q, K and V more often.
  if (counted)
    out.note += fmt::format(": {}, naive as raced {}", big_bytes(fast.hbm_bytes), big_bytes(naive.hbm_bytes));
  if (pair->recorded) out.note += ", times recorded";
  return out;
}

}  // namespace tilewalk
