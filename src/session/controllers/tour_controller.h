// The first minute: a card that offers three ways on, and two tours, scripts of ordinary commands, each due after some
// seconds: that of a first start, and the one behind the first of these ways. Times are passed in; no clock is read.
// The session dispatches the due commands. Any other command by a person ends the tour.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "session/command/command.h"

namespace tilewalk {

struct TourStep {
  double seconds;              // after the tour began
  const char* command;         // in its text form
  std::int64_t from_step = 0;  // the tour's time waits until the walk has made so many steps
};
enum class Tour {
  FirstStart,  // one row explained, then its Q tile plays; the card offers the ways on
  Watch        // one row explained, its Q tile through its K tiles, naive attention beside it, then size and time
};
std::span<const TourStep> tour_steps(Tour);  // in the order of their times
// Of Tour::Watch.
struct TourChapter {
  double begin;             // in seconds of the tour: the chapter starts after this time, at which the tour may wait
  std::int64_t first_step;  // and not before this step
  const char* title;
};
std::span<const TourChapter> tour_chapters();
std::size_t tour_chapter_at(double seconds, std::int64_t cursor);  // its index
double tour_length();                                              // in seconds
int tour_seconds();                                                // as it is shown: tour_length(), rounded

class TourController {
 public:
  explicit TourController(Document& document) : document_(document) {}

  bool offers() const { return offers_; }  // the card is on screen
  void offer(bool on) { offers_ = on; }
  bool runs() const { return next_.has_value(); }
  bool watches() const { return runs() && tour_ == Tour::Watch; }
  void begin(Tour);
  void skip();                                 // the next commands are due now
  void end();                                  // speed and unit are again what they were
  double seconds() const { return seconds_; }  // of the tour that runs, at the last call of take_due
  std::vector<Command> take_first();           // those of its beginning, whatever time it is
  // Those that have become due; the tour ends by itself after the last.
  std::vector<Command> take_due(double now, std::int64_t cursor);
  std::optional<double> seconds_to_next(double now) const;  // nothing while no tour runs

 private:
  struct Pace {
    double speed = 1;
    StepUnit unit = StepUnit::Phase;
  };

  Document& document_;
  bool offers_ = false;
  Tour tour_ = Tour::Watch;
  std::optional<std::size_t> next_;  // of the steps
  std::optional<double> began_;      // when its time was 0
  double seconds_ = 0;
  Pace before_;
};

}  // namespace tilewalk
