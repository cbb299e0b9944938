// Words of a lesson: sentences with figures, paragraphs and lists.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/lesson/expression.h"

namespace tilewalk {

// A piece of a sentence: words, or a figure with its format.
struct Run {
  enum class Style { Plain, Strong, Emphasis, Code } style = Style::Plain;
  std::string text;
  std::optional<Expression> figure = {};
  std::string format = {};  // of a figure: number of decimals, "bytes", "plain"; empty: by its unit
  bool operator==(const Run&) const = default;
};
using Sentence = std::vector<Run>;

struct Paragraph {
  bool item = false;  // an item of a list
  Sentence runs;
  bool operator==(const Paragraph&) const = default;
};
using Prose = std::vector<Paragraph>;

}  // namespace tilewalk
