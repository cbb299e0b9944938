// When the window draws and when it rests. Whatever may change the picture owes some frames, and the window rests once
// they are drawn and the last of them changed nothing: idle means idle. Knows no clock and no window.
#pragma once

#include <algorithm>
#include <optional>

namespace tilewalk {

enum class Stir {  // why the picture may change
  Start,           // fonts, sizes and scroll positions settle
  Input,           // ImGui acts on a key or the mouse in one frame, and lets go of it in another
  Dispatch,        // the session changes
  Answer,          // work off this thread has something to show
  Repaint,         // the frame before was painted anew, and what it moved may move more
};

class FramePacer {
 public:
  FramePacer() { owe(Stir::Start); }
  void owe(Stir stir) { owed_ = std::max(owed_, frames_for(stir)); }
  void drew_the_same() { owed_ = std::max(0, owed_ - 1); }

  // Whether a picture just made is left out: it is stale already, for more input waits. `unseen`: seconds since one was
  // shown; nobody should have to look at the same one for long.
  static bool leaves_out(bool more_input, double unseen) { return more_input && unseen < kLongestUnseen; }

  static constexpr double kUntilAnEvent = -1;
  // Seconds to wait for events before the next frame. `at_once`: there is work to do; `next_move`: seconds until
  // playback moves. A hidden window draws nothing, so it never settles and looks in only now and then.
  double rest(bool at_once, std::optional<double> next_move, bool hidden) const {
    const double seconds = owed_ > 0 || at_once ? 0 : next_move.value_or(kUntilAnEvent);
    return hidden && seconds >= 0 ? std::max(seconds, kHiddenRest) : seconds;
  }

 private:
  static constexpr double kHiddenRest = 0.1, kLongestUnseen = 0.08;
  static constexpr int frames_for(Stir) { return 3; }
  int owed_ = 0;
};

}  // namespace tilewalk
