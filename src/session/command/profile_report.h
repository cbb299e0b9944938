// A profile that is read off the thread that draws: what was asked for, how far it is, what it holds. Made outside
// (app/jobs reads it), kept by the controller of which attention runs.
#pragma once

#include <memory>
#include <string>

#include "dispatch/profile/profile.h"
#include "session/command/job_wish.h"

namespace tilewalk {

struct ProfileNews {  // from the thread that reads
  std::string path = {};
  bool running = false;
  double fraction = 0;
  std::shared_ptr<const Profile> profile = {};  // once it is read
  std::string failure = {};                     // why there is none
  bool operator==(const ProfileNews&) const = default;
};

struct ProfileReading : JobWish {
  ProfileNews news;
};

// By its name's end, .gz or not: .json as torch.profiler writes it, .csv as Nsight does.
bool names_a_profile(const std::string& path);

}  // namespace tilewalk
