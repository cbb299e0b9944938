// Type is measured by its em, as in print, in browsers and in every design program. Dear ImGui is told the height of a
// line instead, from the lowest descender to the highest ascender. A font's own tables (OpenType: head, hhea) say how
// many ems that is.
#pragma once

#include <optional>
#include <string>

namespace tilewalk {

// None where there is no font to be read.
std::optional<float> ems_a_line(const std::string& path);

}  // namespace tilewalk
