#include "pages/which/which_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/words.h"
#include "core/schedules/registry.h"
#include "view/hide_asked.h"
#include "view/words/predict_words.h"

namespace tilewalk {

WhichPage build_which_page(const WhichController& controller, const RaceTimes* recorded) {
  WhichPage out{.model = std::nullopt,
                .missing = controller.missing(),
                .names = build_names_model(controller.name(), controller.profile())};
  if (const std::shared_ptr<const Profile>& profile = controller.profile().news.profile)
    out.cards = profile_cards(controller.call(), controller.table(), *profile);
  if (!controller.table()) return out;
  out.model = build_which_model(controller.call(), *controller.table(), recorded);
  for (CallFieldModel& field : out.model->fields) put_drafts(field, controller);
  return out;
}

namespace {

// PyTorch's default in the first place, and the kernel that was there beside it.
NaiveWin of_default(NaiveWin win, Contender runs, double ms) {
  win.other = std::exchange(win.fast, contender_row(runs).short_title);
  win.other_role = std::exchange(win.role, kTorchDefault);
  win.other_ms = std::exchange(win.fast_ms, ms);
  if (win.other_ms > ms) win.other_role.clear();
  return win;
}

// The first change that leads to a backend with a shorter recorded time. Empty: none does.
std::string faster_by_a_change(const WhichModel& m, const NaiveWin& win) {
  for (const WhichAdvice& advice : m.advice)
    for (const RecordedBackend& each : m.recorded_ms)
      if (backend_of(each.who) == backend_named(advice.then) && backend_of(each.who) && each.ms < win.fast_ms)
        return fmt::format("One line brings {}, {}: {}", contender_row(each.who).short_title,
                           times_text_of(win.naive_ms / each.ms), advice.words);
  return "";
}

}  // namespace

namespace {

std::optional<NaiveWin> win_of_model(const WhichModel& m, const std::vector<PredictionRow>& rows) {
  const std::optional<WinPair> pair = win_pair(rows);
  if (!pair) return std::nullopt;
  NaiveWin out = *call_win(rows);
  if (m.without_mask) out.where = " without the mask";
  const auto runs = std::find_if(m.recorded_ms.begin(), m.recorded_ms.end(),
                                 [&](const RecordedBackend& one) { return one.who == m.runs_as; });
  const Contender fast = pair->fast->predicted.method->who;
  if (pair->recorded && runs != m.recorded_ms.end()) return of_default(std::move(out), runs->who, runs->ms);
  const auto runs_here = [&](const WhichCard& card) { return card.verdict == WhichVerdict::Runs; };
  const auto card = std::find_if(m.cards.begin(), m.cards.end(), runs_here);
  if (!pair->recorded && card != m.cards.end() && card->by_ratio && m.runs_as)
    return of_default(std::move(out), *m.runs_as, card->time_ms);
  if (!m.walk) return std::nullopt;
  if (!m.times_title.empty() && card != m.cards.end() && card->time_ms == 0) return std::nullopt;  // another's time
  const bool unfused = row_of(*m.walk).memory.scores_in_hbm;
  if (unfused && m.runs_as != Contender::Eager) return std::nullopt;  // MATH is not modelled
  const AttentionMethod* const method = unfused ? &method_of(Contender::Eager) : fast_method_of(m.walk->schedule);
  const PredictionRow* const older = method && method->who != fast ? find_row(rows, method->who) : nullptr;
  if (!older || !(older->recorded_ms || older->predicted.predicted_ms)) {
    if (method && method->who == fast) out.stands_for = ", with the schedule that runs,", out.role.clear();
    return out;
  }
  NaiveWin own = win_over_naive(*older, rows);
  own.where = out.where;
  if (std::string_view(own.kind) == out.kind)
    own.other = out.fast, own.other_role = out.role, own.other_ms = out.fast_ms;
  return own;
}

}  // namespace

namespace {

// What is known of the time of the backend that runs, where no speed-up is.
std::string time_without_win(const WhichModel& m, const std::vector<PredictionRow>& rows) {
  if (m.times_title.empty()) return "";
  const auto card = std::find_if(m.cards.begin(), m.cards.end(),
                                 [](const WhichCard& each) { return each.verdict == WhichVerdict::Runs; });
  if (card == m.cards.end()) return "";
  if (card->time_ms == 0) return "The time of " + card->title + " is neither recorded nor modelled for this call.";
  const PredictionRow* const naive = find_row(rows, Contender::Naive);
  const std::string why = naive ? naive->predicted.note : "";
  return fmt::format("{}: {} takes {}.{}", card->recorded.empty() ? "Predicted" : "Recorded", card->title,
                     ms_text(card->time_ms), why.empty() ? "" : " Naive cannot run. " + why + ".");
}

}  // namespace

// Times of another version of PyTorch do not show what is the default in this one.
std::optional<NaiveWin> shown_win(const WhichModel& m, const std::vector<PredictionRow>& rows) {
  std::optional<NaiveWin> out = win_of_model(m, rows);
  if (!out || m.recorded_with.empty()) return out;
  for (std::string* const role : {&out->role, &out->other_role})
    if (*role == kTorchDefault) role->clear();
  if (std::string_view(out->kind) == "recorded") out->where += " with " + m.recorded_with;
  return out;
}

void put_times_of_call(const Call& call, const std::vector<PredictionRow>& rows, WhichPage& page) {
  if (call.dropout > 0 || call.training) return;
  page.chart = build_time_chart(*page.model, rows);
  std::optional<NaiveWin> win = shown_win(*page.model, rows);
  if (call.has_mask()) page.untimed = "No time with an attn_mask is recorded here.";
  if (!win) add_to_list(page.untimed, time_without_win(*page.model, rows), " ");
  page.win = std::move(win);
  if (!call.has_mask() || !page.win) return;
  page.win->other.clear();  // on a small screen the words have three lines
  page.faster = faster_by_a_change(*page.model, *page.win);
}

bool shows_recorded_words(const WhichPage& page) {
  return !page.model->recorded.empty() && (page.chart.bars.empty() || page.model->recorded_ms.empty());
}

bool advice_is_in_answer(const WhichPage& page) {
  const WhichModel& m = *page.model;
  return m.advice.empty() && m.no_advice != kAskedNow && m.notes.empty() && m.cost_note.empty() &&
         !shows_recorded_words(page);
}

void hide_answers(WhichPage& page, const LessonController& lesson) {
  if (lesson.hides("times")) page.win.reset(), page.untimed.clear(), page.faster.clear(), hide_times(page.chart);
  if (lesson.hides("advice")) page.faster.clear();
  if (page.model) hide_answers(*page.model, lesson);
}

void hide_answers(WhichModel& m, const LessonController& lesson) {
  if (lesson.hides("advice")) {
    m.advice.clear();
    m.no_advice = kAskedNow;
    for (WhichCard& card : m.cards)
      if (card.verdict == WhichVerdict::Refused) card.hint.clear();
  }
  if (!lesson.hides("times")) return;
  m.recorded.clear(), m.recorded_ms.clear();
  for (WhichCard& card : m.cards)
    for (std::string* text : {&card.recorded, &card.not_recorded, &card.predicted, &card.published}) text->clear();
}

}  // namespace tilewalk
