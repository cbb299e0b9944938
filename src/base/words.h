// Lists of words with commas between them.
#pragma once

#include <string>
#include <string_view>

namespace tilewalk {

// Appends a part to a list: "a", then "a, b".
inline void add_to_list(std::string& list, std::string_view part, std::string_view between = ", ") {
  if (!list.empty()) list += between;
  list += part;
}

}  // namespace tilewalk
