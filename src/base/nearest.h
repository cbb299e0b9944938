// The word that someone who typed another one most likely meant: the fewest letters changed, swapped, put in
// or left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// Empty where there are no words at all. Of equals the first; one that begins with what was typed goes before others.
std::string nearest(std::string_view typed, const std::vector<std::string>& words);

// Whether both have the same letters and digits in the same order: "FA-2" and "fa_2" do. Capitals, spaces, hyphens and
// the like do not count.
bool spelled_alike(std::string_view, std::string_view);

}  // namespace tilewalk
