#include "session/controllers/tour_controller.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "session/command/command_text.h"
#include "session/controllers/one_row_controller.h"

namespace tilewalk {
namespace {

// In the preset picture steps 30 to 57 are those of Q tile 2, from before its load to after its store; its visits end
// at steps 39, 47 and 55. The last of these raises the max of the row that was explained: Watch plays it phase by
// phase, and the others, with those of Q tile 3, whole. FA-2 ends at step 92, naive attention at step 128. In the pipes
// naive attention is the schedule that plays, because FA-2 ends first. While its row is explained the tile has been
// loaded, so that the panels beside it show that tile. Watch moves from scene to scene of the row, and ends on size:
// the zoom stops at N 131,072, and what the call wins, as it was recorded, is the last picture. All of it is presented:
// pictures in large type, no controls. The zoom begins at the call's length. It lasts at most 45 seconds.
constexpr double kRow = kSecondsOfRow + 0.2, kThirdVisit = kRow + 1.2, kOtherQTiles = kThirdVisit + 8.5;
constexpr double kPipes = kOtherQTiles + 1, kZoom = kPipes + 4.5, kWin = kZoom + 4.5, kEnd = kWin + 2.9;
// The first K tile of Q tile 2 plays whole: nothing shrinks in it. From step 39 on the walk plays phase by phase.
constexpr TourStep kFirstStart[] = {
    {0, "go-to-step 31"},    {0, "first-minute"},     {0, "one-row"},       {kRow, "one-row"},
    {kRow, "go-to-step 30"}, {kRow, "set-unit tile"}, {kRow, "play-pause"}, {kRow + 0.5, "set-unit phase", 39}};
constexpr TourStep kWatch[] = {
    {0, "load-preset picture"},
    {0, "show walk"},
    {0, "go-to-step 31"},
    {0, "hold-row 0"},
    {0, "present"},
    {0, "play-pause"},
    {kRow, "one-row"},
    {kRow, "go-to-step 31"},
    {kRow, "set-unit tile"},
    {kRow, "set-speed 1.5"},
    {kRow, "play-pause"},
    {kThirdVisit, "set-unit phase", 47},
    {kThirdVisit, "set-speed 2.5"},
    {kOtherQTiles - 0.5, "set-speed 4", 55},
    {kOtherQTiles, "set-speed 2.5", 57},
    {kOtherQTiles + 0.3, "set-unit tile"},  // the store of O has the time to be read
    {kPipes, "pin-schedule standard", 90},
    {kPipes, "pipes"},
    {kPipes, "set-pace byte"},
    {kPipes, "exchange-at 0"},
    {kPipes, "set-unit tile"},
    {kPipes, "set-speed 8"},
    {kPipes, "present"},
    {kPipes, "play-pause"},
    {kZoom, "exchange-at 92", 128},
    {kZoom, "show walk"},
    {kZoom, "hold-zoom 0.65"},
    {kZoom, "present"},
    {kZoom, "play-pause"},
    {kZoom + 3.2, "hold-zoom 0.85"},
    {kWin, "endless-zoom"},
    {kWin, "show race"},
    {kWin, "present"},
    {kWin, "race-win"},
    {kEnd, "show walk"},
    {kEnd, "first-minute"},
};
constexpr TourChapter kChapters[] = {{0, 0, "One row of the answer, tile by tile, and why sums shrink"},
                                     {kRow, 0, "Row 9 is one of four in Q tile 2; S and P never leave the chip"},
                                     {kPipes, 0, "Naive attention writes S and P to HBM and reads them back"},
                                     {kZoom, 0, "The scores of longer texts: at N 131,072 they never exist"},
                                     {kWin, 0, "What that wins on a GPU, recorded"}};

void add_commands(std::vector<Command>& out, std::string_view text) {
  Result<std::vector<Command>> read = commands_from(text);
  if (read) std::move(read->begin(), read->end(), std::back_inserter(out));
}

}  // namespace

std::span<const TourStep> tour_steps(Tour tour) {
  if (tour == Tour::FirstStart) return kFirstStart;
  return kWatch;
}

std::span<const TourChapter> tour_chapters() { return kChapters; }
std::size_t tour_chapter_at(double seconds, std::int64_t cursor) {
  std::size_t at = 0;
  for (std::size_t i = 1; i < std::size(kChapters); ++i)
    if (kChapters[i].begin < seconds && kChapters[i].first_step <= cursor) at = i;
  return at;
}

double tour_length() { return std::rbegin(kWatch)->seconds; }
int tour_seconds() { return int(std::lround(tour_length())); }

void TourController::begin(Tour tour) {
  end();
  tour_ = tour;
  next_ = 0;
  began_.reset();
  seconds_ = 0;
  before_ = {document_.view.speed, document_.view.unit};
}

void TourController::skip() {
  if (!runs() || !began_) return;
  const std::span<const TourStep> steps = tour_steps(tour_);
  const double next = steps[*next_].seconds;
  *began_ -= next - seconds_;
  seconds_ = next;
}

void TourController::end() {
  if (!runs()) return;
  next_.reset();
  document_.view.speed = before_.speed;
  document_.view.unit = before_.unit;
}

std::vector<Command> TourController::take_first() {
  std::vector<Command> due;
  const std::span<const TourStep> steps = tour_steps(tour_);
  for (; *next_ < steps.size() && steps[*next_].seconds <= 0; ++*next_) add_commands(due, steps[*next_].command);
  return due;
}

std::vector<Command> TourController::take_due(double now, std::int64_t cursor) {
  std::vector<Command> due;
  if (!runs()) return due;
  if (!began_) began_ = now;
  seconds_ = now - *began_;
  const std::span<const TourStep> steps = tour_steps(tour_);
  if (const TourStep& next = steps[*next_]; next.from_step > cursor && next.seconds < seconds_) {
    seconds_ = next.seconds;
    began_ = now - seconds_;
  }
  const auto is_due = [&](const TourStep& step) { return step.seconds <= seconds_ && step.from_step <= cursor; };
  for (; *next_ < steps.size() && is_due(steps[*next_]); ++*next_) add_commands(due, steps[*next_].command);
  if (*next_ == steps.size()) end();
  return due;
}

std::optional<double> TourController::seconds_to_next(double now) const {
  if (!runs()) return std::nullopt;
  return !began_ ? 0.0 : std::max(0.0, *began_ + tour_steps(tour_)[*next_].seconds - now);
}

}  // namespace tilewalk
