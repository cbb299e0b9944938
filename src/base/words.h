// Words in a row, with commas between.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// Adds a part to a list that grows: "a", then "a, b".
inline void add_to_list(std::string& list, std::string_view part, std::string_view between = ", ") {
  if (!list.empty()) list += between;
  list += part;
}

// "a, b or c".
inline std::string list_with_or(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) add_to_list(out, words[i], i + 1 == words.size() ? " or " : ", ");
  return out;
}

}  // namespace tilewalk
