#include "lab/language/lex/lex_number.h"

#include <charconv>

#include "base/words.h"

namespace tilewalk::lab {

LexedNumber number_at(std::string_view text, const SourcePlace& place) {
  std::size_t at = 0;
  const auto next = [&](std::size_t ahead = 0) { return at + ahead < text.size() ? text[at + ahead] : '\0'; };
  LexedNumber out;
  Token& token = out.token;
  token = {.kind = TokenKind::Integer, .place = place};
  const auto fail = [&](std::string what, std::string instead) {
    out.length = at;
    out.error = SourceError{place, std::move(what), std::move(instead)};
    return out;
  };
  const auto bad_number = [&] {
    return fail(std::string(token.text) + " is not a number", "Write such as 12, 0x1f, 1.5f or 1e-3f.");
  };
  const bool hex = next() == '0' && (next(1) == 'x' || next(1) == 'X');
  bool real = false, in_exponent = false;
  if (hex) at += 2;
  for (;; ++at) {
    const char c = next();
    const bool exponent = hex ? c == 'p' || c == 'P' : c == 'e' || c == 'E';
    if (c == '.' || exponent) real = true;
    in_exponent = in_exponent || exponent;
    if (exponent && (next(1) == '+' || next(1) == '-')) ++at;
    const bool hex_digit = hex && !in_exponent && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'));
    if (!(is_digit(c) || c == '.' || exponent || hex_digit)) break;
  }
  const std::string_view digits = text.substr(0, at);
  const std::size_t suffix_from = at;
  while (is_letter(next()) || is_digit(next())) ++at;
  const std::string_view suffix = text.substr(suffix_from, at - suffix_from);
  token.text = text.substr(0, at);
  const char* first = digits.data() + (hex ? 2 : 0);
  const char* last = digits.data() + digits.size();
  if (real) {
    token.kind = TokenKind::Float;
    const auto format = hex ? std::chars_format::hex : std::chars_format::general;
    const auto [end, problem] = std::from_chars(first, last, token.value, format);
    if (problem == std::errc::result_out_of_range)
      return fail("this number does not fit in a float", "For infinity write INFINITY.");
    if (problem != std::errc() || end != last) return bad_number();
    if (suffix.empty())
      return fail("a number such as " + std::string(digits) + " is a double in C, and this is fp32",
                  "Write " + std::string(token.text) + "f.");
    if (suffix != "f" && suffix != "F") return bad_number();
  } else {
    if (digits.size() > 1 && digits[0] == '0' && !hex)
      return fail("a number that begins with 0 is octal in C", "Leave the 0 out.");
    std::uint64_t value = 0;
    const auto [end, problem] = std::from_chars(first, last, value, hex ? 16 : 10);
    if (problem == std::errc::result_out_of_range || value > std::uint64_t(INT64_MAX))
      return fail("this number does not fit in a long long", "");
    if (problem != std::errc() || end != last) return bad_number();
    token.integer = std::int64_t(value);
    const std::string lower = lower_case(std::string(suffix));
    if (lower == "f")
      return fail("a whole number with f behind it is not a number in C", "Write " + std::string(digits) + ".0f.");
    if (lower == "u")
      token.is_unsigned = true;
    else if (lower == "ll" || lower == "l")
      token.is_long = true;
    else if (!lower.empty())
      return bad_number();
    if (token.is_unsigned && value > UINT32_MAX) return fail("this number does not fit in an unsigned", "");
    if (!token.is_unsigned && value > std::uint64_t(INT32_MAX)) token.is_long = true;
    if (hex && value <= UINT32_MAX && value > std::uint64_t(INT32_MAX) && lower.empty())
      token.is_long = false, token.is_unsigned = true;
  }
  out.length = at;
  return out;
}

}  // namespace tilewalk::lab
