// Two schedules side by side: what the one on screen is compared with, which part of the lanes is in view, whose
// transfers are listed, and switches of the lanes. What is pinned, the pace and the filling stand in the document.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "measured/chip_timeline.h"
#include "session/command/command.h"
#include "session/controllers/walk_controller.h"
#include "session/document/document_owner.h"
#include "session/document/message_line.h"

namespace tilewalk {

struct LanesView {  // which part of the modelled lanes is in view; zoom 1 shows all
  double zoom = 1, centre = 0.5;
  double first() const { return centre - 0.5 / zoom; }
  double last() const { return centre + 0.5 / zoom; }
  bool operator==(const LanesView&) const = default;
};

class CompareController {
 public:
  struct Setup {
    std::function<Result<ChipTimelines>()> load_chip;  // lanes recorded from the chip; asked when they are first pinned
  };

  CompareController(Document& document, MessageLine& messages, DocumentOwner& owner, const WalkController& walk,
                    Setup setup)
      : document_(document), messages_(messages), owner_(owner), walk_(walk), setup_(std::move(setup)) {}
  void forget_baseline() { ++baseline_revision_; }  // what was known of it
  void read_chip();                                 // the recorded lanes, if the document has them pinned

  Problem baseline() const;  // what the problem is compared with: pinned, or the schedule before it in the family
  std::uint64_t baseline_revision() const { return baseline_revision_; }  // grows with every change of it
  // The recorded lanes while they are pinned and the schedule is the one they were recorded of; else null.
  const ChipTimelines* chip() const;
  const LanesView& lanes_view() const { return lanes_view_; }
  Filling filling() const { return document_.view.filling; }
  const std::string& transfers_of() const { return transfers_of_; }  // row of the table of differences; empty: none

  void next_pace();
  void carry_out(const SetLaneOption&);
  void carry_out(const PinSchedule&);
  void pin_now();
  void pin_chip();
  void exchange_sides(std::optional<std::int64_t> cursor = {});  // the baseline comes on screen, in step or at a cursor
  void show_transfers(std::string row) { transfers_of_ = std::move(row); }
  void show_warps();  // or the SMs again
  void show_lanes(double zoom, double centre);
  void pan(int direction);  // the lanes: 1 later, -1 earlier
  void zoom_by(double factor) { show_lanes(lanes_view_.zoom * factor, lanes_view_.centre); }
  void show_all() { lanes_view_ = {}; }

 private:
  const Problem& problem() const { return document_.problem; }

  Document& document_;
  MessageLine& messages_;
  DocumentOwner& owner_;
  const WalkController& walk_;
  Setup setup_;
  std::shared_ptr<const ChipTimelines> chip_;
  LanesView lanes_view_;
  std::string transfers_of_;
  std::uint64_t baseline_revision_ = 0;
};

}  // namespace tilewalk
