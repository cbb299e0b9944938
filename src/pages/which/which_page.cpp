#include "pages/which/which_page.h"

#include <fmt/format.h>

#include <algorithm>

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

std::optional<WhichWin> win_over_naive(ScheduleKind runs, const std::vector<PredictionRow>& rows) {
  const AttentionMethod* const method = fast_method_of(runs);
  const PredictionRow *const naive = find_row(rows, Contender::Naive), *const fast = method
                                                                                         ? find_row(rows, method->who)
                                                                                         : nullptr;
  if (!naive || !fast) return std::nullopt;
  const bool recorded = naive->recorded_ms && fast->recorded_ms;
  const std::optional<double> slow_ms = recorded ? naive->recorded_ms : naive->predicted.predicted_ms;
  const std::optional<double> fast_ms = recorded ? fast->recorded_ms : fast->predicted.predicted_ms;
  if (!slow_ms || !fast_ms) return std::nullopt;
  return WhichWin{.figure = times_text_of(*slow_ms / *fast_ms),
                  .words = fmt::format("as fast as naive attention, {}: Tilewalk's {} kernel takes {}, naive {}.",
                                       recorded ? "recorded" : "predicted", fast->predicted.method->title,
                                       ms_text(*fast_ms), ms_text(*slow_ms))};
}

std::optional<WhichWin> recorded_win(const WhichModel& m, const std::vector<PredictionRow>& rows) {
  const PredictionRow* const naive = find_row(rows, Contender::Naive);
  const auto runs = std::find_if(m.recorded_ms.begin(), m.recorded_ms.end(),
                                 [&](const RecordedBackend& one) { return one.who == m.runs_as; });
  if (runs == m.recorded_ms.end() || !naive || !naive->recorded_ms) return std::nullopt;
  return WhichWin{.figure = times_text_of(*naive->recorded_ms / runs->ms),
                  .words = fmt::format("as fast as naive attention, both recorded for {}: {} takes {}, naive {}.",
                                       m.without_mask ? "the call without it" : "this call", runs->title,
                                       ms_text(runs->ms), ms_text(*naive->recorded_ms))};
}

void hide_asked(WhichPage& page, const LessonController& lesson) {
  if (lesson.hides("times")) page.win.reset(), page.untimed.clear();
  if (page.model) hide_asked(*page.model, lesson);
}

void hide_asked(WhichModel& m, const LessonController& lesson) {
  if (lesson.hides("advice")) {
    m.advice.clear();
    m.no_advice = kAskedNow;
    for (WhichCard& card : m.cards)
      if (card.verdict == WhichVerdict::Refused) card.hint.clear();
  }
  if (!lesson.hides("times")) return;
  m.recorded.clear(), m.recorded_ms.clear();
  for (WhichCard& card : m.cards) card.recorded.clear(), card.not_recorded.clear();
}

}  // namespace tilewalk
