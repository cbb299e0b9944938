// The figure of the race: what the best kernel gains over naive attention, or what naive attention has no memory for.
#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "core/problem/contender.h"
#include "pages/race/race_parts.h"
#include "view/words/naive_win.h"
#include "view/words/predict_words.h"
#include "view/words/race_row_text.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

const RaceRow* row_of(const std::vector<const RaceRow*>& rows, Contender who) {
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const RaceRow* row) { return row->rung == word_of(who); });
  return at == rows.end() ? nullptr : *at;
}

const RaceRow* timed(const RaceRow* row) { return row && row->counts() ? row : nullptr; }

// The row of PyTorch's default at the bars' call: its bar may be folded.
const RaceRow* row_of_default(const Race& race, const RaceRow& at, Contender who) {
  for (const RaceRow& row : race.rows)
    if (row.rung == word_of(who) && row.counts() && row.n == at.n && row.d == at.d && row.heads == at.heads &&
        row.batch == at.batch && row.causal == at.causal && row.pass == at.pass && row.dtype == at.dtype)
      return &row;
  return nullptr;
}

// "recorded: FA-3 by Tilewalk 4.4×, PyTorch cuDNN 3.9×."
std::string figures_of(const NaiveWin& win) {
  const std::string other =
      win.other.empty() ? "" : ", " + win.other + " " + times_text_of(win.naive_ms / win.other_ms);
  return fmt::format("{}: {} {}{}.", win.kind, win.fast, win.figure(), other);
}

// Where naive attention cannot run, the figure is what can be had.
void put_time(const RaceRow& fast, const RaceRow& naive, const std::string& kind, RaceModel& model) {
  std::string why = naive.note();
  if (const std::string known = "out of memory: "; why.starts_with(known)) why.erase(0, known.size());
  model.figure = ms_text(fast.median_ms());
  model.figure_words = fmt::format("by {}, {}. Naive cannot run: {}.", rung_title(fast.rung), kind, why);
}

// "4.4×"; "naive out of memory"; empty without a pair.
std::string win_text(const std::vector<const RaceRow*>& rows) {
  const RaceRow *const naive = row_of(rows, Contender::Naive), *const third = timed(row_of(rows, Contender::FlashV3)),
                       *const fast = third ? third : timed(row_of(rows, Contender::FlashV2));
  if (!naive || !fast) return "";
  if (naive->outcome() == RaceOutcome::OutOfMemory) return "naive out of memory";
  return naive->counts() ? times_text_of(naive->median_ms() / fast->median_ms()) : "";
}

const RaceRow* fastest_of_pytorch(const std::vector<const RaceRow*>& rows) {
  const RaceRow* out = nullptr;
  for (const RaceRow* row : rows)
    if (row->counts() && is_pytorch(*row) && (!out || row->median_ms() < out->median_ms())) out = row;
  return out;
}

bool leads(double ms, const std::vector<const RaceRow*>& rows) {
  return std::none_of(rows.begin(), rows.end(),
                      [&](const RaceRow* row) { return row->counts() && row->median_ms() < ms; });
}

// No naive backward pass is raced: the figure is what FA-3 wins over FA-2.
void add_backward_headline(const std::vector<const RaceRow*>& rows, const std::string& where, RaceModel& model) {
  const RaceRow *const fast = timed(row_of(rows, Contender::FlashV3)), *const slow =
                                                                           timed(row_of(rows, Contender::FlashV2));
  if (!fast || !slow) return;
  NaiveWin win{.fast = rung_title(fast->rung),
               .naive = rung_title(slow->rung),
               .fast_ms = fast->median_ms(),
               .naive_ms = slow->median_ms()};
  if (!model.recorded) win.kind = "measured";
  win.where = where;
  if (leads(win.fast_ms, rows)) win.role = kFastestHere;
  if (const RaceRow* const pytorch = fastest_of_pytorch(rows))
    win.other = rung_title(pytorch->rung), win.other_ms = pytorch->median_ms();
  model.figure = win.figure();
  model.figure_words = win.words() + " Naive's backward pass was not measured.";
}

}  // namespace

bool is_pytorch(const RaceRow& row) {
  const ContenderRow* const about = contender_named(row.rung);
  return about && about->by == RunBy::PyTorch;
}

