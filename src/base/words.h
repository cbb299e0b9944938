// Words: lists with commas between them, small letters, spaces at the ends, the words and characters of a text.
#pragma once

#include <algorithm>
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

// Number of UTF-8 characters: "ℓ" is one.
inline std::size_t character_count(std::string_view text) {
  return std::size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

constexpr bool is_digit(int c) { return c >= '0' && c <= '9'; }

// With a space for each end of a line.
inline std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// Only the letters A to Z change.
inline std::string lower_case(std::string text) {
  for (char& c : text) c = char(std::tolower((unsigned char)c));
  return text;
}

// With a capital letter at its beginning; a letter beyond A to Z stays.
inline std::string capitalized(std::string text) {
  if (!text.empty()) text[0] = char(std::toupper((unsigned char)text[0]));
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

// Without spaces at its ends.
inline std::string_view trimmed_view(std::string_view text) {
  while (!text.empty() && std::isspace((unsigned char)text.front())) text.remove_prefix(1);
  while (!text.empty() && std::isspace((unsigned char)text.back())) text.remove_suffix(1);
  return text;
}
inline std::string trimmed(const std::string& text) { return std::string(trimmed_view(text)); }

}  // namespace tilewalk
