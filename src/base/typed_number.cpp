#include "base/typed_number.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/parse.h"
#include "base/replace_all.h"
#include "base/words.h"

namespace tilewalk {
namespace {

constexpr std::string_view kMinus = "−", kInfinity = "∞";

bool all_digits(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), is_digit); }

// "048": what follows a separator of thousands.
bool is_group(std::string_view text) { return text.size() == 3 && all_digits(text); }

// "1,048,576" without its separators; nothing where they are not between groups of three digits.
std::optional<std::string> without_groups(std::string_view word, char separator, int fewest) {
  std::string_view rest = word;
  std::string joined(take_until(rest, separator));
  if (rest.empty() || !all_digits(joined) || joined.size() > 3 || joined == "0") return std::nullopt;
  int groups = 0;
  for (; !rest.empty(); ++groups) {
    const std::string_view group = take_until(rest, separator);
    if (!is_group(group)) return std::nullopt;
    joined += group;
  }
  return groups >= fewest ? std::optional(joined) : std::nullopt;
}

// Where a comma and a point both stand, the last one begins the decimals: "1,048.5", "1.048,5".
std::optional<std::string> with_both_marks(std::string_view word) {
  const std::size_t comma = word.rfind(','), point = word.rfind('.');
  if (comma == std::string_view::npos || point == std::string_view::npos) return std::nullopt;
  const std::size_t at = std::max(comma, point);
  const std::optional<std::string> whole = without_groups(word.substr(0, at), comma < point ? ',' : '.', 1);
  return whole ? std::optional(*whole + "." + std::string(word.substr(at + 1))) : std::nullopt;
}

// A point is a decimal one unless two groups or more follow.
std::string without_separators(const std::string& word) {
  for (const auto& [separator, fewest] : {std::pair(',', 1), std::pair('\'', 1), std::pair('_', 1), std::pair('.', 2)})
    if (std::optional<std::string> joined = without_groups(word, separator, fewest)) return *std::move(joined);
  return with_both_marks(word).value_or(word);
}

std::optional<double> decimal(std::string word) {
  word = without_separators(word);
  if (std::count(word.begin(), word.end(), ',') == 1 && word.find('.') == std::string::npos)
    replace_all(word, ",", ".");
  if (word.size() > 1 && word.back() == '.') word.pop_back();
  if (!word.empty() && word.front() == '.') word.insert(0, "0");
  const std::optional<double> value = parse_real(word);
  return value && !std::isnan(*value) ? value : std::nullopt;
}

// "2^16", "1.5*10^3".
std::optional<double> power(std::string_view word) {
  std::optional<double> factor = 1;
  if (word.find('*') != std::string_view::npos) factor = decimal(std::string(take_until(word, '*')));
  const std::optional<double> base = decimal(std::string(take_until(word, '^')));
  const std::optional<std::int64_t> exponent = parse_integer(word);
  if (!factor || !base || !exponent) return std::nullopt;
  const double value = *factor * std::pow(*base, double(*exponent));
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<double> fraction(std::string_view word) {
  const std::string_view above = take_until(word, '/');
  if (!all_digits(above) || !all_digits(word)) return std::nullopt;
  const std::optional<double> top = parse_real(above), bottom = parse_real(word);
  return top && bottom && *bottom != 0 ? std::optional(*top / *bottom) : std::nullopt;
}

}  // namespace

std::optional<double> typed_number(std::string_view typed) {
  if (typed.size() > 64) return std::nullopt;
  std::string text(typed);
  replace_all(text, kMinus, "-");
  replace_all(text, kInfinity, "inf");
  replace_all(text, "\u00a0", " ");
  replace_all(text, "\u202f", " ");
  replace_all(text, "\u2009", " ");
  replace_all(text, "\u2019", "'");
  std::vector<std::string> words = split_words(text);
  if (words.empty()) return std::nullopt;
  double sign = 1;
  if (words[0][0] == '-' || words[0][0] == '+') {
    if (words[0][0] == '-') sign = -1;
    words[0].erase(0, 1);
    if (words[0].empty()) words.erase(words.begin());
    if (words.empty() || words[0][0] == '-' || words[0][0] == '+') return std::nullopt;
  }
  const auto signed_value = [&](std::optional<double> value) {
    return value ? std::optional(sign * *value) : std::nullopt;
  };
  if (text.find('^') != std::string::npos) {
    std::string joined;
    for (const std::string& word : words) joined += word;
    for (const char* times : {"×", "·"}) replace_all(joined, times, "*");
    return signed_value(power(joined));
  }
  if (words.size() == 1)
    return signed_value(words[0].find('/') == std::string::npos ? decimal(words[0]) : fraction(words[0]));
  if (words.size() == 2 && all_digits(words[0]) && words[1].find('/') != std::string::npos) {
    const std::optional<double> whole = decimal(words[0]), part = fraction(words[1]);
    return whole && part ? signed_value(*whole + *part) : std::nullopt;
  }
  std::string joined = words[0];
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view group = std::string_view(words[i]).substr(0, 3);
    const bool ends = i + 1 == words.size();
    if (!all_digits(words[0]) || words[0].size() > 3 || !is_group(group) || (!ends && words[i].size() != 3))
      return std::nullopt;
    if (words[i].size() > 3 && words[i][3] != '.' && words[i][3] != ',') return std::nullopt;
    joined += words[i];
  }
  return signed_value(decimal(joined));
}

namespace {

double second_digit(double number) { return std::pow(10.0, std::floor(std::log10(std::abs(number))) - 1); }

}  // namespace

bool answers(double typed, double right) {
  if (typed == right) return true;
  if (!std::isfinite(typed) || !std::isfinite(right)) return false;
  if (std::abs(right) < 0.005) return std::abs(typed) < 0.005;
  return std::abs(typed - right) <= 0.5 * second_digit(right) * (1 + 1e-9);
}

bool rounds(double typed, double right) {
  if (typed == right || !std::isfinite(right) || right == 0) return typed == right;
  const double unit = second_digit(right);
  return std::abs(typed - std::round(right / unit) * unit) < 1e-6 * unit;
}

bool shows_mistake(double typed, double right, double wrong) {
  constexpr double kMuchNearer = 4, kFar = 0.01;  // kFar: as a share; below it the digits tell nothing
  return !rounds(typed, right) && answers(typed, wrong) && std::abs(wrong - right) > kFar * std::abs(right) &&
         kMuchNearer * std::abs(typed - wrong) < std::abs(typed - right);
}

}  // namespace tilewalk
