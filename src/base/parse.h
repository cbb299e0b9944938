// Parses numbers: all of the text is one number, or the result is empty. No white space, no leading plus, no locale,
// and no conversion on the way: text that does not fit its type or its range is refused.
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

// A well-formed number that is too large or too small for its type.
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

// Numbers in [low, high]; NaN is in no range.
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

// Returns the text up to `stop` and removes both from `rest`; all of `rest` where there is no `stop`.
inline std::string_view take_until(std::string_view& rest, char stop) {
  const std::size_t end = rest.find(stop);
  const std::string_view piece = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return piece;
}

}  // namespace tilewalk
