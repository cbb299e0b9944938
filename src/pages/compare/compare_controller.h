// Two schedules side by side: the baseline, the visible part of the lanes, the row whose transfers are listed, and the
// options of the lanes. The document contains the pinned baseline, the pace, the filling and what is compared.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "session/command/command.h"
#include "session/controllers/call_walk.h"
#include "session/controllers/walk_controller.h"
#include "session/controllers/warps_visit_controller.h"
#include "session/document/compared_problems.h"
#include "session/document/document_owner.h"
#include "session/document/message_line.h"
#include "session/document/window_call.h"

namespace tilewalk {

struct LanesView {  // the visible part of the modelled lanes; zoom 1 shows all
  double zoom = 1, centre = 0.5;
  double first() const { return centre - 0.5 / zoom; }
  double last() const { return centre + 0.5 / zoom; }
  bool operator==(const LanesView&) const = default;
};

// The last steps while presented: of recorded lanes, a kind of work each; of warps, what passes between them, then why.
inline constexpr int kStepsOfChip = 7, kStepsOfWarps = 2;

std::optional<Action> toggle_of(Filling);  // none for SMs beside the lanes: toggling any other leads there

class CompareController {
 public:
  struct Setup {
    std::function<Result<ChipTimelines>()> load_chip;  // lanes recorded on a GPU; called when they are first pinned
  };

  CompareController(Document& document, MessageLine& messages, DocumentOwner& owner, const WalkController& walk,
                    const WindowCall& window, Setup setup)
      : document_(document),
        messages_(messages),
        owner_(owner),
        walk_(walk),
        window_(window),
        setup_(std::move(setup)),
        visit_(document) {}
  void forget_baseline() { ++baseline_revision_; }  // another baseline: drops results about the old one
  void read_chip();                                 // reads the recorded lanes, if the document has them pinned

  // The pinned one; else naive attention for pipes and for a call, and the previous schedule of the family for a walk.
  Problem baseline() const;
  std::uint64_t baseline_revision() const { return baseline_revision_; }  // grows when the baseline changes
  // What is compared; the walk where the call cannot be. While lanes are recorded, their problem, whatever was chosen.
  Compared compared() const;
  std::string why_not_the_call() const;  // the end of a sentence; empty: it can be compared
  ComparedProblems problems() const;
  bool walks_call() const;            // the walk is of the window's call, as a kernel runs it
  Problem under(ScheduleKind) const;  // the compared problem under that schedule, with its tiles there
  // What a person who opens the page sees first: of a tiny walk the call, until the walk itself is chosen; of a walk of
  // the call the call, which has its own cursor; the pipes, until another filling is chosen. Recorded lanes are shown
  // as lanes.
  Compared compared_at_first() const;
  Filling filling_at_first() const;
  Filling chosen_filling() const { return chosen_filling_; }  // the last user choice
  void choose_filling(Filling filling) { chosen_filling_ = filling; }
  // The recorded lanes while they are pinned and the schedule is the recorded one; else null.
  const ChipTimelines* chip() const;
  // While the page is presented: recorded lanes and warps show one thing after the other; lanes show the answer to
  // their question first; pipes and lanes of a call move by a share of it. False: the walk moves.
  bool step_presented(StepUnit, int direction);
  bool asks_about_lanes() const;  // presented lanes have not shown what limits the schedule
  void begin_presenting() { presented_step_ = 0; }
  int presented_step() const { return presented_step_; }  // 0: the picture alone; of recorded lanes and warps
  const LanesView& lanes_view() const { return lanes_view_; }
  Filling filling() const { return document_.view.filling; }
  const std::string& transfers_of() const { return transfers_of_; }  // a row of the table of differences; empty: none

  void next_pace();
  void carry_out(const SetLaneOption&);
  void carry_out(const PinSchedule&);
  void carry_out(const ChooseCompared&);
  void opened();  // from another page: shows the walk, as lanes
  void pin_now();
  void pin_chip();  // walks the schedule whose lanes were recorded, if another one is open
  void exchange_sides(std::optional<std::int64_t> cursor = {});  // shows the baseline instead, in step or at a cursor
  void show_transfers(std::string row) { transfers_of_ = std::move(row); }
  // The buttons and keys of the walk move the call that is compared, where that is another problem.
  bool moves_call() const { return !chip() && compared() == Compared::Call && !problems().of_walk; }
  CallWalk& call();                                                                    // precondition: moves_call()
  std::int64_t first_call_cursor(const Schedule& call, const Schedule* pinned) const;  // while no person has moved it
  const CallWalk& call_walk() const { return call_; }
  void carry_out(const GoToCallStep&);
  // The panels of warps show one visit, which plays and is held instead of the walk or the call.
  const WarpsVisitController& visit() const { return visit_; }
  bool shows_visit() const;
  void play_visit();
  void hold_visit(double t);
  // A person opened this filling: the waves of a call, or one visit of the warps, play by themselves from the next tick
  // on. With reduced motion they rest.
  void play_when_shown();
  bool tick(double now);
  std::optional<double> seconds_to_next() const;
  void pause();
  void toggle_all_rows() { all_rows_ = !all_rows_; }
  bool all_rows() const { return all_rows_; }  // of the table of differences; else those that differ most
  void toggle_filling(Filling);                // or the SMs, if that is shown
  void show_lanes(double zoom, double centre);
  void pan(int direction);  // of the lanes: 1 later, -1 earlier
  void zoom_by(double factor) { show_lanes(lanes_view_.zoom * factor, lanes_view_.centre); }
  void show_all() { lanes_view_ = {}; }

 private:
  const Problem& problem() const { return document_.problem; }
  void show_filling(Filling);
  Problem baseline_of(Compared) const;
  Problem at_window_call(const Problem& side) const;  // precondition: why_not_the_call() is empty

  Document& document_;
  MessageLine& messages_;
  DocumentOwner& owner_;
  const WalkController& walk_;
  const WindowCall& window_;
  Setup setup_;
  std::shared_ptr<const ChipTimelines> chip_;
  LanesView lanes_view_;
  int presented_step_ = 0;
  std::string transfers_of_;
  bool all_rows_ = false;
  CallWalk call_;
  WarpsVisitController visit_;
  bool plays_when_shown_ = false;
  std::optional<double> shown_at_;     // seconds
  Compared of_tiny_ = Compared::Call;  // as chosen last while the walk was tiny
  Filling chosen_filling_ = Filling::Pipes;
  std::optional<Pace> before_pipes_;  // the pace before the pipes opened; empty once another was chosen
  std::uint64_t baseline_revision_ = 0;
};

}  // namespace tilewalk
