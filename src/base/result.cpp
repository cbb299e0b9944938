#include "base/result.h"

#include <algorithm>

#include "base/contains.h"
#include "base/shown.h"
#include "base/units.h"

namespace tilewalk {
namespace {

constexpr std::size_t kMostTold = 10;
constexpr std::size_t kMostOfField = 300, kMostOfValue = 120, kMostOfSentence = 900;

// Quoted where its ends or characters would not be visible otherwise.
std::string shown_value(const std::string& value) {
  const std::string out = shown(value, kMostOfValue);
  if (out == value && value.front() != ' ' && value.back() != ' ') return out;
  std::string quoted = "\"";
  for (const char c : out) {
    if (c == '"') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

std::string joined(const std::vector<std::string>& lines, const char* between) {
  std::string out;
  for (const std::string& line : lines) out += (out.empty() ? "" : between) + line;
  return out;
}

}  // namespace

std::string Issue::text() const {
  std::string out = shown(field, kMostOfField);
  if (!value.empty()) out += " = " + shown_value(value);
  if (!rule.empty()) out += ": " + shown(rule, kMostOfSentence);
  if (!suggestion.empty()) out += (out.ends_with('.') ? " " : ". ") + shown(suggestion, kMostOfSentence);
  return out;
}

std::vector<std::string> lines_of(const Issues& issues) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < std::min(issues.size(), kMostTold); ++i)
    if (std::string line = issues[i].text(); !contains(lines, line)) lines.push_back(std::move(line));
  if (issues.size() > kMostTold)
    lines.push_back("and " + format_count(std::int64_t(issues.size() - kMostTold)) + " more");
  return lines;
}

std::string text_of(const Issues& issues) { return joined(lines_of(issues), "\n"); }
std::string in_one_line(const Issues& issues) { return joined(lines_of(issues), "; "); }

}  // namespace tilewalk
