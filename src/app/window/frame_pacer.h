// Decides when the window draws and when it rests. Every possible change of the picture makes some frames due. The
// window rests once they are drawn and the last of them changed nothing. Independent of clock and window.
#pragma once

#include <algorithm>
#include <optional>

namespace tilewalk {

enum class Stir {  // why the picture may change
  Start,           // fonts, sizes and scroll positions settle
  Input,           // ImGui handles a press in one frame and its release in another
  Dispatch,        // the session changes
  Answer,          // background work has a result or progress
  Repaint,         // the frame before repainted, and the moved parts may move further
};

class FramePacer {
 public:
  FramePacer() { owe(Stir::Start); }
  void owe(Stir stir) { owed_ = std::max(owed_, frames_for(stir)); }
  void drew_the_same() { owed_ = std::max(0, owed_ - 1); }

  // True if a finished picture is skipped because more input is waiting. `unseen`: seconds since one was shown; after a
  // limit no picture is skipped.
  static bool leaves_out(bool more_input, double unseen) { return more_input && unseen < kLongestUnseen; }

  static constexpr double kUntilAnEvent = -1;
  // Seconds to wait for events before the next frame. `at_once`: there is work to do; `next_move`: seconds until
  // playback moves. A hidden window draws nothing, so it never settles, and wakes only at intervals.
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
