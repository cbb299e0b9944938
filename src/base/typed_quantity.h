// Parses a number with a unit as a person types it: "12.5 %", "780 ms", "0.78 s", "64 GiB", "4x", "15 tiles". The
// expected unit says what a number alone means. Another unit of the same kind is converted; a unit of another kind is
// refused, with a sentence that names the expected one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tilewalk {

struct TypedQuantity {
  std::optional<double> value;  // in the expected unit; none: refused
  std::string unit;             // as it is usually spelled ("KiB"); empty: none was typed
  double size = 1;              // of that unit, in the base unit of its kind: bytes, seconds, 1
  std::string error;            // why it was refused; empty where there is a value
  bool begins_right = false;    // refused for its unit: it begins with a number
};

// `expected`: "" or "×" for a plain number, "bytes", "ms", "s", "FLOP per byte", "TB/s" and the like; or what is
// counted, in the plural: "tiles", "thread blocks".
TypedQuantity typed_quantity(std::string_view text, std::string_view expected);

// The unit that a number without a unit seems to be in, where it is right in that unit and wrong in the expected one:
// "That is in ms. The question asks for a time, in µs." `fits` says whether a number, in the expected unit, is right.
// Only units 10, 100, 1,000 … times apart count. Bytes have slips of their own. Empty: there is none.
std::string slip_of_scale(double typed, std::string_view expected, const std::function<bool(double)>& fits);

}  // namespace tilewalk
