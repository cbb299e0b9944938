// A number as a person types it: "0.92", "0,92", "−0.5", "1 024", "2 1/16", "3/4", "1.2e3", "−inf". A comma is a
// decimal point unless groups of three follow it ("1,048,576"). Units are the caller's.
#pragma once

#include <optional>
#include <string_view>

namespace tilewalk {

std::optional<double> typed_number(std::string_view text);

// An answer stands if it is right to two significant digits, or exact. Zero is met by what rounds to 0.00.
bool answers(double typed, double right);

}  // namespace tilewalk
