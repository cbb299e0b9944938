// Words: lists with commas between them, small letters, spaces at the ends, the words of a text.
#pragma once

#include <cctype>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// Appends a part to a list: "a", then "a, b".
inline void add_to_list(std::string& list, std::string_view part, std::string_view between = ", ") {
  if (!list.empty()) list += between;
  list += part;
}

// The texts of the items in a row: "a, b, c"; with " and " before the last, "a, b and c".
template <class Items, class Text = std::identity>
std::string listed(const Items& items, std::string_view last = ", ", Text text = {}) {
  std::string out;
  std::size_t left = std::size(items);
  for (const auto& item : items) add_to_list(out, text(item), --left == 0 ? last : ", ");
  return out;
}

// Only the letters A to Z change.
inline std::string lower_case(std::string text) {
  for (char& c : text) c = char(std::tolower((unsigned char)c));
  return text;
}

// Without spaces at its ends.
inline std::string trimmed(std::string text) {
  while (!text.empty() && std::isspace((unsigned char)text.front())) text.erase(0, 1);
  while (!text.empty() && std::isspace((unsigned char)text.back())) text.pop_back();
  return text;
}

// The words between white space.
inline std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text)
    if (!std::isspace((unsigned char)c))
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  if (words.back().empty()) words.pop_back();
  return words;
}

}  // namespace tilewalk
