// The fields of one line of a measurement file. A quoted field may hold commas; quotes inside quotes are not known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

inline std::vector<std::string> csv_fields(std::string_view line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      out.emplace_back();
    else
      out.back() += c;
  }
  return out;
}

}  // namespace tilewalk
