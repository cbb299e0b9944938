#include "base/units.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace tilewalk {
namespace {

// The number of a value in the unit of another.
std::string scaled_as(double value, double other, double step, int unit_count, int& unit) {
  for (unit = 0; unit + 1 < unit_count && other >= step; ++unit) value /= step, other /= step;
  char text[64];
  const int digits = unit == 0 ? 0 : value < 10 ? 2 : value < 100 ? 1 : 0;
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string scaled(double value, double step, const char* const* names, int name_count) {
  int unit = 0;
  const std::string number = scaled_as(value, value, step, name_count, unit);
  return number + " " + names[unit];
}

constexpr int kByteUnits = 7;

}  // namespace

std::string format_bytes(std::int64_t bytes) {
  static const char* const names[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  return scaled(double(bytes), 1024.0, names, kByteUnits);
}

std::string bytes_in_unit_of(std::int64_t bytes, std::int64_t other) {
  int unit = 0;
  return scaled_as(double(bytes), double(other), 1024.0, kByteUnits, unit);
}

std::string format_count(std::int64_t count) {
  std::string digits = std::to_string(count);
  for (int at = int(digits.size()) - 3; at > (count < 0 ? 1 : 0); at -= 3) digits.insert(std::size_t(at), ",");
  return digits;
}

std::string format_flops(std::int64_t operations) {
  static const char* const names[] = {"FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP", "EFLOP"};
  return scaled(double(operations), 1000.0, names, 7);
}

std::string format_fixed(double value, int digits) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char text[400];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  std::string out = text;
  if (out.find_first_not_of("-0.") == std::string::npos && out[0] == '-') out.erase(0, 1);
  return out;
}

std::string format_digits(double value, int digits) {
  if (!std::isfinite(value)) return format_fixed(value, 0);
  char text[400];
  std::snprintf(text, sizeof text, "%.*e", digits - 1, value);  // rounded before its size is known: 99.7 is 1.0e+02
  const double rounded = std::strtod(text, nullptr);
  if (rounded >= 1000 && rounded < 1e18) return format_count(std::llround(rounded));
  const int decimals = rounded > 0 ? std::max(0, digits - 1 - int(std::floor(std::log10(rounded)))) : 0;
  std::string out = format_fixed(rounded, decimals);
  if (decimals > 0) out.erase(out.find_last_not_of('0') + 1);
  if (out.ends_with('.')) out.pop_back();
  return out;
}

std::string format_number(double value) {
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string format_float(float value) {
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string format_bits(float value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", std::bit_cast<std::uint32_t>(value));
  return text;
}

}  // namespace tilewalk
