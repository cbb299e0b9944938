#include "session/command/command_words.h"

#include "base/nearest.h"
#include "base/units.h"

namespace tilewalk {
namespace {

constexpr std::size_t kLongest = 1 << 16;

bool parts_words(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ','; }

std::string place_of(std::size_t number, std::size_t column) {
  return "command " + std::to_string(number) + ", column " + std::to_string(column);
}

}  // namespace

Result<std::vector<WordsOfCommand>> split_commands(std::string_view text) {
  std::vector<WordsOfCommand> commands;
  WordsOfCommand now;
  if (text.size() > kLongest)
    return Issue{"commands", format_count(std::int64_t(text.size())), "are longer than 65,536 characters",
                 "Give a part of them"};
  const auto finish = [&](std::size_t at) {
    now.end_column = at + 1;
    if (!now.words.empty()) commands.push_back(std::move(now));
    now = {};
  };
  std::size_t i = 0;
  while (i < text.size()) {
    if (text[i] == ';') {
      finish(i++);
    } else if (parts_words(text[i])) {
      ++i;
    } else if (text[i] == '"') {
      CommandWord word{"", ++i};
      for (; i < text.size() && text[i] != '"'; ++i) {
        if (text[i] == '\\' && i + 1 < text.size()) ++i;
        word.text += text[i];
      }
      if (i == text.size())
        return Issue{place_of(commands.size() + 1, word.column), "", "a quote is not closed", "Put \" at its end"};
      ++i;
      now.words.push_back(std::move(word));
    } else {
      CommandWord word{"", i + 1};
      for (; i < text.size() && text[i] != ';' && !parts_words(text[i]); ++i) word.text += text[i];
      now.words.push_back(std::move(word));
    }
  }
  finish(text.size());
  return commands;
}

std::string quoted_if_needed(const std::string& text) {
  if (!text.empty() && text.find_first_of(" \t\n\r,;\"\\") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string CommandReader::place(std::size_t column) const { return place_of(number_, column); }

const std::string* CommandReader::next(const std::string& what) {
  if (!at_end()) return &command_.words[at_++].text;
  if (!issue_) issue_ = Issue{place(command_.end_column), "", what + " is missing", ""};
  return nullptr;
}

void CommandReader::refuse(std::string rule, std::string suggestion) {
  if (issue_) return;
  const CommandWord& word = command_.words[at_ - 1];
  issue_ = Issue{place(word.column), word.text, std::move(rule), std::move(suggestion)};
}

Issue CommandReader::refused_whole(std::string rule, std::string suggestion) const {
  const CommandWord& word = command_.words.front();
  return {place(word.column), word.text, std::move(rule), std::move(suggestion)};
}

void CommandReader::refuse_rest() {
  if (issue_ || at_end()) return;
  ++at_;
  refuse("is one word too many", "Put ';' between commands");
}

void CommandReader::refuse_unknown(const std::string& what, const std::vector<std::string>& words) {
  constexpr std::size_t kFew = 16;
  std::string suggestion = "The nearest is " + nearest(command_.words[at_ - 1].text, words);
  if (words.size() > 1 && words.size() <= kFew)
    for (std::size_t i = 0; i < words.size(); ++i) suggestion += (i == 0 ? ". All: " : ", ") + words[i];
  refuse("is not " + what, std::move(suggestion));
}

}  // namespace tilewalk
