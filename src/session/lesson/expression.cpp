#include "session/lesson/expression.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "base/parse.h"

namespace tilewalk {

namespace {

constexpr std::size_t kLongest = 400;
constexpr int kDeepest = 40;

}  // namespace

struct Expression::Node {
  enum class Operation {
    Or,
    And,
    Not,
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
    Plus,
    Minus,
    Times,
    Over,
    Power,
    Negate
  };
  enum class Function { Min, Max, Floor, Ceil, Sqrt, Exp, Log2 };
  enum class Kind { Constant, Fact, Operation, Function } kind = Kind::Constant;
  Figure constant{};
  FactPath fact{};
  Operation operation{};
  Function function{};
  std::vector<Node> parts{};
};

namespace {

using Node = Expression::Node;
using Operation = Node::Operation;
using Function = Node::Function;

struct FunctionRow {
  const char* name;
  Function function;
  std::size_t least, most;  // of arguments
};
constexpr FunctionRow kFunctions[] = {{"min", Function::Min, 1, 8},     {"max", Function::Max, 1, 8},
                                      {"floor", Function::Floor, 1, 1}, {"ceil", Function::Ceil, 1, 1},
                                      {"sqrt", Function::Sqrt, 1, 1},   {"exp", Function::Exp, 1, 1},
                                      {"log2", Function::Log2, 1, 1}};

bool word_letter(char c) { return std::isalnum((unsigned char)c) || c == '_'; }

class Parser {
 public:
  Parser(std::string_view text, const std::string& where, const NamedProblems& problems)
      : text_(text), where_(where), problems_(problems) {}

  Result<Node> all() {
    Node node = any(0);
    skip();
    if (!issue_ && at_ < text_.size()) refuse("nothing was expected here", "Take it out, or put an operator before it");
    if (issue_) return *issue_;
    return node;
  }

 private:
  void skip() {
    while (at_ < text_.size() && std::isspace((unsigned char)text_[at_])) ++at_;
  }
  bool sign(std::string_view what) {
    skip();
    if (text_.substr(at_, what.size()) != what) return false;
    at_ += what.size();
    return true;
  }
  bool keyword(std::string_view what) {
    skip();
    if (text_.substr(at_, what.size()) != what) return false;
    if (at_ + what.size() < text_.size() && word_letter(text_[at_ + what.size()])) return false;
    at_ += what.size();
    return true;
  }
  void refuse(std::string rule, std::string way_out) {
    if (!issue_)
      issue_ = Issue{where_, std::string(text_), "column " + std::to_string(at_ + 1) + ": " + std::move(rule),
                     std::move(way_out)};
    at_ = text_.size();
  }
  static Node made(Operation operation, std::vector<Node> parts) {
    Node node;
    node.kind = Node::Kind::Operation;
    node.operation = operation;
    node.parts = std::move(parts);
    return node;
  }

