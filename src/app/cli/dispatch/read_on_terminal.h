// Reads a profile for a verb, with a status line on a terminal.
#pragma once

#include "app/jobs/long_work.h"
#include "dispatch/profile/profile.h"

namespace tilewalk {

inline Result<Profile> read_profile_on_terminal(const std::string& path) {
  Progress progress("Reading the profile");
  return read_profile(path, [&](double fraction) { return progress.update(fraction); });
}

}  // namespace tilewalk
