// The rule that what a lesson asks does not stand in view beside its question: its number in none of the texts of the
// page that the screen opens, nor in the lesson's own words. Numbers that no page can do without, such as 32 or 1,024,
// are let stand, and so are dates and the names of multiprocessors.
#pragma once

#include <string_view>
#include <vector>

#include "session/session.h"
#include "view/check/every_text.h"

namespace tilewalk {

// Those of the texts that tell the number.
std::vector<ShownText> texts_with_number(std::vector<ShownText>, double number, std::string_view unit);

// What tells it on the page in view and in the lesson panel; in a room that is large, so that nothing is left out for
// want of it. Precondition: a lesson is open. The session is not busy.
std::vector<ShownText> texts_with_answer(const Session&, double number, std::string_view unit);

}  // namespace tilewalk
