#include "app/cli/learn/class_prints.h"

#include "app/cli/lessons.h"
#include "app/cli/open_problem.h"
#include "measured/race_times.h"
#include "session/class_plan.h"
#include "session/resources.h"
#include "view/print/class_page.h"
#include "view/print/class_set.h"
#include "view/print/roofline_sheet.h"
#include "view/print/teacher_page.h"

namespace tilewalk {
namespace {

using Documents = Result<std::vector<PrintDocument>>;

Documents by_hand(const ClassPrint& print) {
  ProblemArgs args;
  args.texts = {{"preset", print.preset}, {"seed", std::to_string(print.seed)}};
  const Result<Opening> opened = open_problem(args);
  if (!opened) return opened.issues();
  return build_class_set(*opened, {.count = 1, .key = true, .q_tile = -1});
}

Documents roofline(const ClassPrint& print, const std::string& root) {
  const Result<RaceTimes> times = load_race_times(root);
  if (!times) return times.issues();
  return build_roofline_set({.device = print.device, .seed = print.seed, .count = 1, .key = true}, *times);
}

Documents of_lesson(const ClassPrint& print, const std::vector<Lesson>& lessons) {
  const Result<NewSession> new_session = sessions_with(lessons);
  if (!new_session) return new_session.issues();
  for (const Lesson& lesson : lessons)
    if (lesson.number == print.lesson) return std::vector{build_teacher_page(lesson, *new_session)};
  return Issue{"lesson", std::to_string(print.lesson), "is not there", ""};
}

}  // namespace

Result<std::vector<PrintDocument>> class_prints(const std::string& minutes) {
  const Result<std::string> root = find_resource_root();
  if (!root) return root.issues();
  const Result<ClassPlan> plan = load_class_plan(*root, minutes);
  if (!plan) return plan.issues();
  const Result<std::vector<Lesson>> lessons = open_lessons({});
  if (!lessons) return lessons.issues();
  std::vector<PrintDocument> out = {build_class_page(*plan, *lessons)};
  for (const ClassPrint& print : plan->prints) {
    Documents made = print.sheet == ClassSheet::Hand       ? by_hand(print)
                     : print.sheet == ClassSheet::Roofline ? roofline(print, *root)
                                                           : of_lesson(print, *lessons);
    if (!made) return made.issues();
    for (PrintDocument& document : *made) {
      document.label = "print-out " + print.name + " · " + document.label;
      out.push_back(std::move(document));
    }
  }
  return out;
}

}  // namespace tilewalk
