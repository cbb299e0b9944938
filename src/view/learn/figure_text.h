// Figures and sentences of a lesson as text: "1.81 KiB", "0.92", "three tiles". A figure without a value now is "…".
#pragma once

#include <string>

#include "session/lesson/facts.h"
#include "session/lesson/lesson.h"

namespace tilewalk {

// format: decimals, "bytes", "plain", "times", "percent", or empty: by the figure's unit.
std::string figure_text(const Figure&, const Problem&, const std::string& format);

// The sentence with its figures, as plain text without styles.
std::string sentence_text(const Sentence&, const Facts&, const Problem&);
Sentence with_figures(Sentence, const Facts&, const Problem&);  // replaces each figure by words

}  // namespace tilewalk
