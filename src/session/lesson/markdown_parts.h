// The parts of a Markdown file that lessons and questions are made of: titles (#), headings (##), fenced blocks with
// their kind, and the prose between. Lines are counted from 1. Not told apart: whatever else Markdown has; that is
// prose.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tilewalk {

struct MarkdownPart {
  enum class Kind { Title, Heading, Block, Text } kind = Kind::Text;
  int line = 0;            // its first
  std::string text;        // of a block what stands in it, on the lines of the file
  std::string fence = {};  // of a block: what follows ```; empty: nothing did, and the lines after it are parts again
  bool closed = true;      // of a block
};

std::vector<MarkdownPart> markdown_parts(std::string_view text);

// Lines that would not show as they are, for their words go to a terminal: bytes that are no UTF-8, control characters,
// hidden marks. `name` stands for the file.
Issues hidden_lines(std::string_view text, const std::string& name);

}  // namespace tilewalk
