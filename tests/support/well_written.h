// Rules for every text for a reader: no double full stop, no double space, and a minus sign before a number, never a
// hyphen.
#pragma once

#include <cctype>
#include <string>

namespace tilewalk::test {

// The first violation, with the text around it; empty where there is none.
inline std::string slip_in(const std::string& text) {
  const auto around = [&](const char* what, std::size_t at) {
    const std::size_t begin = at > 20 ? at - 20 : 0;
    return std::string(what) + ": \"" + text.substr(begin, 44) + "\"";
  };
  for (const auto& [slip, what] : {std::pair{"..", "a double stop"}, std::pair{"  ", "a double space"},
                                   std::pair{" .", "a space before a stop"}, std::pair{" ,", "a space before a comma"}})
    if (const std::size_t at = text.find(slip); at != std::string::npos) return around(what, at);
  for (std::size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at + 1)) {
    const unsigned char before = at > 0 ? static_cast<unsigned char>(text[at - 1]) : ' ',
                        after = at + 1 < text.size() ? static_cast<unsigned char>(text[at + 1]) : ' ';
    const bool exponent = before == 'e' && at > 1 && std::isdigit(static_cast<unsigned char>(text[at - 2]));
    if (std::isdigit(after) && (exponent || !std::isalnum(before))) return around("a hyphen for a minus", at);
  }
  return "";
}

}  // namespace tilewalk::test
