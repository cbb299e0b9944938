// The walk: the cursor, the state there, playing, the selected cell and the visible part of the score matrix. Replay
// runs in slices: a Command replays a small slice at once, so small problems are always up to date; Work replays the
// rest. Until the state is ready, state() returns the last ready one, and busy() is true. The cursor, the speed and the
// unit are in the document, which the session owns.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "core/replay/replay.h"
#include "session/command/command.h"
#include "session/document/message_line.h"
#include "session/document/playback.h"
#include "session/document/step_motion.h"

namespace tilewalk {

struct Selection {  // a cell of the score matrix of the head in view
  std::int64_t row = 0, col = 0;
  bool operator==(const Selection&) const = default;
};

struct GridView {  // the visible part of the score matrix; zoom 1 shows all of it
  double zoom = 1;
  double row = 0.5, col = 0.5;  // its centre, as fractions of the matrix
  bool operator==(const GridView&) const = default;
};

// Seconds that it takes to read the texts of a step. Playing by phase waits that long.
using ReadingTime = std::function<double(const Schedule&, const State&)>;

// True if `now` is the problem before without its deliberate mistake.
bool takes_a_mistake_back(Problem before, const Problem& now);

class WalkController {
 public:
  WalkController(Document& document, MessageLine& messages, ReadingTime reading_time)
      : document_(document), messages_(messages), reading_time_(std::move(reading_time)) {}
  // The document's problem, at its cursor.
  void open(std::shared_ptr<const Schedule>, const Inputs&, const std::shared_ptr<WorkerPool>&, bool keep_view);
  void rescheduled(std::shared_ptr<const Schedule>, std::int64_t cursor);  // with the same steps and values

  const Schedule& schedule() const { return *schedule_; }
  const std::shared_ptr<const Schedule>& shared_schedule() const { return schedule_; }
  const Inputs& inputs() const { return replay_->inputs(); }
  std::int64_t cursor() const { return document_.cursor; }
  const State& state() const { return shown_; }
  // With a deliberate mistake: the state at the same cursor without it. Null otherwise.
  const State* right() const { return right_ && !busy_ ? &right_->state() : nullptr; }
  bool busy() const { return busy_; }
  double progress() const { return busy_ ? replay_->progress() : 1.0; }
  std::int64_t visits_at_once() const;  // of replay: the slice of one Command; a longer rest is left to Work

  const Playback& playback() const { return playback_; }
  // Progress of the current step's motion, and the state before the step. Null where nothing moves.
  const StepMotion& motion() const { return motion_; }
  const State* before() const { return motion_.t() < 1 && before_ && !busy_ ? &*before_ : nullptr; }
  // The state before the step while the step's motion runs or is held, else the state on screen.
  const State& landed() const { return before() ? *before() : shown_; }
  // Progress of the marks of a mistake that was just taken back, from the end of the walk to the first of them.
  const StepMotion& healing() const { return healing_; }
  std::optional<double> seconds_to_next_move(double now) const;  // empty unless it plays
  const std::optional<Selection>& selection() const { return selection_; }
  const std::optional<Quantity>& cells() const { return cells_; }  // empty: the quantity that the phase computes
  const GridView& grid_view() const { return grid_view_; }
  bool keeps_whole() const {
    return keeps_whole_;
  }  // the user option to show the whole matrix, however small its cells
  bool at_end() const { return cursor() == schedule().step_count(); }
  // At the end, with the last step's motion over: the card that sums the walk up. A person may close it; it opens again
  // when the end is reached anew.
  bool has_last_card() const { return at_end() && !last_card_closed_ && !busy_ && !before(); }
  // (batch, head) in view: those of the current step; before the first step, those of the first.
  std::int64_t batch_in_view() const { return shown_.started ? shown_.step.batch : 0; }
  std::int64_t head_in_view() const { return shown_.started ? shown_.step.head : 0; }

  void move_to(std::int64_t cursor);
  void open_last_card();  // elsewhere: to the end, where it opens
  void close_last_card();
  void hold_motion(double t);          // of the current step; pauses
  void step(StepUnit, int direction);  // 1 forwards, -1 back
  void carry_out(const GoToTile&);
  void carry_out(const GoToHead&);
  void play_or_pause();
  void run_to(std::int64_t q_tile, std::int64_t kv_tile);
  void run_to_selection();
  void set_speed(double moves_a_second);
  void next_unit();
  void carry_out(const SelectCell&);
  void select_nothing() { selection_.reset(); }
  void carry_out(const SetGridView&);
  void zoom_to_tile();
  void show_cells(std::optional<Quantity> cells) { cells_ = cells; }
  void next_cells();
  bool tick(double now);           // true if anything changed
  bool work(std::int64_t visits);  // likewise
  void pause() { playback_ = {}; }
  void zoom_by(double factor);
  void show_all() { grid_view_ = {}, keeps_whole_ = true; }

 private:
  const Problem& problem() const { return document_.problem; }
  StepUnit playing_by() const;
  double moves_a_second() const;
  void seek(std::int64_t cursor);
  void seek_moving(std::int64_t cursor, double seconds);  // forwards, with the motion of the last step
  void keep_before(std::int64_t cursor);                  // the state one step earlier, in before_
  bool is_small() const;                                  // a visit is replayed twice without a visible delay
  void play(int direction, std::optional<std::int64_t> target);
  std::optional<std::int64_t> end_of_tile(std::int64_t q_tile, std::int64_t kv_tile) const;
  void follow_cursor();

  Document& document_;
  MessageLine& messages_;
  const ReadingTime reading_time_;
  std::shared_ptr<const Schedule> schedule_;  // of the document's problem
  std::unique_ptr<Replay> replay_;            // of a problem with the same steps and values
  std::unique_ptr<Replay> right_;             // of the same problem without its fault
  int worker_count_ = 1;
  State shown_;
  bool busy_ = false;
  Playback playback_;
  StepMotion motion_, healing_;
  std::optional<State> before_;  // the state before the current step, while it moves
  std::optional<Selection> selection_;
  GridView grid_view_;
  bool keeps_whole_ = false;
  bool last_card_closed_ = false;
  std::optional<Quantity> cells_;
};

}  // namespace tilewalk
