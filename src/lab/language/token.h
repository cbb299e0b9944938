// The words of a kernel's text, and what its comments and #define lines say.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/language/source_error.h"

namespace tilewalk::lab {

enum class TokenKind { Name, Integer, Float, String, Sign, End };

struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text = {};  // a part of the source; of a string, without its quotes and with its escapes
  std::int64_t integer = 0;
  bool is_unsigned = false, is_long = false;  // suffixes u and ll
  float value = 0;
  SourcePlace place = {};  // of a word that a #define stands for: where the #define is used
  int length = 0;          // there, in bytes
};

// A tag names the phase of its own line and of the lines below it, up to the next tag: // [RowMax]
struct Tag {
  int line = 0;
  std::string name = {};
};

// A comment that says something to the machine: "launch", "scratch" or "base", and its words.
struct Directive {
  std::string name = {};
  SourcePlace place = {};
  std::vector<Token> tokens = {};  // with an End token
};

struct LexedText {
  std::vector<Token> tokens = {};  // with an End token; constants of #define are replaced
  std::vector<Tag> tags = {};      // in order of lines
  std::vector<Directive> directives = {};
  int lines = 0;
};

inline constexpr std::size_t kMostSourceBytes = 256 * 1024, kMostTokens = 100'000;

// A constant that the task gives, for conditions of #if.
struct NamedConstant {
  std::string_view name = {};
  std::int64_t value = 0;
  bool whole = true;  // false: a float
};

// Splits the text into words; those that an #if leaves out are skipped. The text must outlive the result. Never more
// than kMostTokens.
std::optional<SourceError> split_into_tokens(std::string_view text, std::span<const NamedConstant>, LexedText& out);

}  // namespace tilewalk::lab
