// Checks that a lesson's answer is not visible beside its question: no text of the opened page and no text of the
// lesson itself contains the number. Ignores dates, names of multiprocessors, and numbers that appear on every page,
// such as 32 or 1,024.
#pragma once

#include <string_view>
#include <vector>

#include "session/session.h"
#include "view/check/every_text.h"

namespace tilewalk {

// Searches a text for a number, rounded as the text writes it.
// unit: "bytes", "ms", or another word; for another word a number followed by a unit of bytes, time or rate does not
// match. "4,600" matches 4575, "6.4 KiB" matches 6554 bytes. A single digit never matches, because too many other
// things are 4.
bool contains_number(std::string_view text, double number, std::string_view unit);

// The texts that contain the number.
std::vector<ShownText> texts_with_number(std::vector<ShownText>, double number, std::string_view unit);

// The visible texts that contain the number, on the page and in the lesson panel. Builds them in a large room, so that
// no text is left out for lack of space. Preconditions: a lesson is open, the session is not busy.
std::vector<ShownText> texts_with_answer(const Session&, double number, std::string_view unit);

}  // namespace tilewalk
