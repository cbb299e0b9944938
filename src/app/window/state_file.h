// For scripts and tests that drive the window from outside: if the environment names a file in TILEWALK_STATE_FILE, a
// line of JSON about the session is written there after every change, whole or not at all.
#pragma once

#include <cstdint>
#include <string>

#include "session/session.h"

namespace tilewalk {

class StateFile {
 public:
  StateFile();
  void follow(const Session&, std::uint64_t frames_drawn);

 private:
  std::string path_;  // empty: nobody asked
  std::uint64_t written_ = 0;
};

}  // namespace tilewalk
