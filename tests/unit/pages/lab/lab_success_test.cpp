// What the page of the lab says of a kernel that is right, and the green that runs over its tiles.
#include "pages/lab/lab_model.h"
#include "tests/unit/pages/lab/lab_session.h"

using namespace tilewalk;
using test::LabSession;

TEST_CASE("a kernel that becomes right says what was compared, and its tiles turn green in the order of its visits") {
  LabSession s;
  s.send(ChooseTask{5});
  CHECK(build_lab_page(s.lab()).success.words.empty());
  s.send(EditKernel{s.lab().task()->solution});
  s.send(Action::RunKernel);
  CHECK(s.lab().flood().moves());
  LabSuccess success = build_lab_page(s.lab()).success;
  CHECK(success.words == "16 of 16 visits, bit for bit FA-2's");
  REQUIRE(success.tiles.size() == 16);
  CHECK(success.tiles[5] == 5);
  CHECK(success.t == 0);
  REQUIRE(s.session->seconds_to_change(1));
  CHECK(*s.session->seconds_to_change(1) <= kMotionFrame);
  s.send(Tick{1}), s.send(Tick{1.4});
  CHECK(build_lab_page(s.lab()).success.t == Approx(0.5));
  s.send(Tick{1 + kSecondsOfFlood});
  CHECK_FALSE(s.lab().flood().moves());
  CHECK(build_lab_page(s.lab()).success.t == 1);
  CHECK_FALSE(s.lab().seconds_to_next(2));
  s.send(HoldMotion{0.25});
  CHECK(build_lab_page(s.lab()).success.held);
  s.send(Action::First);
  CHECK(build_lab_page(s.lab()).success.tiles.empty());  // the walk shows its own visits
  s.send(EditKernel{s.lab().task()->solution + "\n"});
  CHECK(build_lab_page(s.lab()).success.words.empty());  // this text has not run
  s.send(EditKernel{s.lab().task()->wrong.front().text});
  s.send(Action::RunKernel);
  CHECK_FALSE(s.lab().flood().moves());
  CHECK(build_lab_page(s.lab()).success.words.empty());
}

TEST_CASE("each task's success names the comparison that was made; with reduced motion its green is there at once") {
  LabSession s;
  s.send(Action::ToggleMotion);
  for (const auto& [number, words] : {std::pair<int, std::string>{1, "All 64 elements of S within"},
                                      {4, "visits within their bound of float64"},
                                      {6, ", bit for bit FA-2's"},
                                      {8, ", bit for bit FA-1's"},
                                      {11, "dQ, dK and dV within"}}) {
    INFO(number);
    s.send(ChooseTask{number});
    s.send(EditKernel{s.lab().task()->solution});
    s.send(Action::RunKernel);
    REQUIRE(s.result().report.passed);
    const LabSuccess success = build_lab_page(s.lab()).success;
    INFO(success.words);
    CHECK(success.words.find(words) != std::string::npos);
    CHECK((words[0] == ',') == (s.result().report.first_other_bits == ""));
    CHECK(success.t == 1);
    CHECK_FALSE(success.tiles.empty());
  }
}
