// A session on the page of comparison, shared by its tests.
#pragma once

#include "measured/race_times.h"
#include "pages/compare/compare_page.h"
#include "tests/support/catch.h"
#include "tests/unit/view/view_fixture.h"

namespace tilewalk::test {

struct Compare {
  std::unique_ptr<Session> session;
  ComparePageCache cache;
  explicit Compare(ScheduleKind kind = ScheduleKind::FlashV2, std::int64_t n = 16, const RaceTimes* races = nullptr) {
    SessionSetup setup;
    if (races)
      setup.of<RooflineController>().load_times = [races](const std::string& device) -> Result<RaceTimes> {
        RaceTimes none;
        none.device = device;
        return device == races->device ? *races : none;
      };
    setup.of<CompareController>().load_chip = [] {
      return load_chip_timelines(std::string(TILEWALK_SOURCE_DIR) + "/" + kChipTimelineFile);
    };
    Document document;
    document.problem = picture(kind);
    document.problem.shape.n_q = document.problem.shape.n_kv = n;
    auto opened = Session::open(document, std::move(setup));
    REQUIRE(opened.ok());
    session = std::move(*opened);
  }
  void send(const Command& command) { session->dispatch(command); }
  ComparePage page() { return build_compare_page(*session, 1200, 300, 120, cache); }
  // As a person opens the page.
  void open() {
    for (const Command& command : session->opening(Page::Compare)) send(command);
  }
  void open_lanes() {
    for (const Command& command : session->opening_comparison(Filling::Sms)) send(command);
  }
};

inline bool names(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace tilewalk::test
