#include "session/lesson/lesson_prose.h"

#include <md4c.h>

#include <vector>

#include "base/shown.h"
#include "base/words.h"

namespace tilewalk {
namespace {

constexpr std::size_t kMostQuoted = 40;

// For md4c a figure is replaced by one private letter and its number, because an expression is not Markdown.
constexpr std::string_view kMark = "\uE000", kMarkEnd = "\uE001";

struct Figured {
  Expression figure;
  std::string format;
};

// "expression : format"; a colon has no other meaning in an expression.
Result<Figured> figure_of(std::string_view text, const std::string& where, const NamedProblems& problems) {
  const std::size_t colon = text.find(':');
  const std::string_view format = colon == std::string_view::npos ? "" : trimmed_view(text.substr(colon + 1));
  Result<Expression> figure = Expression::parse(trimmed_view(text.substr(0, colon)), where, problems);
  if (!figure) return figure.issues();
  const bool digits = format.size() == 1 && format[0] >= '0' && format[0] <= '9';
  if (!format.empty() && !digits && format != "bytes" && format != "plain" && format != "times" && format != "percent")
    return Issue{where, std::string(format), "is not a format of a figure",
                 "Such as {… : 3}, bytes, plain, times, percent"};
  return Figured{std::move(*figure), std::string(format)};
}

class Reader {
 public:
  Reader(std::vector<Figured> figures) : figures_(std::move(figures)) {}

  static int enter_block(MD_BLOCKTYPE type, void*, void* self) { return of(self).enter(type); }
  static int leave_block(MD_BLOCKTYPE, void*, void*) { return 0; }
  static int enter_span(MD_SPANTYPE type, void*, void* self) { return of(self).span(type, true); }
  static int leave_span(MD_SPANTYPE type, void*, void* self) { return of(self).span(type, false); }
  static int text(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* self) {
    if (type == MD_TEXT_SOFTBR || type == MD_TEXT_BR) return of(self).add(" ");
    return of(self).add({text, size});
  }

  Prose prose;
  const char* refused = nullptr;

 private:
  static Reader& of(void* self) { return *static_cast<Reader*>(self); }
  int enter(MD_BLOCKTYPE type) {
    switch (type) {
      case MD_BLOCK_DOC:
      case MD_BLOCK_UL: return 0;
      case MD_BLOCK_LI: return prose.push_back({.item = true, .runs = {}}), 0;
      case MD_BLOCK_P:
        if (prose.empty() || !prose.back().item || !prose.back().runs.empty()) prose.emplace_back();
        return 0;
      default: refused = "a lesson may contain only paragraphs and lists"; return 1;
    }
  }
  int span(MD_SPANTYPE type, bool begins) {
    const Run::Style style = type == MD_SPAN_STRONG ? Run::Style::Strong
                             : type == MD_SPAN_EM   ? Run::Style::Emphasis
                                                    : Run::Style::Code;
    if (type != MD_SPAN_STRONG && type != MD_SPAN_EM && type != MD_SPAN_CODE)
      return refused = "a sentence may contain only *emphasis*, **strong** and `code`", 1;
    style_ = begins ? style : Run::Style::Plain;
    return 0;
  }
  int add(std::string_view text) {
    if (prose.empty()) prose.emplace_back();
    Sentence& runs = prose.back().runs;
    while (!text.empty()) {
      const std::size_t mark = text.find(kMark);
      const std::string_view plain = text.substr(0, mark);
      if (!plain.empty()) {
        if (!runs.empty() && !runs.back().figure && runs.back().style == style_)
          runs.back().text += plain;
        else
          runs.push_back({style_, std::string(plain)});
      }
      if (mark == std::string_view::npos) return 0;
      text.remove_prefix(mark + kMark.size());
      const std::size_t end = text.find(kMarkEnd);
      const std::size_t place = std::size_t(std::stoul(std::string(text.substr(0, end))));
      runs.push_back({style_, "", figures_[place].figure, figures_[place].format});
      text.remove_prefix(end + kMarkEnd.size());
    }
    return 0;
  }

  std::vector<Figured> figures_;
  Run::Style style_ = Run::Style::Plain;
};

}  // namespace

Result<Prose> parse_prose(std::string_view markdown, const std::string& where, const NamedProblems& problems) {
  const std::string_view whole = markdown;
  std::string text;
  std::vector<Figured> figures;
  Issues issues;
  if (markdown.find(kMark) != std::string_view::npos || markdown.find(kMarkEnd) != std::string_view::npos)
    return Issue{where, "U+E000", "is a private letter", "Take it out"};
  while (!markdown.empty()) {
    const std::size_t brace = markdown.find_first_of("{\\");
    text += markdown.substr(0, brace);
    if (brace == std::string_view::npos) break;
    markdown.remove_prefix(brace);
    if (markdown.front() == '\\') {
      text += markdown.substr(markdown.starts_with("\\{") ? 1 : 0, markdown.starts_with("\\{") ? 1 : 2);
      markdown.remove_prefix(std::min<std::size_t>(2, markdown.size()));
      continue;
    }
    const std::size_t end = markdown.find('}');
    if (end == std::string_view::npos)
      return Issue{where, shown(markdown, kMostQuoted), "a brace is not closed", "Put a } behind the figure"};
    Result<Figured> figure = figure_of(markdown.substr(1, end - 1), where, problems);
    if (figure) {
      text += std::string(kMark) + std::to_string(figures.size()) + std::string(kMarkEnd);
      figures.push_back(std::move(*figure));
    } else {
      append(issues, figure.issues());
    }
    markdown.remove_prefix(end + 1);
  }
  if (!issues.empty()) return issues;
  Reader reader(std::move(figures));
  const MD_PARSER parser{.abi_version = 0,
                         .flags = MD_FLAG_NOHTML,
                         .enter_block = Reader::enter_block,
                         .leave_block = Reader::leave_block,
                         .enter_span = Reader::enter_span,
                         .leave_span = Reader::leave_span,
                         .text = Reader::text,
                         .debug_log = nullptr,
                         .syntax = nullptr};
  md_parse(text.data(), MD_SIZE(text.size()), &parser, &reader);
  if (reader.refused)
    return Issue{where, shown(trimmed_view(whole), kMostQuoted), reader.refused, "Say it in plain words"};
  return std::move(reader.prose);
}

Result<Sentence> parse_sentence(std::string_view markdown, const std::string& where, const NamedProblems& problems) {
  Result<Prose> prose = parse_prose(markdown, where, problems);
  if (!prose) return prose.issues();
  if (prose->size() != 1 || prose->front().item)
    return Issue{where, shown(markdown, kMostQuoted), "must be one paragraph", "Say it in one"};
  return std::move(prose->front().runs);
}

}  // namespace tilewalk
