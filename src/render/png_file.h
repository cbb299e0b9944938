// An RGB picture as the bytes of a PNG file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilewalk {

struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  // width x height x 3, row after row from the top
};

std::vector<std::byte> png_bytes(const Picture&);  // empty: the picture is none, or there is no memory for it

}  // namespace tilewalk
