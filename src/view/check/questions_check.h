// Looks through the questions that people ask without a window: every figure can be told and every view opens.
#pragma once

#include <string>
#include <vector>

#include "view/check/lesson_check.h"

namespace tilewalk {

std::vector<std::string> faults_of_questions(const NewSession&);  // one line for each fault

}  // namespace tilewalk
