// The version of the NVIDIA kernel driver.
#pragma once

#include <string>

namespace tilewalk {

// Such as "580.159.04", from a line of Linux's /proc/driver/nvidia/version; empty: no such driver, or another system.
std::string nvidia_driver_version(const std::string& path = "/proc/driver/nvidia/version");

}  // namespace tilewalk
