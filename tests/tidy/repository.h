// The repository as files, lines and tables, for the tests that compare it with its own documentation.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace tilewalk::test {

inline std::filesystem::path root() { return TILEWALK_SOURCE_DIR; }

inline std::vector<std::string> lines_of(const std::filesystem::path& file) {
  std::vector<std::string> out;
  std::ifstream in(root() / file);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

// Paths from the root, in order.
inline std::vector<std::filesystem::path> files_under(const std::string& folder) {
  std::vector<std::filesystem::path> out;
  for (const auto& each : std::filesystem::recursive_directory_iterator(root() / folder))
    if (each.is_regular_file()) out.push_back(each.path().lexically_relative(root()));
  std::sort(out.begin(), out.end());
  return out;
}

inline std::vector<std::string> all_matches(const std::string& text, const std::string& pattern) {  // its first group
  const std::regex regex(pattern);
  std::vector<std::string> out;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) out.push_back((*at)[1]);
  return out;
}

inline std::vector<std::string> in_backticks(const std::string& text) { return all_matches(text, "`([^`]+)`"); }

// The cells of every row of the Markdown table whose head is this line.
inline std::vector<std::vector<std::string>> table_under(const std::string& head, const std::filesystem::path& file) {
  const std::vector<std::string> lines = lines_of(file);
  std::vector<std::vector<std::string>> out;
  auto at = std::find(lines.begin(), lines.end(), head);
  for (at += lines.end() - at > 2 ? 2 : lines.end() - at; at != lines.end() && at->starts_with('|'); ++at)
    out.push_back(all_matches(*at, "([^|]*)\\|"));  // the first cell is the empty text before the row
  for (auto& row : out) row.erase(row.begin());
  return out;
}

inline std::string one_a_line(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += "\n" + text;
  return out;
}

}  // namespace tilewalk::test
