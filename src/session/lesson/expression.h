// An expression of a lesson: a figure in a sentence, the answer of a question, the goal of a task. A small language
// over the facts of the session (session/lesson/facts), documented in assets/lessons/README.md:
//   numbers, "text", true, false, + − * / ^, == != < <= > >=, and, or, not, ( ),
//   min max floor ceil sqrt exp log2 of numbers, and facts such as  row 9.alpha  or  [n=8192] tiles.visited
// A lesson may name problems: [layer] is the problem of that name, [layer mask=causal] the same with another mask.
// Parsing reports text that is no expression and facts that do not exist, with the place and the nearest valid word.
// value() reports what has no value now, such as a row outside the current tile.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "session/lesson/facts.h"
#include "session/lesson/figure.h"

namespace tilewalk {

using NamedProblems = std::map<std::string, ProblemChanges>;
Result<ProblemChanges> parse_changes(std::string_view text, const std::string& where);  // "n=4096 d=64"

class Expression {
 public:
  struct Node;

  static Result<Expression> parse(std::string_view text, const std::string& where, const NamedProblems& = {});
  Result<Figure> value(const Facts&) const;
  const std::string& text() const { return text_; }
  bool operator==(const Expression& other) const { return text_ == other.text_; }

 private:
  std::string text_;
  std::shared_ptr<const Node> root_;
};

}  // namespace tilewalk
