// At most 256 colours for a picture, or fewer: those that cover most of it exactly, the others gathered into near ones.
// So the flat areas of a window keep their very colours, and only the edges of letters and pictures come near.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tilewalk {

using Rgb = std::array<std::uint8_t, 3>;

struct IndexedPicture {
  std::vector<Rgb> colours;
  std::vector<std::uint8_t> pixels;  // places among the colours
};

IndexedPicture with_few_colours(std::span<const std::uint8_t> rgb, std::size_t most = 256);

}  // namespace tilewalk
