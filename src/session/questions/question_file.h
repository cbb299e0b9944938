// Questions as a Markdown file with a block of TOML each (assets/questions/README.md documents the format). Reports all
// errors at once, each with file, line, value, rule and way out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "session/questions/question.h"

namespace tilewalk {

Result<std::vector<CommonQuestion>> parse_questions(std::string_view text, const std::string& name);
Result<std::vector<CommonQuestion>> load_questions(const std::string& root);  // ROOT/assets/questions/questions.md

}  // namespace tilewalk
