// The lesson that is open: its screen, what was answered, what was said of that, and the progress of all lessons. A
// lesson steers the session by Commands that it hands out (due); what a goal asks for is looked at after every other
// Command. All lessons are open from the start, and nothing is in the way: Next works on an unanswered screen too.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "session/command/command.h"
#include "session/controllers/hand_controller.h"
#include "session/document/message_line.h"
#include "session/lesson/answer.h"
#include "session/lesson/lesson.h"
#include "session/lesson/progress.h"

namespace tilewalk {

using LessonLoader = std::function<Result<std::vector<Lesson>>()>;

class LessonController {
 public:
  LessonController(FactSources sources, RooflineController& roofline, const HandController& hand, MessageLine& messages,
                   LessonLoader load, LessonsProgress progress)
      : facts_(std::move(sources)),
        roofline_(roofline),
        hand_(hand),
        messages_(messages),
        load_(std::move(load)),
        progress_(std::move(progress)) {}
  void read();  // the lessons, once; what is wrong with them is said

  const std::vector<Lesson>& lessons() const { return lessons_; }  // none before they were read
  const LessonsProgress& progress() const { return progress_; }
  const Facts& facts() const { return facts_; }

  const Lesson* lesson() const { return open_ < 0 ? nullptr : &lessons_[std::size_t(open_)]; }  // null: none is open
  int screen_place() const { return screen_; }                                                  // from 0
  const LessonScreen& screen() const { return lesson()->screens[std::size_t(screen_)]; }  // precondition: lesson()
  const LessonScene& scene() const;                    // the screen's, or that of the one before which has one
  bool hides(const std::string& word) const;           // one of kHideWords: not to be seen before the task is done
  bool asks_for_a_number() const;                      // which has yet to be answered or shown
  const std::string& draft() const { return draft_; }  // as typed so far
  const std::optional<CheckedAnswer>& checked() const { return checked_; }  // of the answer last checked
  TaskProgress task() const;                                                // of the screen's task
  bool done() const;                     // nothing is asked, or it was answered or shown
  bool tried() const { return tried_; }  // something is to be done, and something else was: the task says what there is

  void carry_out(const OpenLesson&);
  void carry_out(const DraftAnswer& c);
  void carry_out(const CheckAnswer& c);
  // Each refuses where no lesson is open.
  void next_screen();  // of the lesson; after its last one, the first of the next lesson
  void previous_screen();
  void check_draft();
  void give_hint();
  void show_answer();
  void again();  // from its first screen, with nothing done
  void leave();
  // Commands that the lesson wants carried out now; asked for once.
  std::vector<Command> take_due();
  bool observe();  // looks at the goal; true if it was met just now

 private:
  void turn_to(int screen);
  void draw();  // what the screen asks of recorded wins
  void count_guesses();
  bool is_open();  // else says so
  void stop_work_by_hand();
  void show_by_hand();
  bool all_were_asked() const;
  std::vector<Figure> figures_told() const;  // by what the task says as long as it is not done
  void pass(bool shown);
  void take_guess();
  TaskProgress& task_progress();

  Facts facts_;
  RooflineController& roofline_;  // which has the recorded times
  const HandController& hand_;
  MessageLine& messages_;
  LessonLoader load_;  // empty once they were read
  std::vector<Lesson> lessons_;
  LessonsProgress progress_;
  int open_ = -1, screen_ = 0;
  std::string draft_;
  std::optional<CheckedAnswer> checked_;
  std::vector<Command> due_;
  std::optional<std::vector<Figure>> told_at_first_;
  bool tried_ = false, shown_here_ = false;
};

}  // namespace tilewalk
