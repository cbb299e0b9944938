// The window's state for other programs. For scripts and tests that drive the window: if the environment names a file
// in TILEWALK_STATE_FILE, a line of JSON about the session is written there after every change, completely or not at
// all. Beside it, FILE.places has a line "x0 y0 x1 y1 panel/id" in pixels for everything clickable. In a browser
// web/web_mirror.cpp replaces mirror.cpp and informs the page: its live region, its address.
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
  std::string path_;  // empty: no file is written
  std::string places_;
  std::uint64_t written_ = 0;
};

}  // namespace tilewalk
