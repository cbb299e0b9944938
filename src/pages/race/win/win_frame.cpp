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
  if (pair->recorded) out.lines.push_back({times_text_of(pair->win()), "as fast."});
  out.note = fmt::format("{} · N {} · {}{}", card, format_count(fast.call.n), rung_title(fast.method->id),
                         pair->recorded ? ", times recorded" : "");
  return out;
}

}  // namespace tilewalk
