// The glossary as a list, each word with the lesson that introduces it, and the search in it.
#pragma once

#include <string_view>
#include <vector>

#include "session/lesson/lesson.h"
#include "view/words/glossary.h"

namespace tilewalk {

struct GlossaryEntry {
  const Term* term = nullptr;
  const Lesson* lesson = nullptr;  // null: no lesson introduces it
};

// In the order of the glossary. The first lesson with the word in its title introduces it, else the first that
// emphasises it.
std::vector<GlossaryEntry> build_glossary(const std::vector<Lesson>&);

// The entries that contain what was typed, in any case: first those whose word it is or begins, then those whose word
// contains it, then those whose meaning does. All for an empty text.
std::vector<GlossaryEntry> search_glossary(const std::vector<GlossaryEntry>&, std::string_view typed);

}  // namespace tilewalk
