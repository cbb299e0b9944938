// Lessons as Markdown files with blocks of TOML (assets/lessons/README.md says how one is written). The text is read
// with md4c. What is wrong is told with file, line, value, rule and the nearest right word, all of it at once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "session/lesson/lesson.h"

namespace tilewalk {

inline constexpr std::size_t kMaxLessonBytes = 1 << 18;

// `name` stands for the file in messages; its part before the first '.' is the lesson's id.
Result<Lesson> parse_lesson(std::string_view text, const std::string& name);

// Every *.md of a folder but README.md, by number.
Result<std::vector<Lesson>> load_lessons(const std::string& folder);

}  // namespace tilewalk
