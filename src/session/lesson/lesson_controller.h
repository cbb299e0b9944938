// The open lesson: its screen, the answer and the reply to it, and the progress of all lessons. A lesson steers the
// session by Commands that take_due() returns; its goal is evaluated after every other Command. All lessons are
// available from the start, and Next works on an unanswered screen too.
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
  void read();  // reads the lessons once; reports errors in them

  const std::vector<Lesson>& lessons() const { return lessons_; }  // none before read()
  const LessonsProgress& progress() const { return progress_; }
  const Facts& facts() const { return facts_; }

  const Lesson* lesson() const { return open_ < 0 ? nullptr : &lessons_[std::size_t(open_)]; }  // null: none is open
  int screen_place() const { return screen_; }                                                  // from 0
  const LessonScreen& screen() const { return lesson()->screens[std::size_t(screen_)]; }  // precondition: lesson()
  const LessonScene& scene() const;                    // of the screen, or of the last earlier one that has one
  bool hides(const std::string& word) const;           // one of kHideWords: hidden until the task is done
  bool has_picture() const;                            // of the screen, larger than beside work by hand
  bool asks_for_a_number() const;                      // not yet answered or shown
  const std::string& draft() const { return draft_; }  // as typed so far
  const std::optional<CheckedAnswer>& checked() const { return checked_; }  // of the last checked answer
  const std::string& checked_draft() const { return checked_draft_; }  // the text that was checked last on this screen
  TaskProgress task() const;                                           // of the screen's task
  bool done() const;                                                   // there is no task, or it was answered or shown
  bool fields_stand() const;             // of a task by hand: all its fields were asked, and each is answered or shown
  bool tried() const { return tried_; }  // another thing than the task was done: the task's `says` is shown

  void carry_out(const OpenLesson&);
  void carry_out(const DraftAnswer& c);
  void carry_out(const CheckAnswer& c);
  // Each reports an error where no lesson is open.
  void next_screen();  // of the lesson; after its last one, the first of the next lesson
  void previous_screen();
  void check_draft();
  void give_hint();
  void show_answer();
  void again();  // from its first screen, with no progress
  void leave();
  // Commands that the lesson wants executed now; clears the list.
  std::vector<Command> take_due();
  bool observe();  // evaluates the goal; true if it was met just now

 private:
  void turn_to(int screen);
  void draw();  // samples the recorded win of the screen, if it asks for one
  void count_guesses();
  void note_guess();
  bool is_open();  // else reports that none is open
  void stop_work_by_hand();
  void show_by_hand();
  bool all_were_asked() const;
  std::vector<Figure> figures_of_says() const;  // figures in the task's `says`
  void pass(bool shown);
  void take_guess();
  TaskProgress& task_progress();

  Facts facts_;
  RooflineController& roofline_;  // source of the recorded times
  const HandController& hand_;
  MessageLine& messages_;
  LessonLoader load_;  // empty after read()
  std::vector<Lesson> lessons_;
  LessonsProgress progress_;
  int open_ = -1, screen_ = 0;
  std::string draft_, checked_draft_;
  std::optional<CheckedAnswer> checked_;
  std::vector<Command> due_;
  std::optional<std::vector<Figure>> figures_at_first_;
  bool tried_ = false, shown_here_ = false;
};

}  // namespace tilewalk
