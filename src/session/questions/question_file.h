// Questions as a Markdown file with a block of TOML each (assets/questions/README.md says how one is written). What is
// wrong is told with file, line, value, rule and way out, all of it at once.
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
