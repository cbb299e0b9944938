// The parts of a Markdown file of lessons or questions: titles (#), headings (##), fenced blocks with their kind, and
// the prose between them. Lines are counted from 1. All other Markdown is returned as prose.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tilewalk {

struct MarkdownPart {
  enum class Kind { Title, Heading, Block, Text } kind = Kind::Text;
  int line = 0;            // its first line
  std::string text;        // of a block its contents, on the same lines as in the file
  std::string fence = {};  // of a block: the word after ```; empty: no word, and the lines after it are parts again
  bool closed = true;      // of a block
};

std::vector<MarkdownPart> markdown_parts(std::string_view text);

// Lines with characters that a terminal does not show as they are: bytes that are not UTF-8, control characters, hidden
// marks. `name`: the file's name in messages.
Issues hidden_lines(std::string_view text, const std::string& name);

}  // namespace tilewalk
