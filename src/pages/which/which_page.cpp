#include "pages/which/which_page.h"

#include "view/hide_asked.h"

namespace tilewalk {

WhichPage build_which_page(const WhichController& desk, const RaceTimes* recorded) {
  WhichPage out{
      .model = std::nullopt, .missing = desk.missing(), .names = build_names_model(desk.name(), desk.profile())};
  if (!desk.table()) return out;
  out.model = build_which_model(desk.call(), *desk.table(), recorded);
  for (WhichField& field : out.model->fields) {
    if (const auto typed = desk.draft().find(field.name); typed != desk.draft().end()) field.text = typed->second;
    for (const Issue& issue : desk.issues())
      if (issue.field == field.name) field.issue = issue.rule;
  }
  return out;
}

void hide_asked(WhichModel& m, const LessonController& lesson) {
  if (lesson.hides("advice")) {
    m.advice.clear();
    m.no_advice = kAskedNow;
    for (WhichCard& card : m.cards)
      if (card.verdict == WhichVerdict::Refused) card.hint.clear();
  }
  if (lesson.hides("times")) m.recorded.clear(), m.recorded_ms.clear();
}

}  // namespace tilewalk