  Node any(int depth) {
    if (depth > kDeepest) return refuse("too many brackets within one another", "Say it in fewer"), Node{};
    Node left = both(depth);
    while (!issue_ && keyword("or")) left = made(Operation::Or, {std::move(left), both(depth)});
    return left;
  }
  Node both(int depth) {
    Node left = compared(depth);
    while (!issue_ && keyword("and")) left = made(Operation::And, {std::move(left), compared(depth)});
    return left;
  }
  Node compared(int depth) {
    Node left = sum(depth);
    constexpr std::pair<const char*, Operation> signs[] = {{"==", Operation::Equal},  {"!=", Operation::Unequal},
                                                           {"<=", Operation::AtMost}, {">=", Operation::AtLeast},
                                                           {"<", Operation::Less},    {">", Operation::More}};
    for (const auto& [text, operation] : signs)
      if (sign(text)) return made(operation, {std::move(left), sum(depth)});
    return left;
  }
  Node sum(int depth) {
    Node left = product(depth);
    while (!issue_) {
      if (sign("+"))
        left = made(Operation::Plus, {std::move(left), product(depth)});
      else if (sign("-"))
        left = made(Operation::Minus, {std::move(left), product(depth)});
      else
        break;
    }
    return left;
  }
  Node product(int depth) {
    Node left = turned(depth);
    while (!issue_) {
      if (sign("*"))
        left = made(Operation::Times, {std::move(left), turned(depth)});
      else if (sign("/"))
        left = made(Operation::Over, {std::move(left), turned(depth)});
      else
        break;
    }
    return left;
  }
  Node turned(int depth) {
    if (depth > kDeepest) return refuse("too many signs after one another", "Say it in fewer"), Node{};
    if (sign("-")) return made(Operation::Negate, {turned(depth + 1)});
    if (keyword("not")) return made(Operation::Not, {turned(depth + 1)});
    Node base = single(depth + 1);
    if (!issue_ && sign("^")) return made(Operation::Power, {std::move(base), turned(depth + 1)});
    return base;
  }
  Node single(int depth) {
    skip();
    if (at_ == text_.size()) return refuse("a value is missing", "Such as 3, or tiles.visited"), Node{};
    const char c = text_[at_];
    if (c == '(') {
      ++at_;
      Node inside = any(depth + 1);
      if (!issue_ && !sign(")")) refuse("a bracket is not closed", "Put a ) here");
      return inside;
    }
    if (std::isdigit((unsigned char)c) || c == '.') return number();
    if (c == '"') return quoted();
    if (c == '[') return fact();
    if (!std::isalpha((unsigned char)c)) return refuse("a value is missing", "Such as 3, or tiles.visited"), Node{};
    Node constant;
    if (keyword("true")) return constant.constant = Figure::truth(true), constant;
    if (keyword("false")) return constant.constant = Figure::truth(false), constant;
    for (const FunctionRow& row : kFunctions)
      if (const std::size_t here = at_; keyword(row.name)) {
        if (sign("(")) return called(row, depth);
        at_ = here;
      }
    return fact();
  }
  Node number() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isdigit((unsigned char)text_[at_]) || text_[at_] == '.')) ++at_;
    if (at_ + 1 < text_.size() && text_[at_] == 'e' && std::isdigit((unsigned char)text_[at_ + 1])) {
      ++at_;
      while (at_ < text_.size() && std::isdigit((unsigned char)text_[at_])) ++at_;
    }
    const std::optional<double> value = parse_real(text_.substr(begin, at_ - begin));
    if (!value) return refuse("is not a number", "Such as 0.5"), Node{};
    Node node;
    node.constant = Figure::of(*value);
    return node;
  }
  Node quoted() {
    const std::size_t end = text_.find('"', at_ + 1);
    if (end == std::string_view::npos)
      return refuse("a quote is not closed", "Put a \" at the end of the text"), Node{};
    Node node;
    node.constant = Figure::word(std::string(text_.substr(at_ + 1, end - at_ - 1)));
    at_ = end + 1;
    return node;
  }
  Node called(const FunctionRow& row, int depth) {
    Node node;
    node.kind = Node::Kind::Function;
    node.function = row.function;
    do node.parts.push_back(any(depth + 1));
    while (!issue_ && sign(","));
    if (!issue_ && !sign(")")) refuse("a bracket is not closed", "Put a ) here");
    if (!issue_ && (node.parts.size() < row.least || node.parts.size() > row.most))
      refuse(std::string(row.name) + " needs another number of values", "Such as " + std::string(row.name) + "(2)");
    return node;
  }
  std::string word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && word_letter(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }
  Node fact() {
    Node node;
    node.kind = Node::Kind::Fact;
    if (sign("[")) changes(node.fact);
    skip();
    do {
      FactWord part{word(), {}};
      if (part.word.empty()) return refuse("a fact's name is missing", "Such as tiles.visited"), Node{};
      while (at_ + 1 < text_.size() && text_[at_] == ' ' && std::isdigit((unsigned char)text_[at_ + 1])) {
        ++at_;
        const std::optional<std::int64_t> place = parse_integer(word());
        if (!place) return refuse("a row or a column is a whole number", "Such as row 9"), Node{};
        part.at.push_back(*place);
      }
      node.fact.words.push_back(std::move(part));
    } while (at_ < text_.size() && text_[at_] == '.' && ++at_);
    if (issue_) return {};
    if (const Result<Done> known = check_fact(node.fact, where_); !known) issue_ = known.issues().front();
    return node;
  }
  void changes(FactPath& fact) {
    while (!issue_ && !sign("]")) {
      skip();
      const std::size_t begin = at_;
      while (at_ < text_.size() && text_[at_] != '=' && text_[at_] != ']' && text_[at_] != ' ') ++at_;
      const std::string field(text_.substr(begin, at_ - begin));
      if (const auto named = problems_.find(field); named != problems_.end()) {
        fact.changes.insert(fact.changes.end(), named->second.begin(), named->second.end());
        continue;
      }
      if (!sign("=")) return refuse(field + " is not the name of a problem here", way_to_change());
      const std::size_t value = at_;
      while (at_ < text_.size() && text_[at_] != ']' && text_[at_] != ' ') ++at_;
      fact.changes.push_back({field, std::string(text_.substr(value, at_ - value))});
      if (at_ == text_.size()) return refuse("a bracket is not closed", "Put a ] here");
    }
  }

  std::string way_to_change() const {
    std::string names;
    for (const auto& [name, changes] : problems_) names += ", [" + name + "]";
    return "Such as [n=8192]" + names;
  }

  std::string_view text_;
  const std::string& where_;
  const NamedProblems& problems_;
  std::size_t at_ = 0;
  std::optional<Issue> issue_;
};

Issue not_now(const std::string& text, const char* rule) { return {"", text, rule, "Use it where it has a value"}; }

Counts joined(Operation operation, const Figure& a, const Figure& b) {
  const auto scaled = [](Counts x, Counts y) { return x == Counts::Plain || x == Counts::Whole ? y : x; };
  if (operation == Operation::Over)
    return b.counts == Counts::Plain || b.counts == Counts::Whole ? a.counts : Counts::Plain;
  if (operation == Operation::Times) return scaled(a.counts, b.counts);
  if (operation == Operation::Power) return a.counts == Counts::Whole ? Counts::Whole : Counts::Plain;
  return a.counts == b.counts || b.counts == Counts::Plain ? a.counts : scaled(a.counts, b.counts);
}

