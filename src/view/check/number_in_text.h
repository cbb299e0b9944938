// Whether a text tells a number: whether one of the numbers in it is that one, rounded as it stands there.
#pragma once

#include <string_view>

namespace tilewalk {

// unit: what the number counts: "bytes", "ms", or anything else, which no unit of bytes, times or rates may follow.
// "4,600" tells 4575, "6.4 KiB" tells 6554 bytes. A single digit tells nothing: too many other things are 4.
bool contains_number(std::string_view text, double number, std::string_view unit);

}  // namespace tilewalk
