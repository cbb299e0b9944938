// The words of one command in a text. A reader takes the words in order and records the first bad one.
#pragma once

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
  std::size_t end_column = 1;  // the column of a further word
};

// Split at ';', commas and white space outside quotes. Empty commands are left out.
Result<std::vector<WordsOfCommand>> split_commands(std::string_view text);

std::string quoted_if_needed(const std::string&);

class CommandReader {
 public:
  CommandReader(std::size_t number, const WordsOfCommand& command) : number_(number), command_(command) {}

  bool at_end() const { return at_ == command_.words.size(); }
  const std::string* next(const std::string& what);  // at the end returns nullptr and records an error
  void refuse(std::string rule,
              std::string suggestion = "");  // about the last word from next(); only the first error is recorded
  void refuse_rest();                        // records an error for words that are left over
  // The last word from next() is none of these.
  void refuse_unknown(const std::string& what, const std::vector<std::string>& words);
  Issue refused_whole(std::string rule, std::string suggestion) const;  // about the whole command, by its first word
  const std::optional<Issue>& issue() const { return issue_; }

 private:
  std::string place(std::size_t column) const;

  std::size_t number_ = 1, at_ = 0;
  const WordsOfCommand& command_;
  std::optional<Issue> issue_;
};

}  // namespace tilewalk
