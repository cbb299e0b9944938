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

bool set_option(Problem& p, const std::string& name, std::int64_t value) {
  if (name == "warp specialisation")
    p.lanes.warp_specialised = value != 0;
  else if (name == "ping-pong")
    p.lanes.ping_pong = value != 0;
  else if (name == "overlap inside a warpgroup")
    p.lanes.overlap = value != 0;
  else if (name == "conditional rescale")
    p.tiling.rescale_threshold = value != 0 ? Problem{}.tiling.rescale_threshold : 0;
  else if (name == "polynomial exp2")
    p.lanes.exp2_share = value != 0 ? Problem{}.lanes.exp2_share : 0;
  else if (name == "stages")
    p.tiling.stages = int(std::clamp<std::int64_t>(value, 0, 1 << 20));
  else
    return false;
  return true;
}

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

bool Session::dispatch_compare(const Command& c) {
  ViewSettings& view = document_.view;
  Pinned& pinned = document_.pinned;
  switch (c.id) {
    case CommandId::ShowCompare: view.page = view.page == Page::Compare ? Page::Walk : Page::Compare; return true;
    case CommandId::SetPage:
      view.page = c.a == std::int64_t(Page::Compare) ? Page::Compare
                  : c.a == std::int64_t(Page::Race)  ? Page::Race
                                                     : Page::Walk;
      if (view.page == Page::Race) open_race();
      return true;
    case CommandId::ShowWarps:  // from the walk it leads there
      view.filling = view.page == Page::Compare && view.filling == Filling::Warps ? Filling::Sms : Filling::Warps;
      view.page = Page::Compare;
      return true;
    case CommandId::SetPace: view.pace = Pace(std::clamp<std::int64_t>(c.a, 0, 3)); return true;
    case CommandId::NextPace: view.pace = Pace((int(view.pace) + 1) % 4); return true;
    case CommandId::SetLanesView: show_lanes(c.x, c.y); return true;
    case CommandId::LanesEarlier:
      show_lanes(lanes_view_.zoom, lanes_view_.centre - kPan / lanes_view_.zoom);
      return true;
    case CommandId::LanesLater: show_lanes(lanes_view_.zoom, lanes_view_.centre + kPan / lanes_view_.zoom); return true;
    case CommandId::ExchangeSides: exchange_sides(c.a); return true;
    case CommandId::PinChip: pin_chip(); return true;
    case CommandId::PinSchedule:
      pinned.chip = false;
      if (c.a < 0 || c.a >= std::int64_t(all_schedules().size())) return true;
      pinned.schedule = ScheduleKind(c.a);
      pinned.problem.reset();
      forget_baseline();
      return true;
    case CommandId::PinNow:
      pinned.chip = false;
      pinned.problem = problem();
      forget_baseline();
      say(std::string("Pinned: ") + title_of(problem().schedule) + " as it stands");
      return true;
    case CommandId::SetLaneOption: {
      Document next = document_;
      if (!set_option(next.problem, c.field, c.a) || next.problem == problem()) return true;
      if (const Issues issues = adopt(std::move(next), true); !issues.empty()) say(text_of(issues), true);
      return true;
    }
    default: return false;
  }
}

}  // namespace tilewalk
