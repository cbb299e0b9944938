// The words of one command in a text: what is asked of them, in order, and what was wrong with the first bad one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tilewalk {

struct CommandWord {
  std::string text;
  std::size_t column = 1;
};

struct WordsOfCommand {
  std::vector<CommandWord> words;
  std::size_t end_column = 1;  // where a further word would stand
};

// Split at ';', commas and white space outside quotes. Empty commands are left out.
Result<std::vector<WordsOfCommand>> split_commands(std::string_view text);

std::string quoted_if_needed(const std::string&);

class CommandReader {
 public:
  CommandReader(std::size_t number, const WordsOfCommand& command) : number_(number), command_(command) {}

  bool at_end() const { return at_ == command_.words.size(); }
  const std::string* next(const std::string& what);  // nullptr, and refused, at the end
  void refuse(std::string rule,
              std::string suggestion = "");  // the word that next() gave last; the first refusal stays
  void refuse_rest();                        // what is left over
  // The word that next() gave last is none of these.
  void refuse_unknown(const std::string& what, const std::vector<std::string>& words);
  Issue refused_whole(std::string rule, std::string suggestion) const;  // the command, by its first word
  const std::optional<Issue>& issue() const { return issue_; }

 private:
  std::string place(std::size_t column) const;

  std::size_t number_ = 1, at_ = 0;
  const WordsOfCommand& command_;
  std::optional<Issue> issue_;
};

}  // namespace tilewalk
