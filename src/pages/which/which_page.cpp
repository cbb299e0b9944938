#include "pages/which/which_page.h"

#include "view/hide_asked.h"

namespace tilewalk {

WhichPage build_which_page(const WhichController& controller, const RaceTimes* recorded) {
  WhichPage out{.model = std::nullopt,
                .missing = controller.missing(),
                .names = build_names_model(controller.name(), controller.profile())};
  if (!controller.table()) return out;
  out.model = build_which_model(controller.call(), *controller.table(), recorded);
  for (WhichField& field : out.model->fields) {
    if (const auto typed = controller.draft().find(field.name); typed != controller.draft().end())
      field.text = typed->second;
    for (const Issue& issue : controller.issues())
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
