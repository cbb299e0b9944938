#include "session/lesson/markdown_parts.h"

#include <algorithm>

#include "base/parse.h"
#include "base/shown.h"

namespace tilewalk {
namespace {

constexpr std::size_t kMostHidden = 20;

}  // namespace

std::vector<MarkdownPart> markdown_parts(std::string_view text) {
  using Kind = MarkdownPart::Kind;
  std::vector<MarkdownPart> parts;
  bool in_block = false, in_prose = false;
  for (int line = 1; !text.empty(); ++line) {
    std::string_view now = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), now.size() + 1));
    if (now.ends_with('\r')) now.remove_suffix(1);
    const auto begin = [&](Kind kind, std::string of) { parts.push_back({kind, line, std::move(of)}); };
    if (in_block) {
      in_block = now != "```";
      if (in_block)
        parts.back().text.append(now).push_back('\n');
      else
        parts.back().closed = true;
      continue;
    }
    const bool goes_on = in_prose;
    in_prose = false;
    if (now.starts_with("```")) {
      in_block = now.size() > 3;
      begin(Kind::Block, std::string(std::size_t(line), '\n'));  // keeps the line numbers of the file
      parts.back().fence = now.substr(3);
      parts.back().closed = !in_block;
    } else if (now.starts_with("# ")) {
      begin(Kind::Title, std::string(now.substr(2)));
    } else if (now.starts_with("## ")) {
      begin(Kind::Heading, std::string(now.substr(3)));
    } else if (goes_on || !now.empty()) {
      if (!goes_on) begin(Kind::Text, "");
      in_prose = true;
      parts.back().text.append(now).push_back('\n');
    }
  }
  return parts;
}

Issues hidden_lines(std::string_view text, const std::string& name) {
  Issues issues;
  for (int line = 1; !text.empty() && issues.size() < kMostHidden; ++line) {
    std::string_view now = take_until(text, '\n');
    if (now.ends_with('\r')) now.remove_suffix(1);
    if (!is_showable(now))
      issues.push_back(
          {name + ", line " + std::to_string(line), std::string(now),
           "contains an invisible character: a control character, a hidden mark or a byte that is not UTF-8",
           "Use printable characters"});
  }
  return issues;
}

}  // namespace tilewalk
