#include "session/controllers/tour_controller.h"

#include <algorithm>
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
// loaded, so that the panels beside it show that tile.
constexpr double kRow = kSecondsOfRow + 0.2;
constexpr TourStep kFirstStart[] = {{0, "go-to-step 31"}, {0, "first-minute"},     {0, "one-row"},
                                    {kRow, "one-row"},    {kRow, "go-to-step 30"}, {kRow, "play-pause"}};
constexpr TourStep kWatch[] = {
    {0, "load-preset picture"},
    {0, "show walk"},
    {0, "go-to-step 31"},
    {0, "one-row"},
    {kRow, "one-row"},
    {kRow, "go-to-step 30"},
    {kRow, "set-unit tile"},
    {kRow, "set-speed 1.5"},
    {kRow, "play-pause"},
    {20, "set-unit phase", 47},
    {20, "set-speed 1.75"},
    {31, "set-speed 4", 55},
    {32, "set-unit tile", 57},
    {32, "set-speed 2.5"},
    {34, "pin-schedule standard", 90},
    {34, "pipes"},
    {34, "set-pace byte"},
    {34, "exchange-at 0"},
    {34, "set-unit tile"},
    {34, "set-speed 5"},
    {34, "play-pause"},
    {42, "exchange-at 92", 128},
    {42, "show walk"},
    {42, "first-minute"},
};
constexpr TourChapter kChapters[] = {{0, 0, "One row of the answer: scores, weights, and why sums shrink"},
                                     {kRow, 0, "Q tile 2 meets its K tiles, one after the other"},
                                     {34, 0, "Naive attention writes S and P to HBM and reads them back"}};

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
  const double next = tour_steps(tour_)[*next_].seconds;
  *began_ -= next - seconds_;
  seconds_ = next;
}

void TourController::end() {
  if (!runs()) return;
  next_.reset();
  document_.view.speed = before_.speed;
  document_.view.unit = before_.unit;
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
