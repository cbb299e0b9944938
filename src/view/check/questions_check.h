// Checks the common questions without a window: every figure has a value and every view opens.
#pragma once

#include <string>
#include <vector>

#include "view/check/lesson_check.h"

namespace tilewalk {

std::vector<std::string> faults_of_questions(const NewSession&);  // one line for each fault

}  // namespace tilewalk
