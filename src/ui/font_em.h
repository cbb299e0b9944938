// Sizes of type are given in ems, as in print, in browsers and in design programs. Dear ImGui expects the height of a
// line instead, from the lowest descender to the highest ascender. A font's own tables (OpenType: head, hhea) give the
// ratio of the two.
#pragma once

#include <optional>
#include <string>

namespace tilewalk {

// Empty where the font cannot be read.
std::optional<float> ems_a_line(const std::string& path);

}  // namespace tilewalk
