// What those outside of the window get to know of it. For scripts and tests that drive it: if the environment names a
// file in TILEWALK_STATE_FILE, a line of JSON about the session is written there after every change, whole or not at
// all; beside it, FILE.places has a line "x0 y0 x1 y1 panel/id" in pixels for all that can be clicked. In a browser
// web/web_mirror.cpp stands in for mirror.cpp, and tells the page: for its live region, its address.
#pragma once

#include <cstdint>
#include <string>

#include "app/window/screen.h"

namespace tilewalk {

class Mirror {
 public:
  Mirror();
  void follow(const Screen&, std::uint64_t frames_drawn);

 private:
  std::string path_;  // empty: nobody asked
  std::string places_;
  std::uint64_t written_ = 0;
};

}  // namespace tilewalk
