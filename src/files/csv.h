// Lines of a measurement file, and the fields of one line. Limits on such a file, so that reading costs little more
// than its size: kMaxCsvBytes, a few fields a line, visible characters.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/shown.h"

namespace tilewalk {

inline constexpr std::int64_t kMaxCsvBytes = 4 << 20;
inline constexpr std::size_t kMaxCsvRemarks = 1000;  // lines that say where and when it was measured

// Line after line, with its number from 1; line ends of Unix or Windows; skips empty lines.
class CsvLines {
 public:
  explicit CsvLines(std::string_view text) : rest_(text) {}
  std::size_t number() const { return number_; }
  std::string_view line() const { return line_; }
  bool shows() const { return is_showable(line_); }  // no control characters, no bytes that are not UTF-8
  bool next() {
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      line_ = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++number_;
      if (line_.ends_with('\r')) line_.remove_suffix(1);
      if (!line_.empty()) return true;
    }
    return false;
  }

 private:
  std::string_view rest_, line_;
  std::size_t number_ = 0;
};

// A quoted field may contain commas; quotes inside quotes are not supported. A line of more than `most` fields gives
// one field more, with the rest of the line.
inline std::vector<std::string> csv_fields(std::string_view line, std::size_t most = 64) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted && out.size() <= most)
      out.emplace_back();
    else
      out.back() += c;
  }
  return out;
}

}  // namespace tilewalk
