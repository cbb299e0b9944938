// Parses a number as a person types it: "0.92", "0,92", "−0.5", "1 024", "2 1/16", "3/4", "1.2e3", "1.5×10^3", "2^16",
// "−inf". A comma is a decimal point unless groups of three follow it ("1,048,576"); a point unless two groups follow.
// The unit is read by base/typed_quantity.
#pragma once

#include <optional>
#include <string_view>

namespace tilewalk {

std::optional<double> typed_number(std::string_view text);

// True if the typed number is right to two significant digits, or exact. For zero, any number that rounds to 0.00.
bool answers(double typed, double right);

// True if the typed number is the right one, rounded to two digits.
bool rounds(double typed, double right);
// True if the typed number has more than those two digits, and they are the wrong number's: much nearer to it than to
// the right one, and 1 % away from that.
bool shows_mistake(double typed, double right, double wrong);

}  // namespace tilewalk
