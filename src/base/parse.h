// Numbers out of text: all of the text is one number, or there is none. No white space, no leading plus, no locale, and
// nothing bent on the way: what does not fit its type or its range is no number of it.
#pragma once

#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

namespace tilewalk {

template <class Integer = std::int64_t>
std::optional<Integer> parse_integer(std::string_view text, int base = 10) {
  Integer value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// A number in form, and too large or too small for its type.
template <class Real>
bool is_out_of_range(std::string_view text) {
  Real value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc::result_out_of_range && end == text.data() + text.size();
}

// "inf" and "nan" are numbers here; a range refuses them.
template <class Real = double>
std::optional<Real> parse_real(std::string_view text) {
  Real value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// What lies in [low, high]; NaN lies nowhere.
template <class Number>
std::optional<Number> within(std::optional<Number> number, Number low,
                             Number high = std::numeric_limits<Number>::max()) {
  return number && *number >= low && *number <= high ? number : std::nullopt;
}

// For rows of many numbers: put(parse_integer(a), x) && put(parse_real(b), y).
template <class Number>
bool put(std::optional<Number> number, Number& to) {
  if (number) to = *number;
  return number.has_value();
}

// The text up to `stop`, which is taken off `rest` with it; all of it, where there is none.
inline std::string_view take_until(std::string_view& rest, char stop) {
  const std::size_t end = rest.find(stop);
  const std::string_view piece = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return piece;
}

}  // namespace tilewalk
