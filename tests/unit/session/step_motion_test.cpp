#include "session/document/step_motion.h"

#include <limits>

#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("a motion runs from 0 to 1 in its time and then rests") {
  StepMotion motion;
  CHECK(motion.t() == 1);
  CHECK(!motion.moves());
  motion.begin(2);
  CHECK(motion.t() == 0);
  motion.advance(100);  // the first time that is passed in is its beginning
  CHECK(motion.t() == 0);
  motion.advance(100.5);
  CHECK(motion.t() == Approx(0.25));
  CHECK(motion.moves());
  motion.advance(103);
  CHECK(motion.t() == 1);
  CHECK(!motion.moves());
}

TEST_CASE("an eye can follow a motion that is played or held, and not that of a key") {
  StepMotion motion;
  CHECK(!motion.is_slow());
  motion.begin(kSecondsOfKeyStep);
  CHECK(!motion.is_slow());
  motion.begin(0.8);
  CHECK(motion.is_slow());
  motion.rest();
  motion.hold_at(0.5);
  CHECK(motion.is_slow());
}

TEST_CASE("a motion too short to be seen is left out") {
  StepMotion motion;
  motion.begin(kLeastMotion / 2);
  CHECK(motion.t() == 1);
  CHECK(!motion.moves());
}

TEST_CASE("a motion that is held stays where it is, within 0 and 1") {
  StepMotion motion;
  motion.hold_at(0.5);
  motion.advance(7);
  motion.advance(70);
  CHECK(motion.t() == 0.5);
  CHECK(motion.is_held());
  CHECK(!motion.moves());
  motion.hold_at(-3);
  CHECK(motion.t() == 0);
  motion.hold_at(3);
  CHECK(motion.t() == 1);
  CHECK(!motion.is_held());
  motion.hold_at(std::numeric_limits<double>::quiet_NaN());
  CHECK(motion.t() == 1);
  motion.begin(1);
  CHECK(!motion.is_held());
}