void add_headline(const Race& race, const std::vector<const RaceRow*>& rows, const std::string& other,
                  const CallOfWindow& call, RaceModel& model) {
  const RaceRow *const naive = row_of(rows, Contender::Naive), *const third = timed(row_of(rows, Contender::FlashV3)),
                       *const fast = third ? third : timed(row_of(rows, Contender::FlashV2));
  const std::string where = other.empty() ? "" : " with " + other;  // a call near the window's has another win
  if (!rows.empty() && rows.front()->pass == "backward") return add_backward_headline(rows, where, model);
  if (!naive || !fast) return;
  const std::optional<NaiveWin> own = call.win && !other.empty() ? call.win() : std::nullopt;
  if (naive->outcome() == RaceOutcome::OutOfMemory) {
    put_time(*fast, *naive, (model.recorded ? "recorded" : "measured") + where, model);
    if (own) model.figure_words += " Your call, " + figures_of(*own);
    return;
  }
  if (!naive->counts()) return;
  NaiveWin win{.fast = rung_title(fast->rung), .fast_ms = fast->median_ms(), .naive_ms = naive->median_ms()};
  if (!model.recorded) win.kind = "measured";
  win.where = where;
  if (leads(win.fast_ms, rows)) win.role = kFastestHere;
  const RaceRow* const pytorch = fastest_of_pytorch(rows);
  // The default is known for the window's call alone.
  const RaceRow* const runs =
      call.torch_default && other.empty() ? row_of_default(race, *rows.front(), *call.torch_default) : nullptr;
  if (runs)
    win.add_default(*call.torch_default, runs->median_ms());
  else if (pytorch)
    win.other = rung_title(pytorch->rung), win.other_ms = pytorch->median_ms();
  // The figure is of the window's call; the bars are of the one that was raced.
  const bool of_call = own && model.recorded;
  model.figure = of_call ? own->figure() : win.figure();
  model.figure_words = of_call ? own->words() + " The bars were raced" + where + "; " + figures_of(win) : win.words();
  if (of_call) model.differs = false;
}

namespace {

std::string figure_near(const RecordedNeighbour& near, const Race& raced) {
  std::string figure = near.naive_ms ? "FA-2 and FA-3 have no time there" : "naive has no time there";
  if (near.naive_ms && near.fast_ms) figure = times_text_of(*near.naive_ms / *near.fast_ms);
  for (const RaceRow& row : raced.rows)
    if (row.rung == word_of(Contender::Naive) && static_cast<const RaceCell&>(row) == near.cell &&
        row.outcome() == RaceOutcome::OutOfMemory)
      figure = "naive out of memory";
  return figure;
}

// "Recorded near it: N 5,000, d 64, batch 3, 32 heads: 5.4×."; in a room the figure and its N alone.
void add_near(const RecordedNeighbour& near, const Race& raced, RaceModel& model) {
  const std::string figure = figure_near(near, raced), n = format_count(near.cell.n);
  model.beside = fmt::format("Recorded near it: N {}, d {}, batch {}, {} heads: {}.", n, near.cell.d, near.cell.batch,
                             near.cell.heads, figure);
  model.beside_in_room = fmt::format("Predicted; nearest recorded: {} at N {}.", figure, n);
}

}  // namespace

void add_headline_of_call(const RaceOfCall& of, const Race& raced, const ShownCell& shown, const CallOfWindow& call,
                          RaceModel& model) {
  if (of.recorded.empty()) {
    model.badge = "PREDICTED";
    model.heading =
        (of.machine.empty() ? "" : of.machine + ", ") + "by the model of time; the curves are of " + model.heading;
  }
  std::vector<const RaceRow*> rows;
  for (const RaceRow& row : of.race.rows) rows.push_back(&row);
  const RaceRow *const naive = row_of(rows, Contender::Naive), *const third = timed(row_of(rows, Contender::FlashV3)),
                       *const fast = third ? third : timed(row_of(rows, Contender::FlashV2));
  if (const std::optional<NaiveWin> win = call.win ? call.win() : std::nullopt)
    model.figure = win->figure(), model.figure_words = win->words();
  else if (naive && fast && naive->outcome() == RaceOutcome::OutOfMemory)
    put_time(*fast, *naive, "predicted", model);
  if (of.near)
    add_near(*of.near, raced, model);
  else if (const std::string figure = win_text(shown.rows); !figure.empty())
    model.beside = fmt::format("Recorded beside it: {}: {}.", shown.differs, figure);
  // Why two speed-ups differ that stand beside each other.
  const auto reason = of.reasons.find(word_of(Contender::Naive));
  if (!model.beside.empty() && naive && naive->counts() && of.recorded.empty() && reason != of.reasons.end() &&
      !reason->second.empty())
    model.beside += " Naive at your call: " + reason->second + ".";
}

}  // namespace tilewalk
