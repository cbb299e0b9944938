// Opens lessons for verbs and the window: the shipped ones, or a folder's, with their saved progress.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "view/check/lesson_check.h"

namespace tilewalk {

// The lessons of the named folder, or those of assets/lessons without a name.
Result<std::vector<Lesson>> open_lessons(const std::optional<std::string>& folder);

// Returns a function that creates sessions with these lessons, at the start of the preset picture. Their common data is
// read once, here.
Result<NewSession> sessions_with(std::vector<Lesson>, LessonsProgress = {});

}  // namespace tilewalk
