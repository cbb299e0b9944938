// Kernels' names and profiles as text: what tilewalk decode prints, and lessons in a terminal.
#pragma once

#include <string>
#include <string_view>

#include "dispatch/profile/profile.h"

namespace tilewalk {

// The decoded parts of a name, one a line; the missing ones in the last line.
std::string kernel_parts_text(std::string_view name, const DecodedKernel&);

// The attention kernels of a profile by family and pass, then each of them, then possible misreadings.
std::string profile_text(const Profile&, const std::string& file);

}  // namespace tilewalk
