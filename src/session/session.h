// The session: the document on screen, the state at its cursor, and everything a person can change about the view.
// dispatch() alone changes it (law 4); everything else reads. Time comes in with Tick and is never read from a clock.
//
// Replay is worked off in slices: a Command does a small slice at once, so small problems are always up to date; what
// is left is done by Work. Until the state is ready, state() is the last one that was, and busy() says so.
// state().cursor tells which cursor the numbers on screen belong to. An edit that breaks a rule changes nothing but the
// draft and its issues: the last good problem stays on screen. Not modelled: which check runs where (app/jobs does, and
// reports by Command), pixels, windows.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/replay/replay.h"
#include "core/schedules/registry.h"
#include "session/command.h"
#include "session/opening.h"
#include "session/playback.h"
#include "session/problem_draft.h"
#include "session/session_file.h"
#include "measured/chip_timeline.h"

namespace tilewalk {

struct Selection {  // a cell of the score matrix of the head in view
  std::int64_t row = 0, col = 0;
  bool operator==(const Selection&) const = default;
};

struct GridView {  // which part of the score matrix is in view; zoom 1 shows all of it
  double zoom = 1;
  double row = 0.5, col = 0.5;  // its centre, as fractions of the matrix
  bool operator==(const GridView&) const = default;
};

struct LanesView {  // which part of the modelled lanes is in view; zoom 1 shows all
  double zoom = 1, centre = 0.5;
  double first() const { return centre - 0.5 / zoom; }
  double last() const { return centre + 0.5 / zoom; }
  bool operator==(const LanesView&) const = default;
};

struct Message {  // one line for the person: what was done, or why not
  std::string text;
  bool error = false;
  std::uint64_t serial = 0;  // grows with every message
};

struct SessionSetup {
  InputLoader load_inputs;  // without it, a document with paths is refused
  std::shared_ptr<Crew> crew;  // shares out replay; may be null
  std::vector<Preset> presets;
  std::function<Result<Race>()> load_race;  // the recorded one; asked when its page is first opened
  std::function<Result<ChipTimelines>()> load_chip;  // lanes recorded from the chip; asked when they are first pinned
  bool gpu_present = false;
  std::string gpu_reason;  // why there is no GPU to check on
};

class Session {
 public:
  static Result<std::unique_ptr<Session>> open(const Document&, SessionSetup);
  static std::unique_ptr<Session> of(Opening, SessionSetup);  // what has been opened already

  void dispatch(const Command&);

  const Document& document() const { return document_; }
  const Problem& problem() const { return document_.problem; }
  const Schedule& schedule() const { return *schedule_; }
  const Inputs& inputs() const { return replay_->inputs(); }
  std::int64_t cursor() const { return document_.cursor; }
  const State& state() const { return shown_; }
  bool busy() const { return busy_; }
  std::int64_t visits_at_once() const;  // of replay: what one Command does, and what is worth a Work
  double progress() const { return busy_ ? replay_->progress() : 1.0; }

  const Playback& playback() const { return playback_; }
  const std::optional<Selection>& selection() const { return selection_; }
  const GridView& grid_view() const { return grid_view_; }
  const LanesView& lanes_view() const { return lanes_view_; }
  Page page() const { return document_.view.page; }
  Filling filling() const { return document_.view.filling; }
  // The recorded lanes while they are pinned and the schedule is the one they were recorded of; else null.
  const ChipTimelines* chip() const {
    return document_.pinned.chip && row_of(problem()).lanes.recorded_on_chip ? chip_.get() : nullptr;
  }
  Problem baseline() const;  // what the problem is compared with: pinned, or the schedule before it in the family
  const RaceDesk& race() const { return race_; }
  Dialog dialog() const { return dialog_; }
  const Draft& draft() const { return draft_; }
  const Issues& draft_issues() const { return draft_issues_; }
  const std::optional<Message>& message() const { return message_; }
  const CheckReport& check() const { return check_; }
  // Distance from float64 of what is on screen, and of the baseline; empty until it has been measured.
  const std::optional<AccuracyReport>& accuracy() const { return accuracy_; }
  const std::optional<AccuracyReport>& baseline_accuracy() const { return baseline_accuracy_; }
  const std::vector<Preset>& presets() const { return setup_.presets; }
  bool gpu_present() const { return setup_.gpu_present; }
  const std::string& path() const { return path_; }
  const FileInputs& files() const { return read_.tensors; }

