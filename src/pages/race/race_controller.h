// The page of the race: the recorded race, read when the page is first opened, the races run here, and the choice of
// what is shown. N, d and mask come from the window's call: the nearest that were raced. The bars run at their times
// made slower by a power of ten, for at most kSecondsOfRun. A new serial requests a race or stops it; the job that runs
// it reports by Command.
#pragma once

#include <functional>

#include "session/command/command.h"
#include "session/controllers/check_controller.h"
#include "session/document/message_line.h"
#include "session/document/window_call.h"

namespace tilewalk {

inline constexpr double kSecondsOfRun = 10;

class RaceController {
 public:
  struct Setup {
    std::function<Result<Race>()> load_race;  // the recorded one; called when the page is first opened
  };

  RaceController(Document& document, MessageLine& messages, const CheckController& checks, WindowCall& window,
                 Setup setup)
      : document_(document), messages_(messages), checks_(checks), window_(window), setup_(std::move(setup)) {
    follow();
  }
  void follow();         // takes over what other pages changed of the window's call
  void read_recorded();  // reads it once
  void turned_to(Page page) {
    rest();
    begin_presenting();
    if (page == Page::Race) read_recorded();
  }

  const Races& races() const { return races_; }

  void start(RaceSource on);
  void stop() { races_.stop(); }
  void run_again();  // the bars of the race on screen
  void begin_presenting() { races_.answered = races_.shows_win = false; }
  void show_win() {  // to a class
    rest();
    races_.answered = races_.shows_win = true;
  }
  void rest() { races_.seconds_run.reset(); }
  // While the page is presented: the bars run, then the answer is shown, then what the call wins, then the bars run
  // again; backwards the same.
  bool step_presented(StepUnit, int direction);
  bool tick(double now);  // seconds; true if the bars moved
  std::optional<double> seconds_to_next() const;
  void carry_out(const ChooseRace&);
  void carry_out(const ReportRace&);

 private:
  Document& document_;
  MessageLine& messages_;
  const CheckController& checks_;
  WindowCall& window_;
  Setup setup_;
  Races races_;
  double began_ = -1;
};

}  // namespace tilewalk
