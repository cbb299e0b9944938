// Checks that a lesson's answer is not visible beside its question: no text of the opened page and no text of the
// lesson itself contains the number. Ignores dates, names of multiprocessors, and numbers that appear on every page,
// such as 32 or 1,024.
#pragma once

#include <string_view>
#include <vector>

#include "session/session.h"
#include "view/check/every_text.h"

namespace tilewalk {

// The texts that contain the number.
std::vector<ShownText> texts_with_number(std::vector<ShownText>, double number, std::string_view unit);

// The visible texts that contain the number, on the page and in the lesson panel. Builds them in a large room, so that
// no text is left out for lack of space. Preconditions: a lesson is open, the session is not busy.
std::vector<ShownText> texts_with_answer(const Session&, double number, std::string_view unit);

}  // namespace tilewalk