  // What the surroundings must act on.
  bool quit() const { return quit_; }
  bool full_screen() const { return full_screen_; }
  const std::string& clipboard() const { return clipboard_; }
  std::uint64_t clipboard_serial() const { return clipboard_serial_; }
  std::uint64_t live_check_serial() const { return live_check_serial_; }  // grows with each request for a live check

  std::uint64_t revision() const { return revision_; }                  // grows with every change a panel could show
  std::uint64_t problem_revision() const { return problem_revision_; }  // … of values or steps
  std::uint64_t baseline_revision() const { return baseline_revision_; }  // … or of what is pinned

  // (batch, head) in view: those of the step at hand; before the first step, those that come first.
  std::int64_t batch_in_view() const;
  std::int64_t head_in_view() const;

 private:
  explicit Session(SessionSetup setup) : setup_(std::move(setup)) {}
  // An edit of what is open: empty if it is the document now; else nothing has changed.
  Issues adopt(Document next, bool keep_view);
  Issues open_anew(WalkedDocument);  // likewise, with its files read again
  void show(Opening, bool keep_view);
  void show_around_the_walk(Document next, std::shared_ptr<const Schedule>);
  void seek(std::int64_t cursor);
  void work(std::int64_t visits);
  void play(int direction, std::optional<std::int64_t> target);
  void tick(double now);
  void follow_cursor();
  void zoom_by(double factor);
  void show_lanes(double zoom, double centre);
  void exchange_sides(std::int64_t cursor);
  void run_to(std::int64_t q_tile, std::int64_t kv_tile);
  std::optional<std::int64_t> end_of_tile(std::int64_t q_tile, std::int64_t kv_tile) const;
  void open_dialog(Dialog dialog);
  void forget_baseline();
  void pin_chip();
  void say(std::string text, bool error = false);
  bool adopt_or_say(Document, bool keep_view);  // true if adopted
  void move_to(std::int64_t cursor);
  void start_race(RaceSource on);
  void carry_out(Action);
  void carry_out(const Tick& c) { tick(c.now); }
  void carry_out(const GoToStep&);
  void carry_out(const GoToTile&);
  void carry_out(const RunToTile&);
  void carry_out(const GoToHead&);
  void carry_out(const SetSpeed&);
  void carry_out(const SetUnit&);
  void carry_out(const SelectCell&);
  void carry_out(const SetGridView&);
  void carry_out(const SetTextScale&);
  void carry_out(const OpenDialog&);
  void carry_out(const ShowPage&);
  void carry_out(const SetPace&);
  void carry_out(const SetLanesView&);
  void carry_out(const SetLaneOption&);
  void carry_out(const PinSchedule&);
  void carry_out(const ExchangeAt&);
  void carry_out(const ChooseRace&);
  void carry_out(const SetSchedule&);
  void carry_out(const EditField&);
  void carry_out(const ApplyEdit&);
  void carry_out(const ResetEdit&);
  void carry_out(const EditValue&);
  void carry_out(const LoadPreset&);
  void carry_out(const OpenFile&);
  void carry_out(const SaveFile&);
  void carry_out(const Work&);
  void carry_out(const ReportCheck&);
  void carry_out(const ReportAccuracy&);
  void carry_out(const ReportDevices&);
  void carry_out(const ReportRace&);
  bool walk(Action);  // false: it belongs to another part
  bool view(Action);
  bool compare(Action);
  bool race(Action);
  bool document(Action);
  void open_race();
  void open_page();  // reads what the document's page and pinned lanes need

  SessionSetup setup_;
  Document document_;
  LoadedInputs read_;
  std::shared_ptr<const Schedule> schedule_;  // of the problem as it stands
  std::unique_ptr<Replay> replay_;            // of a problem with its steps and values
  State shown_;
  bool busy_ = false;
  Playback playback_;
  std::optional<Selection> selection_;
  GridView grid_view_;
  LanesView lanes_view_;
  RaceDesk race_;
  std::shared_ptr<const ChipTimelines> chip_;
  Dialog dialog_ = Dialog::None;
  Draft draft_;
  Issues draft_issues_;
  std::optional<Message> message_;
  CheckReport check_;
  std::optional<AccuracyReport> accuracy_, baseline_accuracy_;
  std::string path_, clipboard_;
  bool quit_ = false, full_screen_ = false;
  std::uint64_t clipboard_serial_ = 0, live_check_serial_ = 0, revision_ = 0, problem_revision_ = 0,
                baseline_revision_ = 0, message_serial_ = 0;
};

}  // namespace tilewalk
