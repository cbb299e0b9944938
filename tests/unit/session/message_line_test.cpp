#include "session/document/message_line.h"

#include "session/session.h"
#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("a message stays until its time has passed, and an error stays longer") {
  MessageLine line;
  line.say("Saved a.toml");
  CHECK_FALSE(line.tick(100));
  CHECK_FALSE(line.tick(104));
  CHECK(*line.seconds_left(104) == Approx(12.0 / 15));
  CHECK(line.tick(105));
  CHECK_FALSE(line.message());
  CHECK_FALSE(line.seconds_left(105));
  line.refuse("Saved a.toml", About::Problem);
  CHECK_FALSE(line.tick(200));
  CHECK_FALSE(line.tick(205));
  CHECK(line.tick(210));
}

TEST_CASE("a note that there was nothing to do stays four seconds, however long it is") {
  MessageLine line;
  line.note("The walk is finished. Home goes back to the start.", About::Cursor);
  REQUIRE(line.message());
  CHECK(line.message()->no_op);
  CHECK_FALSE(line.message()->error);
  CHECK_FALSE(line.tick(10));
  CHECK_FALSE(line.tick(13.9));
  CHECK(*line.seconds_left(13) == Approx(1));
  CHECK(line.tick(14));
  CHECK_FALSE(line.message());
}

TEST_CASE("a message ends with another message, or when its subject is done") {
  MessageLine line;
  line.say("one", About::Cursor);
  const std::uint64_t serial = line.message()->serial;
  line.done(About::Selection);
  REQUIRE(line.message());
  line.refuse("two", About::Selection);
  CHECK(line.message()->text == "two");
  CHECK(line.message()->serial > serial);
  line.done(About::Cursor);
  REQUIRE(line.message());
  line.done(About::Selection);
  CHECK_FALSE(line.message());
}

TEST_CASE("commands unrelated to a message leave it on screen") {
  Document d;
  d.problem.shape.n_q = d.problem.shape.n_kv = 16;
  d.problem.tiling.br = d.problem.tiling.bc = 4;
  const auto opened = Session::open(d, {});
  REQUIRE(opened.ok());
  Session& s = **opened;
  s.dispatch(Action::RunToSelection);
  REQUIRE(s.message());
  for (const Command& c : {Command(Action::ToggleTheme), Command(Action::StepForward), Command(Action::ZoomIn),
                           Command(ShowPage{Page::Compare}), Command(Action::NextUnit)})
    s.dispatch(c);
  REQUIRE(s.message());
  CHECK(s.message()->error);
  s.dispatch(SelectCell{3, 3});
  CHECK_FALSE(s.message());
  s.dispatch(Action::Last);
  s.dispatch(Action::PlayPause);
  REQUIRE(s.message());
  s.dispatch(Action::First);
  CHECK_FALSE(s.message());
  s.dispatch(LoadPreset{"none such"});
  REQUIRE(s.message());
  const std::uint64_t before = s.revision();
  s.dispatch(Tick{10});
  CHECK(s.revision() == before);
  REQUIRE(s.seconds_to_change(10));
  s.dispatch(Tick{10 + *s.seconds_to_change(10) + 0.01});
  CHECK_FALSE(s.message());
  CHECK(s.revision() > before);
  CHECK_FALSE(s.seconds_to_change(99));
}
