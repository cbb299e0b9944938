// Replaces each occurrence of one text in another, from left to right; does not search the inserted text again.
#pragma once

#include <string>
#include <string_view>

namespace tilewalk {

inline void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

}  // namespace tilewalk
