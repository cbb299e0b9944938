// The part of a Session that sets two schedules side by side: the page, the baseline, and switches of the lanes.
#include <algorithm>
#include <cmath>

#include "core/chip/compare.h"
#include "core/schedules/registry.h"
#include "core/schedules/validate.h"
#include "session/session.h"

namespace tilewalk {
namespace {

constexpr double kMostLanesZoom = 4096, kPan = 0.25;  // of what is in view

}  // namespace

Problem Session::baseline() const {
  const Pinned& pinned = document_.pinned;
  if (pinned.problem && why_not_comparable(*pinned.problem, problem()).empty()) return *pinned.problem;
  const ScheduleKind now = problem().schedule;
  const ScheduleFamily& family = schedule_row(now).family;
  const bool usable = pinned.schedule && *pinned.schedule != now &&
                      schedule_row(*pinned.schedule).family.backward == family.backward;
  return under_schedule(problem(), usable ? *pinned.schedule : family.before);
}

void Session::show_lanes(double zoom, double centre) {
  lanes_view_.zoom = std::clamp(std::isfinite(zoom) ? zoom : 1.0, 1.0, kMostLanesZoom);
  const double half = 0.5 / lanes_view_.zoom;
  lanes_view_.centre = std::clamp(std::isfinite(centre) ? centre : 0.5, half, 1 - half);
}

void Session::exchange_sides(std::int64_t cursor) {
  const Problem was = problem();
  Document next = document_;
  next.problem = baseline();
  if (next.problem == was) return;
  if (Issues issues = validate(next.problem); !issues.empty()) return say(text_of(issues), true);
  const std::shared_ptr<const Schedule> other = make_schedule(next.problem);
  next.cursor = cursor > 0 ? cursor : cursor_in_step(schedule(), this->cursor(), *other, document_.view.pace);
  next.pinned.problem = was;
  if (const Issues issues = adopt(std::move(next), true); !issues.empty()) return say(text_of(issues), true);
}

void Session::pin_chip() {
  document_.pinned.chip = false;
  if (!chip_ && setup_.load_chip) {
    Result<ChipTimelines> chip = setup_.load_chip();
    if (!chip) return say(text_of(chip.issues()), true);
    chip_ = std::make_shared<const ChipTimelines>(std::move(*chip));
  }
  if (!chip_) return say("There is no recorded timeline here", true);
  document_.pinned.chip = true;
}

void Session::open_page() {
  if (page() == Page::Race) open_race();
  if (document_.pinned.chip) pin_chip();
}

void Session::forget_baseline() {
  ++baseline_revision_;
  baseline_accuracy_.reset();
}

void Session::carry_out(const ShowPage& c) {
  document_.view.page = c.page;
  if (c.page == Page::Race) open_race();
}

void Session::carry_out(const SetPace& c) { document_.view.pace = c.pace; }
void Session::carry_out(const SetLanesView& c) { show_lanes(c.zoom, c.centre); }
void Session::carry_out(const ExchangeAt& c) { exchange_sides(c.cursor); }

void Session::carry_out(const PinSchedule& c) {
  document_.pinned.chip = false;
  document_.pinned.schedule = c.schedule;
  document_.pinned.problem.reset();
  forget_baseline();
}

void Session::carry_out(const SetLaneOption& c) {
  Document next = document_;
  set_lane_option(next.problem, c.option, c.value);
  if (next.problem == problem()) return;
  if (const Issues issues = adopt(std::move(next), true); !issues.empty()) say(text_of(issues), true);
}

bool Session::compare(Action action) {
  ViewSettings& view = document_.view;
  switch (action) {
    case Action::ShowCompare: view.page = view.page == Page::Compare ? Page::Walk : Page::Compare; return true;
    case Action::ShowWarps:  // from the walk it leads there
      view.filling = view.page == Page::Compare && view.filling == Filling::Warps ? Filling::Sms : Filling::Warps;
      view.page = Page::Compare;
      return true;
    case Action::NextPace: view.pace = Pace((int(view.pace) + 1) % 4); return true;
    case Action::LanesEarlier: show_lanes(lanes_view_.zoom, lanes_view_.centre - kPan / lanes_view_.zoom); return true;
    case Action::LanesLater: show_lanes(lanes_view_.zoom, lanes_view_.centre + kPan / lanes_view_.zoom); return true;
    case Action::ExchangeSides: exchange_sides(0); return true;
    case Action::PinChip: pin_chip(); return true;
    case Action::PinNow:
      document_.pinned.chip = false;
      document_.pinned.problem = problem();
      forget_baseline();
      say(std::string("Pinned: ") + title_of(problem().schedule) + " as it stands");
      return true;
    default: return false;
  }
}

}  // namespace tilewalk
