#include "view/words/naive_win.h"

#include <fmt/format.h>

#include "view/words/predict_words.h"
#include "view/words/race_row_text.h"

namespace tilewalk {

std::string NaiveWin::figure() const { return times_text_of(naive_ms / fast_ms); }

std::string NaiveWin::words() const {
  std::string out = fmt::format("as fast as {}, {}{}: {} takes {}, {} {}.", naive, kind, where, fast, ms_text(fast_ms),
                                naive, ms_text(naive_ms));
  if (!other.empty()) out += fmt::format(" {} is {} as fast.", other, times_text_of(naive_ms / other_ms));
  return out;
}

void NaiveWin::add_other(const std::vector<PredictionRow>& rows, RunBy by) {
  for (const ContenderRow& contender : kContenders) {
    if (contender.by != by || contender.who == Contender::Naive) continue;
    const PredictionRow* const row = find_row(rows, contender.who);
    if (row && row->recorded_ms && (other.empty() || *row->recorded_ms < other_ms))
      other = rung_title(contender.word), other_ms = *row->recorded_ms;
  }
}

NaiveWin win_over_naive(const PredictionRow& fast, const std::vector<PredictionRow>& rows) {
  const PredictionRow& naive = *find_row(rows, Contender::Naive);
  const bool recorded = naive.recorded_ms && fast.recorded_ms,
             predicted = naive.predicted.predicted_ms && fast.predicted.predicted_ms;
  const auto ms_of = [&](const PredictionRow& row) {
    return row.recorded_ms && (recorded || !predicted) ? *row.recorded_ms : *row.predicted.predicted_ms;
  };
  NaiveWin out{.fast = rung_title(fast.predicted.method->id), .fast_ms = ms_of(fast), .naive_ms = ms_of(naive)};
  if (!recorded) {
    out.kind = "predicted";
    return out;
  }
  out.add_other(rows, RunBy::PyTorch);
  return out;
}

}  // namespace tilewalk
