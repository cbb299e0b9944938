#include "base/words.h"
#include "dispatch/kernel/cpp_name.h"

namespace tilewalk {
namespace {

constexpr std::string_view kAnonymous[] = {"(anonymous namespace)", "<unnamed>"};

bool is_one_of(char c, std::string_view letters) { return letters.find(c) != std::string_view::npos; }
bool is_left_out(std::string_view word) { return beginning_of(word).has_value(); }
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '~' || c == '.' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// true and false become 1 and 0, and numbers lose the letters behind them: 128u, 4ul.
std::string plain(std::string word) {
  if (word == "true") return "1";
  if (word == "false") return "0";
  const std::size_t first = word.starts_with('-') ? 1 : 0;
  if (word.size() > first && is_digit(word[first]))
    while (word.size() > first + 1 && is_one_of(word.back(), "uUlL")) word.pop_back();
  return word;
}

class DemangledReader {
 public:
  explicit DemangledReader(std::string_view text)
      : rest_(text), ends_in_a_word_(!text.empty() && (is_letter(text.back()) || is_digit(text.back()))) {}

  std::optional<CppName> function() {
    std::optional<CppName> name;
    while (true) {
      skip_spaces();
      if (rest_.empty()) return name;
      if (name && peek() == '(' && !begins_anonymous()) {
        take();
        name->parameters = list(')', 1).names;
        return name;
      }
      std::optional<CppName> next = path(0);  // the last path before the parameters; earlier ones are the return type
      if (!next) return too_deep_ ? std::nullopt : name;
      name = std::move(next);
    }
  }

 private:
  struct List {
    CppNames names;
    bool cut = false;
    std::shared_ptr<const CppName> last;
  };

  char peek() const { return rest_.empty() ? '\0' : rest_.front(); }
  void take() { rest_.remove_prefix(1); }
  bool take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  void skip_spaces() {
    while (!rest_.empty() && rest_.front() == ' ') take();
  }
  bool begins_anonymous() const {
    for (const std::string_view text : kAnonymous)
      if (rest_.starts_with(text)) return true;
    return false;
  }

  // From one bracket to the one that closes it.
  void skip_group(char open, char close) {
    int depth = 0;
    while (!rest_.empty()) {
      const char c = rest_.front();
      take();
      if (c == open) ++depth;
      if (c == close && --depth == 0) return;
    }
  }

  std::string word() {
    for (const std::string_view text : kAnonymous)
      if (take(text)) return std::string(text);
    if (peek() == '{') {  // {lambda(int)#1}
      skip_group('{', '}');
      return "{}";
    }
    std::size_t size = peek() == '-' ? 1 : 0;
    while (size < rest_.size() && (is_letter(rest_[size]) || is_digit(rest_[size]))) ++size;
    std::string out(rest_.substr(0, size));
    rest_.remove_prefix(size);
    if (out == "operator") {
      if (take("()")) return out + "()";
      while (!rest_.empty() && is_one_of(rest_.front(), "<>=!+-*/&|^%")) take();
    }
    return plain(std::move(out));
  }

  // Words with :: between them.
  std::optional<CppName> path(int depth) {
    if (depth > kDeepestName) {
      too_deep_ = true;
      return std::nullopt;
    }
    CppName out;
    take("::");
    do {
      std::string text = word();
      if (text.empty() && rest_.empty() && !out.path.empty()) text = "…";  // the text ends after ::
      if (text.empty()) break;
      out.path.push_back({.text = std::move(text)});
      if (peek() == '<' && !begins_anonymous()) {
        take();
        List inner = list('>', depth + 1);
        CppWord& word = out.path.back();
        word.arguments = std::move(inner.names), word.cut = inner.cut, word.last = std::move(inner.last);
      }
      if (peek() == '(' && rest_.starts_with("()::")) skip_group('(', ')');  // of an enclosing function
    } while (take("::"));
    if (out.path.empty()) {
      if (!rest_.empty()) take();  // a letter that begins no name
      return std::nullopt;
    }
    return out;
  }

  // A list of arguments between commas, up to the closing bracket. Keeps only the beginning of each: `float const*`
  // becomes float.
  List list(char close, int depth) {
    List out;
    bool known = true;  // the position of the next one is known
    while (!too_deep_) {
      std::optional<CppName> name;
      bool empty = true;
      for (; !too_deep_; empty = false) {
        skip_spaces();
        if (rest_.empty() || peek() == ',' || peek() == close) break;
        if (peek() == '(' && !begins_anonymous()) {  // a cast, or the parameters of a function
          skip_group('(', ')');
          continue;
        }
        if (std::optional<CppName> next = path(depth)) {
          const bool before = name && (name->word() == "unsigned" || name->word() == "const");
          if (!name || before) name = std::move(next);
        }
      }
      if (name && is_left_out(name->word())) known = false;  // and so are those behind it
      const bool ends_here = rest_.empty();
      out.cut = !known || ends_here;
      if (name && !out.last && (ends_here || is_left_out(name->word()))) out.last = as_last(*name);
      if (ends_here && (!name || name->arguments().empty())) return out;  // the rest of a word may be missing
      if (!name) name = CppName{.path = {CppWord{}}};
      if (known && !(empty && peek() == close && out.names.empty()))
        out.names.push_back(std::make_shared<const CppName>(std::move(*name)));
      if (ends_here) return out;
      const bool more = peek() == ',';
      take();
      if (!more) return out;
    }
    return out;
  }

  // A word at the end of the text may lack its own end.
  std::shared_ptr<const CppName> as_last(CppName name) const {
    CppWord& word = name.path.back();
    const bool bare = word.arguments.empty() && !word.cut;
    if (rest_.empty() && bare && ends_in_a_word_ && !is_left_out(word.text)) word.text += "…";
    return std::make_shared<const CppName>(std::move(name));
  }

  std::string_view rest_;
  bool ends_in_a_word_;
  bool too_deep_ = false;
};

}  // namespace

std::optional<CppName> demangled_name(std::string_view text) { return DemangledReader(text).function(); }

}  // namespace tilewalk
