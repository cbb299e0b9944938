// The view on screen as words of `tilewalk replay`: its problem and step, then the commands that open its page and its
// lesson; on a page of the window's call also that call, on the lab's the learner's text. A link to the window in a
// browser contains them. Not included: theme, text size, pace, and the contents of files, only their names.
#pragma once

#include <string>

#include "session/session.h"

namespace tilewalk {

std::string view_words(const Session&);     // "--n 16 --d 4 … --step 44 --then 'show compare'"
std::string view_fragment(const Session&);  // the same for an address, after its '#': "--n+16+--d+4+…"
std::string as_fragment(std::string_view text);

}  // namespace tilewalk
