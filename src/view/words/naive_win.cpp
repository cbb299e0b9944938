#include "view/words/naive_win.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/words.h"
#include "view/words/predict_words.h"
#include "view/words/race_row_text.h"

namespace tilewalk {

std::string NaiveWin::figure() const { return times_text_of(naive_ms / fast_ms); }

std::string NaiveWin::caption() const { return "as fast as " + naive; }

std::string NaiveWin::times() const {
  const std::string who = role.empty() ? fast : role + ", " + fast + ",";
  const std::string out = fmt::format("{}{}: {}{} takes {}, {} {}.", kind, where, who, stands_for, ms_text(fast_ms),
                                      naive, ms_text(naive_ms));
  return other.empty() ? out : out + " " + sentence_of(named_other_figure());
}

namespace {

std::string named(const std::string& role, const std::string& name, double times) {
  return fmt::format("{}{}{}: {}", role, role.empty() ? "" : ", ", name, times_text_of(times));
}

}  // namespace

std::string NaiveWin::named_figure() const { return named(role, fast, naive_ms / fast_ms); }

std::string NaiveWin::named_other_figure() const {
  return other.empty() ? "" : named(other_role, other, naive_ms / other_ms);
}

std::string sentence_of(std::string words) { return words.empty() ? words : capitalized(std::move(words)) + "."; }

void NaiveWin::add_default(Contender who, double ms) {
  other = contender_row(who).short_title, other_role = kTorchDefault, other_ms = ms;
}

namespace {

void add_fastest_of_torch(const std::vector<PredictionRow>& rows, NaiveWin& out) {
  for (const ContenderRow& contender : kContenders) {
    if (contender.by != RunBy::PyTorch) continue;
    const PredictionRow* const row = find_row(rows, contender.who);
    if (row && row->recorded_ms && (out.other.empty() || *row->recorded_ms < out.other_ms))
      out.other = rung_title(contender.word), out.other_ms = *row->recorded_ms;
  }
}

// No kernel of the rows has a shorter time of that kind.
bool leads(const WinPair& pair, const std::vector<PredictionRow>& rows) {
  return std::none_of(rows.begin(), rows.end(), [&](const PredictionRow& row) {
    const std::optional<double> ms = pair.recorded ? row.recorded_ms : row.predicted.predicted_ms;
    return ms && *ms < pair.fast_ms && !row.predicted.method->backward;
  });
}

NaiveWin win_of_pair(const WinPair& pair, const std::vector<PredictionRow>& rows, std::optional<Contender> runs,
                     const RaceTimes* races = nullptr) {
  NaiveWin out{.fast = rung_title(pair.fast->predicted.method->id), .fast_ms = pair.fast_ms, .naive_ms = pair.naive_ms};
  if (leads(pair, rows)) out.role = kFastestHere;
  if (!pair.recorded) {
    out.kind = "predicted";
    if (const auto ms = runs ? ms_by_ratio(rows, *runs, races) : std::nullopt) out.add_default(*runs, *ms);
    return out;
  }
  const PredictionRow* const by_default = runs ? find_row(rows, *runs) : nullptr;
  if (by_default && by_default->recorded_ms)
    out.add_default(*runs, *by_default->recorded_ms);
  else
    add_fastest_of_torch(rows, out);
  return out;
}

}  // namespace

std::optional<NaiveWin> call_win(const std::vector<PredictionRow>& rows, std::optional<Contender> torch_default,
                                 const RaceTimes* races) {
  const std::optional<WinPair> pair = win_pair(rows);
  return pair ? std::optional(win_of_pair(*pair, rows, torch_default, races)) : std::nullopt;
}

NaiveWin win_over_naive(const PredictionRow& fast, const std::vector<PredictionRow>& rows) {
  return win_of_pair(win_pair(fast, *find_row(rows, Contender::Naive)), rows, {});
}

}  // namespace tilewalk
