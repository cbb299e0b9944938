#include "app/window/frame_pacer.h"

#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

// Frames drawn one after another, each equal to the one before, until the window sleeps.
int frames_until_rest(FramePacer& pacer) {
  int frames = 0;
  for (; pacer.rest(false, std::nullopt, false) == 0 && frames < 100; ++frames) pacer.drew_the_same();
  return frames;
}

}  // namespace

TEST_CASE("a window settles, then sleeps until an event", "[pacer]") {
  FramePacer pacer;
  CHECK(frames_until_rest(pacer) == 3);
  CHECK(pacer.rest(false, std::nullopt, false) == FramePacer::kUntilAnEvent);
  for (const Stir stir : {Stir::Input, Stir::Dispatch, Stir::Answer, Stir::Repaint}) {
    pacer.owe(stir);
    CHECK(frames_until_rest(pacer) == 3);
  }
}

TEST_CASE("overdue frames do not add up, and frames drawn while idle leave none overdue", "[pacer]") {
  FramePacer pacer;
  pacer.owe(Stir::Input);
  pacer.owe(Stir::Repaint);
  CHECK(frames_until_rest(pacer) == 3);
  for (int i = 0; i < 10; ++i) pacer.drew_the_same();
  pacer.owe(Stir::Input);
  CHECK(frames_until_rest(pacer) == 3);
}

TEST_CASE("work runs at once, playback waits for its next move", "[pacer]") {
  FramePacer pacer;
  frames_until_rest(pacer);
  CHECK(pacer.rest(true, std::nullopt, false) == 0);
  CHECK(pacer.rest(true, 0.25, false) == 0);
  CHECK(pacer.rest(false, 0.25, false) == 0.25);
  pacer.owe(Stir::Answer);
  CHECK(pacer.rest(false, 0.25, false) == 0);
}

TEST_CASE("a hidden window, which never settles, does not spin", "[pacer]") {
  FramePacer pacer;
  CHECK(pacer.rest(false, std::nullopt, true) == 0.1);
  CHECK(pacer.rest(true, 0.01, true) == 0.1);
  CHECK(pacer.rest(false, 5, true) == 0.1);  // the frames that are overdue
  frames_until_rest(pacer);
  CHECK(pacer.rest(false, 5, true) == 5);
  CHECK(pacer.rest(false, std::nullopt, true) == FramePacer::kUntilAnEvent);
}

TEST_CASE("a frame that waiting input makes stale is skipped, but not for long", "[pacer]") {
  CHECK(FramePacer::leaves_out(true, 0.01));
  CHECK_FALSE(FramePacer::leaves_out(true, 0.1));
  CHECK_FALSE(FramePacer::leaves_out(false, 0.01));
}
