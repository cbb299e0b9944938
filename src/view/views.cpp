#include "view/views.h"

#include "core/fields/fields.h"
#include "core/schedules/registry.h"
#include "view/hand/hide.h"
#include "view/hide_asked.h"
#include "view/pages.h"
#include "view/walk/wrong_and_right.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

bool counts_otherwise(const Problem& a, const Problem& b) {
  const Changes changes = changes_between(a, b);
  return changes.steps || changes.bytes;
}

CheckReport report_of(const Session& session) {
  return session.hand().hides() ? without_values(session.check()) : session.check();
}

// Of a screen on the presented walk: the question with its choices, then its answer, and what the next click does.
std::string lesson_for_room(const LessonPanelModel& m) {
  if (!m.task || m.task->kind == TaskKind::Do) return "";
  if (m.done) return m.task->answer.empty() ? "" : "Answer: " + m.task->answer + "\n→ next screen";
  std::string out = plain_text(m.task->ask);
  if (const std::string choices = text_of_choices(m.task->options); !choices.empty()) out += "\n" + choices;
  return out + "\n→ shows the answer";
}

}  // namespace

void ViewBuilder::build_present(const Session& session, const ViewRoom& room) {
  views_.present = build_present_model(session, room.present);
  mark_wrong_visits(views_.present->timeline, wrong_visits(session, caches_.of<WrongVisitsCache>()));
  if (session.cursor() < session.schedule().step_count() || views_.present->question_open) return;
  views_.present->end = build_present_end(session.problem(), runs_, report_of(session), views_.verify,
                                          output_is_wrong(session) && !session.hand().hides(),
                                          first_wrong_step(session, caches_.of<FirstWrongCache>()));
  if (session.check().verdict == Verdict::NotChecked && session.problem().fault == Fault::None) {
    const Problem& p = session.problem();
    WalkTimes times =
        walk_times(p, runs_.other_kind, session.roofline().recorded(p.machine.device), caches_.of<WalkTimesCache>());
    if (!times.date.empty()) views_.present->end->times = std::move(times);
  }
  views_.present->end->result = build_present_result(session);
}

const Views& ViewBuilder::build(const Session& session, const ViewRoom& room) {
  if (revision_ == session.revision() && room_ == room) return views_;
  revision_ = session.revision();
  room_ = room;
  ++builds_;
  const Schedule& schedule = session.schedule();
  if (!runs_of_ || counts_otherwise(*runs_of_, session.problem())) {
    runs_of_ = session.problem();
    runs_ = whole_runs(schedule);
    views_.hardware.reset();
    if (hardware_)
      if (const auto found = compare_with_hardware(*hardware_, session.problem()))
        views_.hardware = build_hardware_model(*hardware_, *found);
  }

  views_.header = {};
  for (const ScheduleKind kind : all_schedules())
    views_.header.tabs.push_back({kind, schedule_row(kind).identity.tab, kind == session.problem().schedule,
                                  schedule_row(kind).family.backward});
  views_.header.problem = problem_titles(session.problem());
  views_.header.title = session.document().title;
  views_.header.call = build_call_model(session);
  // Marks that heal keep the colour that they had.
  if (!session.walk().healing().moves()) views_.output_right = output_stays_right(session);
  views_.verify = build_verify_model(report_of(session), completed_visits(schedule, session.walk().landed()),
                                     session.walk().right() && session.cursor() > 0 &&
                                         is_wrong(session.problem(), session.state(), *session.walk().right()),
                                     views_.output_right);
  views_.accuracy = build_accuracy_model(session.problem(), session.checks().accuracy(),
                                         session.cursor() == session.schedule().step_count());
  views_.traffic = build_traffic_model(schedule, runs_, session.state().cursor);
  views_.shown_page = session.page();
  views_.on_page = {};
  views_.present.reset();
  if (session.view().presenting() && (session.view().blank() || !session.presents_page()))
    build_present(session, room);
  else
    views_.on_page = page_row(session.page()).build({session, room, kernels_, caches_});
  // Only the walk, also compared, is checked; other pages are of the call, recorded lanes of their recorded call, a
  // lesson's picture of its question.
  views_.header.badge.reset();
  const bool of_walk = session.page() == Page::Walk || (session.page() == Page::Compare && !session.compare().chip());
  if (of_walk && !session.shows_call() && !session.shows_animation()) views_.header.badge = views_.verify;
  if (const auto& own = page_row(session.page()).badge; own && !session.view().presenting())
    views_.header.badge = own(views_.on_page);
  if (lesson_picture_covers_page(session)) views_.header.badge.reset();
  views_.problem.reset();
  if (session.view().dialog() == Dialog::Problem)
    views_.problem =
        build_problem_model(session.editing().draft(), session.editing().draft_issues(), schedule, session.inputs(),
                            {session.walk().batch_in_view(), session.walk().head_in_view()});
  views_.presets.reset();
  if (session.view().dialog() == Dialog::Presets)
    views_.presets = build_presets_model(session.editing().presets(), session.race().recorded.get());
  hide_asked(views_, session.lesson());
  views_.lesson_panel = build_lesson_panel_model(session);
  if (views_.present && views_.lesson_panel && !views_.present->question_open) {
    views_.present->lesson_ask = lesson_for_room(*views_.lesson_panel);
    if (!views_.present->lesson_ask.empty()) views_.present->end.reset();  // it has no place for the question
  }
  views_.header.learn = build_learn_model(session, views_.lesson_panel);
  views_.lessons.clear();
  if (session.view().dialog() == Dialog::Lessons) views_.lessons = build_lesson_list(session);
  views_.review.reset();
  if (session.view().dialog() == Dialog::Review)
    views_.review = build_review_model(session.lesson().lessons(), session.lesson().progress());
  views_.glossary.clear();
  if (session.view().dialog() == Dialog::Glossary) views_.glossary = build_glossary(session.lesson().lessons());
  views_.questions.clear();
  if (session.view().dialog() == Dialog::Questions) views_.questions = build_questions(session.questions());
  return views_;
}

}  // namespace tilewalk