Result<Figure> calculated(Operation operation, const Figure& a, const Figure& b, const std::string& text) {
  if (operation == Operation::Equal) return Figure::truth(a.value == b.value);
  if (operation == Operation::Unequal) return Figure::truth(a.value != b.value);
  const double *x = a.number(), *y = b.number();
  if (!x || !y) return not_now(text, "is used in arithmetic, but is not a number");
  Counts counts = joined(operation, a, b);
  switch (operation) {
    case Operation::Less: return Figure::truth(*x < *y);
    case Operation::AtMost: return Figure::truth(*x <= *y);
    case Operation::More: return Figure::truth(*x > *y);
    case Operation::AtLeast: return Figure::truth(*x >= *y);
    case Operation::Plus: return Figure::of(*x + *y, counts);
    case Operation::Minus: return Figure::of(*x - *y, counts);
    case Operation::Times: return Figure::of(*x * *y, counts);
    case Operation::Over:
      if (counts == Counts::Whole && std::fmod(*x, *y) != 0) counts = Counts::Plain;
      return Figure::of(*x / *y, counts);
    case Operation::Power: return Figure::of(std::pow(*x, *y), counts);
    default: return not_now(text, "is not an operation on two values");
  }
}

Result<Figure> applied(Function function, const std::vector<Figure>& figures, const std::string& text) {
  for (const Figure& figure : figures)
    if (!figure.number()) return not_now(text, "is used in arithmetic, but is not a number");
  double out = *figures.front().number();
  Counts counts = figures.front().counts;
  switch (function) {
    case Function::Min:
      for (const Figure& figure : figures) out = std::fmin(out, *figure.number());
      break;
    case Function::Max:
      for (const Figure& figure : figures) out = std::fmax(out, *figure.number());
      break;
    case Function::Floor: out = std::floor(out), counts = counts == Counts::Plain ? Counts::Whole : counts; break;
    case Function::Ceil: out = std::ceil(out), counts = counts == Counts::Plain ? Counts::Whole : counts; break;
    case Function::Sqrt: out = std::sqrt(out), counts = Counts::Plain; break;
    case Function::Exp: out = std::exp(out), counts = Counts::Plain; break;
    case Function::Log2: out = std::log2(out), counts = Counts::Plain; break;
  }
  return Figure::of(out, counts);
}

// A maximum may be -inf; a division by 0 or an overflow is an error.
Result<Figure> finite_of(Result<Figure> made, const std::vector<Figure>& from, const std::string& text) {
  const auto finite = [](const Figure& figure) { return !figure.number() || std::isfinite(*figure.number()); };
  if (!made || finite(*made) || !std::all_of(from.begin(), from.end(), finite)) return made;
  return not_now(text, "has no finite value");
}

Result<Figure> value_of(const Node& node, const Facts& facts, const std::string& text) {
  if (node.kind == Node::Kind::Constant) return node.constant;
  if (node.kind == Node::Kind::Fact) return facts.of(node.fact);
  std::vector<Figure> parts;
  for (const Node& part : node.parts) {
    Result<Figure> value = value_of(part, facts, text);
    if (!value) return value;
    // "false and" and "true or" do not evaluate their right side, which may have no value.
    if (node.kind == Node::Kind::Operation && parts.empty()) {
      if (node.operation == Operation::And && !value->yes()) return Figure::truth(false);
      if (node.operation == Operation::Or && value->yes()) return Figure::truth(true);
    }
    parts.push_back(std::move(*value));
  }
  if (node.kind == Node::Kind::Function) return finite_of(applied(node.function, parts, text), parts, text);
  switch (node.operation) {
    case Operation::Not: return Figure::truth(!parts[0].yes());
    case Operation::And:
    case Operation::Or: return Figure::truth(parts[1].yes());
    case Operation::Negate:
      if (!parts[0].number()) return not_now(text, "is used in arithmetic, but is not a number");
      return Figure::of(-*parts[0].number(), parts[0].counts);
    default: return finite_of(calculated(node.operation, parts[0], parts[1], text), parts, text);
  }
}

}  // namespace

Result<Expression> Expression::parse(std::string_view text, const std::string& where, const NamedProblems& problems) {
  if (text.size() > kLongest)
    return Issue{where, std::string(text.substr(0, 40)) + " …", "must be at most 400 letters", "Say it in fewer"};
  Result<Node> root = Parser(text, where, problems).all();
  if (!root) return root.issues();
  Expression out;
  out.text_ = std::string(text);
  out.root_ = std::make_shared<const Node>(std::move(*root));
  return out;
}

Result<ProblemChanges> parse_changes(std::string_view text, const std::string& where) {
  const std::string asked = "[" + std::string(text) + "] n";
  const NamedProblems none;
  Result<Node> root = Parser(asked, where, none).all();
  if (!root) return root.issues();
  return std::move(root->fact.changes);
}

Result<Figure> Expression::value(const Facts& facts) const {
  if (!root_) return not_now(text_, "is empty");
  return value_of(*root_, facts, text_);
}

}  // namespace tilewalk
