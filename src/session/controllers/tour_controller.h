// The first minute: a card that offers three ways on, and the tour behind the first of them, a script of ordinary
// commands, each due after some seconds. Times are passed in; no clock is read. The session dispatches what is due; any
// other command of a person ends the tour.
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
// One Q tile through its K tiles, then naive attention beside it. In the order of their times.
std::span<const TourStep> tour_steps();
struct TourChapter {
  double begin;             // in seconds of the tour: the chapter starts after this time, at which the tour may wait
  std::int64_t first_step;  // and not before this step
  const char* title;
};
std::span<const TourChapter> tour_chapters();
std::size_t tour_chapter_at(double seconds, std::int64_t cursor);  // its index
double tour_length();                                              // in seconds
// A first start: that Q tile plays, and the card offers the ways on.
std::vector<Command> first_minute();

class TourController {
 public:
  explicit TourController(Document& document) : document_(document) {}

  bool offers() const { return offers_; }  // the card is on screen
  void offer(bool on) { offers_ = on; }
  bool runs() const { return next_.has_value(); }
  void begin();
  void end();                                  // speed and unit are again what they were
  double seconds() const { return seconds_; }  // of the tour that runs, at the last call of take_due
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
  std::optional<std::size_t> next_;  // of the steps
  double began_ = -1, seconds_ = 0;
  Pace before_;
};

}  // namespace tilewalk
