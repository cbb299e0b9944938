// A profile that is read off the thread that draws: what was asked for, how far it is, what it holds. Made outside
// (app/jobs reads it), kept by the desk of which attention runs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "dispatch/profile/profile.h"

namespace tilewalk {

struct ProfileNews {  // from the thread that reads
  std::string path = {};
  bool running = false;
  double fraction = 0;
  std::shared_ptr<const Profile> profile = {};  // once it is read
  std::string failure = {};                     // why there is none
  bool operator==(const ProfileNews&) const = default;
};

struct ProfileReading {
  ProfileNews news;
  bool stopping = false;
  std::uint64_t start_serial = 0, stop_serial = 0;  // grow with each request; the window acts on them
};

// By its name's end, .gz or not: .json as torch.profiler writes it, .csv as Nsight does.
bool names_a_profile(const std::string& path);

}  // namespace tilewalk
