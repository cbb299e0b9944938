// Figures and sentences of a lesson as they are read: "1.81 KiB", "0.92", "three tiles". A figure that cannot be told
// now is "…".
#pragma once

#include <string>

#include "session/lesson/facts.h"
#include "session/lesson/lesson.h"

namespace tilewalk {

// format: decimals, "bytes", "plain", "times", "percent", or empty: as it counts.
std::string figure_text(const Figure&, const Problem&, const std::string& format);

// The sentence with its figures in it, and nothing of its styles.
std::string told(const Sentence&, const Facts&, const Problem&);
Sentence with_figures(Sentence, const Facts&, const Problem&);  // each figure is words now

}  // namespace tilewalk
