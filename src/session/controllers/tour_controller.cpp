#include "session/controllers/tour_controller.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "session/command/command_text.h"

namespace tilewalk {
namespace {

// In the preset picture steps 30 to 57 are those of Q tile 2, from before its load to after its store. FA-2 ends at
// step 92, naive attention at step 128. In the pipes naive attention is the schedule that plays, because FA-2 ends
// first.
constexpr TourStep kSteps[] = {
    {0, "load-preset picture"},
    {0, "show walk"},
    {0, "go-to-step 30"},
    {0, "set-unit phase"},
    {0, "set-speed 1.75"},
    {0, "play-pause"},
    {32, "pin-schedule standard", 57},
    {32, "pipes"},
    {32, "set-pace byte"},
    {32, "exchange-at 0"},
    {32, "set-unit tile"},
    {32, "set-speed 4"},
    {32, "play-pause"},
    {41, "exchange-at 92", 128},
    {41, "show walk"},
    {41, "first-minute"},
};
constexpr TourChapter kChapters[] = {{0, 0, "Q tile 2 meets K tile 0: the running sums begin"},
                                     {0, 40, "K tiles 1 and 2: a larger score shrinks what was summed"},
                                     {32, 0, "Naive attention writes S and P to HBM and reads them back"}};

constexpr const char* kFirstMinute = "go-to-step 30; play-pause; first-minute";

void add_commands(std::vector<Command>& out, std::string_view text) {
  Result<std::vector<Command>> read = commands_from(text);
  if (read) std::move(read->begin(), read->end(), std::back_inserter(out));
}

}  // namespace

std::span<const TourStep> tour_steps() { return kSteps; }

std::span<const TourChapter> tour_chapters() { return kChapters; }
std::size_t tour_chapter_at(double seconds, std::int64_t cursor) {
  std::size_t at = 0;
  for (std::size_t i = 1; i < std::size(kChapters); ++i)
    if (kChapters[i].begin < seconds && kChapters[i].first_step <= cursor) at = i;
  return at;
}

double tour_length() { return kSteps[std::size(kSteps) - 1].seconds; }

std::vector<Command> first_minute() {
  std::vector<Command> out;
  add_commands(out, kFirstMinute);
  return out;
}

void TourController::begin() {
  end();
  next_ = 0;
  began_ = -1;
  seconds_ = 0;
  before_ = {document_.view.speed, document_.view.unit};
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
  if (began_ < 0) began_ = now;
  seconds_ = now - began_;
  if (const TourStep& next = kSteps[*next_]; next.from_step > cursor && next.seconds < seconds_) {
    seconds_ = next.seconds;
    began_ = now - seconds_;
  }
  const auto is_due = [&](const TourStep& step) { return step.seconds <= seconds_ && step.from_step <= cursor; };
  for (; *next_ < std::size(kSteps) && is_due(kSteps[*next_]); ++*next_) add_commands(due, kSteps[*next_].command);
  if (*next_ == std::size(kSteps)) end();
  return due;
}

std::optional<double> TourController::seconds_to_next(double now) const {
  if (!runs()) return std::nullopt;
  return began_ < 0 ? 0.0 : std::max(0.0, began_ + kSteps[*next_].seconds - now);
}

}  // namespace tilewalk
