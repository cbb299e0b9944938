// Text from outside (a file, a name, what was typed), made fit to be shown: in one line and harmless to a terminal.
// Control characters, marks that turn the direction of writing or have no width, and bytes that are not UTF-8 are
// written as escapes (\n, \x1b, \u{202e}); what is longer than `most` bytes loses its middle. What is fit stays as it
// is, so that showing twice is showing once.
#pragma once

#include <string>
#include <string_view>

namespace tilewalk {

std::string shown(std::string_view text, std::size_t most = 300);

// The same of many lines, whatever their length: line ends and page ends stay.
std::string shown_lines(std::string_view text);

// Whether it is UTF-8; and the same text with U+FFFD for each byte that is not, as files of text must be.
bool is_utf8(std::string_view text);
std::string as_utf8(std::string_view text);

// Whether it is fit to be shown as it is, whatever its length.
bool is_showable(std::string_view text);

}  // namespace tilewalk
