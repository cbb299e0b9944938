// The word that a user most likely meant who typed another one: the fewest letters changed, swapped, added or left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// The first of the nearest words; empty where there are no words. Words that begin with the typed text count as nearer
// than others.
std::string nearest(std::string_view typed, const std::vector<std::string>& words);

// The word that is like the typed one: the same but for upper and lower case, begun by it, or up to a third of its
// letters away. Empty where none is.
std::string alike_word(std::string_view typed, const std::vector<std::string>& words);

// True if both have the same letters and digits in the same order: "FA-2" and "fa_2" do. Upper and lower case, spaces,
// hyphens and the like do not count.
bool spelled_alike(std::string_view, std::string_view);

}  // namespace tilewalk
