// Writes an RGB picture as a PNG file, whole to a temporary name and then renamed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace tilewalk {

Result<Done> write_png(const std::string& path, int width, int height, const std::vector<std::uint8_t>& rgb);

}  // namespace tilewalk
