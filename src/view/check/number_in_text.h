// Searches a text for a number, rounded as the text writes it.
#pragma once

#include <string_view>

namespace tilewalk {

// unit: "bytes", "ms", or another word; for another word a number followed by a unit of bytes, time or rate does not
// match. "4,600" matches 4575, "6.4 KiB" matches 6554 bytes. A single digit never matches, because too many other
// things are 4.
bool contains_number(std::string_view text, double number, std::string_view unit);

}  // namespace tilewalk
