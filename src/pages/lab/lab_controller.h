// The page of the lab: the tasks, the learner's text of each, its run, and the place in that run. The run is done in
// slices (Session's Work). A text is never lost: each change is progress, which is stored as it is typed, and a reset
// keeps the text that it replaces. The place is a stop of the chosen thread (lab/run/thread_path.h). A file can be
// watched: at each change its text replaces the learner's, and runs.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "files/file_io.h"
#include "lab/tasks/holes.h"
#include "lab/tasks/lab_run.h"
#include "lab/tasks/task.h"
#include "pages/lab/lab_progress.h"
#include "session/command/command.h"
#include "session/document/message_line.h"
#include "session/document/step_motion.h"

namespace tilewalk {

inline constexpr double kSecondsOfFlood = 0.8;  // a kernel has become right: green runs over its tiles

// A link has no line ends and no apostrophes: ␤ and ʼ (U+02BC) stand for them.
std::string text_in_link(std::string_view kernel);
std::string text_of_link(std::string_view shared);

class LabController {
 public:
  struct Setup {
    std::function<Result<std::vector<lab::LabTask>>()> load_tasks;  // called when the page is first opened
    LabProgress progress = {};                                      // at the previous start
    // The file's text, if it is another version than `known`, which becomes the new one. Null: files cannot be watched.
    std::function<std::optional<Result<std::string>>(const std::string& path, FileIdentity& known)> read_changed = {};
  };

  LabController(Document& document, MessageLine& messages, Setup setup)
      : document_(document), messages_(messages), setup_(std::move(setup)), progress_(setup_.progress) {}
  void turned_to(Page page) {
    if (page == Page::Lab) read_tasks();
  }
  void read_tasks();  // reads them once

  const std::vector<lab::LabTask>& tasks() const { return tasks_; }
  const std::string& missing() const { return missing_; }  // why there are none
  const LabProgress& progress() const { return progress_; }
  const LabProgress& progress_before() const { return setup_.progress; }  // at the previous start
  const lab::LabTask* task() const;                                       // the open one; null where there are none
  LabTaskProgress of_task() const;                                        // its progress
  std::string text() const;                                               // the learner's, or the start
  std::vector<lab::HoleLines> holes() const;
  int filled_line() const { return filled_line_; }  // of the text: where "Show me" filled a hole last; 0: nowhere

  bool is_running() const { return job_ != nullptr; }
  double fraction() const { return job_ ? job_->progress() : 1; }  // of the run that is under way
  // The last run, of the open task; null: none. Its text may be older than text().
  const lab::LabRunResult* result() const { return result_.get(); }
  bool is_current() const { return result_ && result_->text == text(); }
  const StepMotion& flood() const { return flood_; }       // of a run that passed; without motion it rests at once
  void hold_flood(double t);                               // where the last run passed
  const std::string& watched() const { return watched_; }  // the path of the file; empty: none

  // The walk through the run. Empty where it did not compile.
  LabUnit unit() const { return unit_; }
  int thread() const { return thread_; }
  std::size_t stop() const { return stop_; }  // of result()->stops
  const lab::Machine* machine() const;        // at the stop; null while it is being sought, and without a run
  std::int64_t visits_before() const;         // complete at the stop
  std::optional<std::size_t> stop_of_visit(std::int64_t visit) const;  // where that visit has just been completed
  bool is_playing() const { return playing_; }
  bool at_start() const { return stop_ == 0; }
  bool at_end() const { return !result_ || stop_ + 1 >= result_->stops.size(); }

  bool busy() const { return job_ || seeking_; }
  bool work();  // runs or seeks on for some milliseconds; true if what is shown changed
  bool tick(double now);
  std::optional<double> seconds_to_next(double now) const;

  void run();
  void stop_run() { job_.reset(); }
  void give_hint();
  void show_hole();
  void reset();
  void play_or_pause();
  void step(StepUnit, int direction);  // Phase: by the chosen unit; Tile: to the next visit; QTile: to the next Q tile
  void to_end(int direction);
  void next_unit() { unit_ = LabUnit((int(unit_) + 1) % 3); }
  void carry_out(const ChooseTask&);
  void carry_out(const EditKernel&);
  void carry_out(const OpenSharedKernel&);
  void carry_out(const SetLabUnit& c) { unit_ = c.unit; }
  void carry_out(const SetLabThread&);
  void carry_out(const GoToLabVisit&);
  void carry_out(const WatchKernel&);
  void open_file(const std::string& path) { carry_out(WatchKernel{path}); }

 private:
  LabTaskProgress& own() { return progress_.tasks[task()->name]; }
  void put_text(std::string);
  void replace_text(std::string);  // by one from elsewhere: the learner's can be brought back
  void find_holes();
  void drop_result();
  void take_result();
  bool follow_file(double now);
  bool read_file();  // the watched one, if it changed
  void go_to(std::size_t stop);
  bool same_place(const lab::PathStop&, const lab::PathStop&) const;  // in the chosen unit

  Document& document_;
  MessageLine& messages_;
  Setup setup_;
  std::vector<lab::LabTask> tasks_;
  std::string missing_;
  bool read_ = false;
  LabProgress progress_;
  lab::TaskHoles holes_of_task_;
  int filled_line_ = 0;
  std::unique_ptr<lab::LabRun> job_;
  std::shared_ptr<lab::LabRunResult> result_;
  StepMotion flood_;
  bool keeps_place_ = false;  // the run that is under way does not move the place
  std::string watched_;
  FileIdentity read_version_;  // of the watched file
  std::optional<double> looked_at_;
  int thread_ = 0;
  LabUnit unit_ = LabUnit::Phase;
  std::size_t stop_ = 0;
  bool seeking_ = false, playing_ = false;
  std::optional<double> moved_at_;
};

}  // namespace tilewalk
