// A profile that another thread reads: the request, its progress, and the result. app/jobs reads the file; the
// controller of the page of which attention runs stores the profile.
#pragma once

#include <memory>
#include <string>

#include "dispatch/profile/profile.h"
#include "session/command/job_state.h"

namespace tilewalk {

// Profiles that come with the program, by name: assets/profiles/NAME.json. Small, so they are read at once.
inline constexpr const char* kExampleProfiles[] = {"four-layers"};

struct ProfileNews {  // reported by the thread that reads
  std::string path = {};
  bool running = false;
  double fraction = 0;
  std::shared_ptr<const Profile> profile = {};  // set once it is read
  std::string failure = {};                     // why there is none
  bool operator==(const ProfileNews&) const = default;
};

struct ProfileReading : JobState {
  ProfileNews news;
};

// True by the end of the name, with or without .gz: .json as torch.profiler writes it, .csv as Nsight does.
bool names_a_profile(const std::string& path);

}  // namespace tilewalk
