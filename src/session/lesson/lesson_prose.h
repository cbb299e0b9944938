// The text of a lesson between its blocks: paragraphs and lists in Markdown, with figures in braces.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "session/lesson/lesson.h"

namespace tilewalk {

// {row 9.alpha}, {tiles.visited * 2}, {row 9.m : 3}; \{ is a brace. `where`: the place in messages.
Result<Prose> parse_prose(std::string_view markdown, const std::string& where, const NamedProblems& = {});
// One paragraph.
Result<Sentence> parse_sentence(std::string_view markdown, const std::string& where, const NamedProblems& = {});

}  // namespace tilewalk
