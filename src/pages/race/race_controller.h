// The page of the race: the recorded race, read when the page is first opened, the races run here, and the choice of
// what is shown. A new serial requests a race or stops it; the job that runs it reports by Command.
#pragma once

#include <functional>

#include "session/command/command.h"
#include "session/controllers/check_controller.h"
#include "session/document/message_line.h"

namespace tilewalk {

class RaceController {
 public:
  struct Setup {
    std::function<Result<Race>()> load_race;  // the recorded one; called when the page is first opened
  };

  RaceController(Document& document, MessageLine& messages, const CheckController& checks, Setup setup)
      : document_(document), messages_(messages), checks_(checks), setup_(std::move(setup)) {}
  void read_recorded();  // reads it once
  void turned_to(Page page) {
    if (page == Page::Race) read_recorded();
  }

  const Races& races() const { return races_; }

  void start(RaceSource on);
  void stop() { races_.stop(); }
  void carry_out(const ChooseRace&);
  void carry_out(const ReportRace&);

 private:
  Document& document_;
  MessageLine& messages_;
  const CheckController& checks_;
  Setup setup_;
  Races races_;
};

}  // namespace tilewalk
