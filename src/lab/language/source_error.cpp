#include "lab/language/source_error.h"

#include <algorithm>

#include "base/shown.h"

namespace tilewalk::lab {

std::string_view line_of_text(std::string_view text, int line) {
  for (int at = 1; at < line; ++at) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

std::string text_of_error(const std::string& file, std::string_view text, const SourceError& error) {
  constexpr std::size_t kMostShown = 200;
  std::string out = shown(file) + ":" + std::to_string(error.place.line) + ":" + std::to_string(error.place.column) +
                    ": " + shown(error.what) + "\n";
  std::string line(line_of_text(text, error.place.line).substr(0, kMostShown));
  std::replace(line.begin(), line.end(), '\t', ' ');
  if (!line.empty() && line.back() == '\r') line.pop_back();
  if (error.place.line > 0 && !line.empty()) {
    const std::string number = std::to_string(error.place.line);
    out += std::string(number.size() < 5 ? 5 - number.size() : 0, ' ') + number + " | " + shown(line) + "\n";
    const std::size_t column = std::size_t(std::max(1, error.place.column));
    if (column <= line.size() + 1) out += "      | " + std::string(column - 1, ' ') + "^\n";
  }
  if (!error.instead.empty()) out += "        " + shown(error.instead) + "\n";
  return out;
}

}  // namespace tilewalk::lab
