#include "view/words/naive_win.h"

#include <fmt/format.h>

#include "view/words/predict_words.h"
#include "view/words/race_row_text.h"

namespace tilewalk {

std::string NaiveWin::figure() const { return times_text_of(naive_ms / fast_ms); }

std::string NaiveWin::words() const {
  std::string out = fmt::format("as fast as {}, {}{}: {}{} takes {}, {} {}.", naive, kind, where, fast, stands_for,
                                ms_text(fast_ms), naive, ms_text(naive_ms));
  if (!other.empty())
    out += fmt::format(" {} is {} as fast.", other_leads ? "The fastest here, " + other + "," : other,
                       times_text_of(naive_ms / other_ms));
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

namespace {

NaiveWin win_of_pair(const WinPair& pair, const std::vector<PredictionRow>& rows) {
  NaiveWin out{.fast = rung_title(pair.fast->predicted.method->id), .fast_ms = pair.fast_ms, .naive_ms = pair.naive_ms};
  if (pair.recorded)
    out.add_other(rows, RunBy::PyTorch);
  else
    out.kind = "predicted";
  return out;
}

}  // namespace

std::optional<NaiveWin> call_win(const std::vector<PredictionRow>& rows) {
  const std::optional<WinPair> pair = win_pair(rows);
  return pair ? std::optional(win_of_pair(*pair, rows)) : std::nullopt;
}

NaiveWin win_over_naive(const PredictionRow& fast, const std::vector<PredictionRow>& rows) {
  return win_of_pair(win_pair(fast, *find_row(rows, Contender::Naive)), rows);
}

}  // namespace tilewalk
