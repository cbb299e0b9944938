// Functions of the standard library that the distribution's Emscripten does not have yet, with the same names. Included
// before every file of a build for the browser; adds nothing where the library has them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>
#include <version>

#if !defined(__cpp_lib_bit_cast)
namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

}  // namespace std
#endif

#if !defined(__cpp_lib_smart_ptr_for_overwrite) && !(defined(_LIBCPP_VERSION) && _LIBCPP_VERSION >= 160000)
namespace std {

template <class Array>
unique_ptr<Array> make_unique_for_overwrite(size_t count) {
  return unique_ptr<Array>(new remove_extent_t<Array>[count]);
}

}  // namespace std
#endif

#if !defined(__cpp_lib_to_chars)
namespace std {

// The fewest digits that parse back to the same value, with or without an exponent, whichever is shorter.
template <class Real, class = enable_if_t<is_floating_point_v<Real>>>
to_chars_result to_chars(char* first, char* last, Real value) {
  string text = fmt::format("{}", value);
  if (isfinite(value) && value != 0) {
    const size_t e = min(text.find('e'), text.size()), point = min(text.find('.'), e);
    const size_t leading = text.find_first_of("123456789"), trailing = text.find_last_of("123456789", e - 1);
    int exponent = e == text.size() ? 0 : atoi(text.c_str() + e + 1);
    exponent += leading < point ? int(point - leading) - 1 : int(point) - int(leading);
    string digits = text.substr(leading, trailing + 1 - leading);
    if (const size_t inside = digits.find('.'); inside != string::npos) digits.erase(inside, 1);
    const int after_first = int(digits.size()) - 1;
    const string sign = value < 0 ? "-" : "";
    const string with_exponent =
        fmt::format("{}{}{}{}e{:+03}", sign, digits[0], after_first > 0 ? "." : "", digits.substr(1), exponent);
    if (exponent >= after_first)
      text = fmt::format("{:.0f}", value);
    else if (exponent < 0)
      text = sign + "0." + string(size_t(-exponent) - 1, '0') + digits;
    else
      text = sign + digits.insert(size_t(exponent) + 1, 1, '.');
    if (with_exponent.size() < text.size()) text = with_exponent;
  }
  if (text.size() > size_t(last - first)) return {last, errc::value_too_large};
  return {copy(text.begin(), text.end(), first), errc()};
}

// Decimal numbers; strtod rounds them once.
template <class Real, class = enable_if_t<is_floating_point_v<Real>>>
from_chars_result from_chars(const char* first, const char* last, Real& value) {
  const string text(first, last);
  if (text.empty() || string_view("+ \t\n\v\f\r").find(text[0]) != string_view::npos)
    return {first, errc::invalid_argument};
  if (text.find_first_of("xX") != string::npos) return {first, errc::invalid_argument};
  char* end = nullptr;
  const Real read = is_same_v<Real, float> ? Real(strtof(text.c_str(), &end)) : Real(strtod(text.c_str(), &end));
  if (end == text.c_str()) return {first, errc::invalid_argument};
  const char* after = first + (end - text.c_str());
  const bool named = text.find_first_of("iInN") != string::npos;
  const size_t digit = text.find_first_of("123456789");
  const bool vanished = read == 0 && digit < text.find_first_of("eE");
  if ((isinf(read) && !named) || vanished) return {after, errc::result_out_of_range};
  value = read;
  return {after, errc()};
}

// Hexadecimal numbers have no 0x in front, as in the standard.
template <class Real, class = enable_if_t<is_floating_point_v<Real>>>
from_chars_result from_chars(const char* first, const char* last, Real& value, chars_format format) {
  if (format != chars_format::hex) return from_chars(first, last, value);
  const string text = "0x" + string(first, last);
  char* end = nullptr;
  const Real read = is_same_v<Real, float> ? Real(strtof(text.c_str(), &end)) : Real(strtod(text.c_str(), &end));
  if (end <= text.c_str() + 2 || text.find_first_of(" xX", 2) != string::npos) return {first, errc::invalid_argument};
  const char* after = first + (end - text.c_str() - 2);
  const bool vanished = read == 0 && text.find_first_of("123456789abcdefABCDEF", 2) < text.find_first_of("pP");
  if (isinf(read) || vanished) return {after, errc::result_out_of_range};
  value = read;
  return {after, errc()};
}

}  // namespace std
#endif
