// #if, its branches and their conditions: whole numbers, names with a value, `defined`, C's operators.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "lab/language/token.h"

namespace tilewalk::lab {

// `words` without an End token; names that a #define stands for are replaced, but behind `defined`.
std::variant<bool, SourceError> value_of_condition(const SourcePlace& of_line, std::span<const Token> words,
                                                   std::span<const NamedConstant>,
                                                   const std::map<std::string_view, std::vector<Token>>& macros);

// The branches that a place of the text is in.
class HashChoices {
 public:
  bool skipping() const { return !choices_.empty() && !choices_.back().holds; }
  // Whether the condition of this line counts; else it is not read.
  bool asks(std::string_view word) const;
  // A line #if, #ifdef, #ifndef, #elif, #else or #endif, and whether its condition holds.
  std::optional<SourceError> take(std::string_view word, const SourcePlace&, bool holds);
  const SourcePlace* open() const { return choices_.empty() ? nullptr : &choices_.back().place; }  // without its #endif

 private:
  struct Choice {
    SourcePlace place = {};
    bool holds = false;    // the branch here is read
    bool settled = false;  // a branch was read, or the lines around are skipped: no other branch is
    bool in_else = false;
  };
  std::vector<Choice> choices_;
};

}  // namespace tilewalk::lab
