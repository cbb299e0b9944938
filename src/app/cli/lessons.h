// What verbs and the window need to open lessons: those that ship, or a folder's, with the progress kept in them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "view/check/lesson_check.h"

namespace tilewalk {

// The folder named, and where there is none those of assets/lessons.
Result<std::vector<Lesson>> open_lessons(const std::optional<std::string>& folder);

// Makes sessions that know these lessons, at the start of the preset picture. What they begin with is read once, here.
Result<NewSession> sessions_with(std::vector<Lesson>, LessonsProgress = {});

}  // namespace tilewalk
