// Parses a kernel's text. The first fault ends the parse. Depth of nesting, and so of recursion, is bounded by
// kMostDepth; the numbers of expressions and statements are bounded by that of tokens.
#pragma once

#include <optional>

#include "lab/language/ast.h"

namespace tilewalk::lab {

inline constexpr int kMostDepth = 100;

class Parser {
 public:
  Parser(const std::vector<Token>& tokens, ParsedText& out) : tokens_(tokens), out_(out) {}

  std::optional<SourceError> parse_program();
  // "grid(A, B) block(C)" and the like: a comma-separated list of expressions in brackets after a word.
  std::vector<ExprId> parse_list(std::string_view word);
  ExprId parse_expression();  // with commas
  ExprId parse_assignment();  // without
  TypeName parse_type();

  bool at_sign(std::string_view text) const { return at().kind == TokenKind::Sign && at().text == text; }
  bool at_name(std::string_view text) const { return at().kind == TokenKind::Name && at().text == text; }
  bool at_end() const { return at().kind == TokenKind::End; }
  const Token& at(std::size_t ahead = 0) const {
    return tokens_[at_ + ahead < tokens_.size() ? at_ + ahead : tokens_.size() - 1];
  }
  void take() { at_ += at_ + 1 < tokens_.size(); }
  bool take_sign(std::string_view text);
  void need_sign(std::string_view text, const char* after);
  std::string_view need_name(const char* what);
  void fail(const SourcePlace&, std::string what, std::string instead = {});
  bool failed() const { return error_.has_value(); }
  const std::optional<SourceError>& error() const { return error_; }

 private:
  class Depth;
  bool at_type(std::size_t ahead = 0) const;
  void refuse_word();
  void refuse_std();
  std::string here() const;         // "'}'", "the end of the text"
  SourcePlace behind_last() const;  // of the word that was taken last

  ExprId add(Expr);
  StmtId add(Stmt);
  ExprId parse_choice();
  ExprId parse_binary(int least);
  ExprId parse_prefix();
  ExprId parse_postfix();
  ExprId parse_primary();
  ExprId parse_cast(const SourcePlace&);

  StmtId parse_statement();
  StmtId parse_block();
  StmtId parse_for(const SourcePlace&);
  StmtId parse_simple(bool needs_semicolon);
  void parse_declaration(std::vector<Declarator>& to, bool shared);
  Declarator parse_declarator(const TypeName&, bool is_constexpr, bool shared);
  void parse_function(bool is_kernel);
  void parse_struct();

  const std::vector<Token>& tokens_;
  ParsedText& out_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::optional<SourceError> error_;
};

// Counts how deep the parser is.
class Parser::Depth {
 public:
  explicit Depth(Parser& parser) : parser_(parser) {
    if (++parser_.depth_ > kMostDepth)
      parser_.fail(parser_.at().place, "this is nested more than 100 deep", "Give a part of it a name of its own.");
  }
  ~Depth() { --parser_.depth_; }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;

 private:
  Parser& parser_;
};

}  // namespace tilewalk::lab
