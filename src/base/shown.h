// Makes text from outside (a file, a name, user input) fit for display: one line, harmless to a terminal. Control
// characters, characters that change the direction of writing or have no width, and bytes that are not UTF-8 become
// escapes (\n, \x1b, \u{202e}); text longer than `most` bytes is shortened in the middle. Fit text does not change, so
// a second application changes nothing.
#pragma once

#include <string>
#include <string_view>

namespace tilewalk {

std::string shown(std::string_view text, std::size_t most = 300);

// The same for many lines, of any length: line ends and page ends stay.
std::string shown_lines(std::string_view text);

// True if it is UTF-8; and the same text with U+FFFD for each byte that is not, as text files must be.
bool is_utf8(std::string_view text);
std::string as_utf8(std::string_view text);

// True if it can be displayed unchanged, whatever its length.
bool is_showable(std::string_view text);

}  // namespace tilewalk
