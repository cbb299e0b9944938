// Lets a report through at most ten times a second, the first at once.
#pragma once

#include <chrono>

namespace tilewalk {

class Throttle {
 public:
  // True if a report is due; `at_once`: even before a tenth of a second has passed.
  bool ready(bool at_once = false) {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_ && !at_once) return false;
    next_ = now + std::chrono::milliseconds(100);
    return true;
  }

 private:
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace tilewalk
