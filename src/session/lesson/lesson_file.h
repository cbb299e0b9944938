// Lessons as Markdown files with blocks of TOML (assets/lessons/README.md documents the format). md4c parses the text.
// Reports all errors at once, each with file, line, value, rule and the nearest valid word.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "session/lesson/lesson.h"

namespace tilewalk {

inline constexpr std::size_t kMaxLessonBytes = 1 << 18;

// `name`: the file's name in messages; its part before the first '.' is the lesson's id.
Result<Lesson> parse_lesson(std::string_view text, const std::string& name);

// Every *.md of a folder except README.md, by number.
Result<std::vector<Lesson>> load_lessons(const std::string& folder);

}  // namespace tilewalk
