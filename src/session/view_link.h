// The view on screen as words of `tilewalk replay`: its problem and step, then the commands that lead to its page and
// its lesson. What a link to the window in a browser carries. Not in it: theme, size of text, pace, and files, of which
// it has the names alone.
#pragma once

#include <string>

#include "session/session.h"

namespace tilewalk {

std::string view_words(const Session&);     // "--n 16 --d 4 … --step 44 --then 'show compare'"
std::string view_fragment(const Session&);  // the same for an address, after its '#': "--n+16+--d+4+…"
std::string as_fragment(std::string_view text);

}  // namespace tilewalk
