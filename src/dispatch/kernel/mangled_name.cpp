// Parses names of the Itanium C++ ABI, as far as kernels and their template arguments need it.
#include <algorithm>

#include "base/parse.h"
#include "base/words.h"
#include "dispatch/kernel/cpp_name.h"

namespace tilewalk {
namespace {

using NamePtr = std::shared_ptr<const CppName>;

struct Builtin {
  char letter;
  const char* name;
};
constexpr Builtin kBuiltins[] = {{'v', "void"},
                                 {'w', "wchar_t"},
                                 {'b', "bool"},
                                 {'c', "char"},
                                 {'a', "signed char"},
                                 {'h', "unsigned char"},
                                 {'s', "short"},
                                 {'t', "unsigned short"},
                                 {'i', "int"},
                                 {'j', "unsigned"},
                                 {'l', "long"},
                                 {'m', "unsigned long"},
                                 {'x', "long long"},
                                 {'y', "unsigned long long"},
                                 {'f', "float"},
                                 {'d', "double"},
                                 {'e', "long double"},
                                 {'n', "__int128"},
                                 {'o', "unsigned __int128"},
                                 {'z', "..."}};

CppName one_word(std::string text) { return {.path = {{.text = std::move(text)}}}; }
NamePtr shared(CppName name) { return std::make_shared<const CppName>(std::move(name)); }

// Every parsing function returns nothing where the text does not match; then the whole text is not a name.
class MangledReader {
 public:
  explicit MangledReader(std::string_view text) : rest_(text) {}

  std::optional<CppName> function() {
    if (!take("_Z")) return std::nullopt;
    std::optional<CppName> out = name(0);
    if (!out) return std::nullopt;
    if (!out->arguments().empty()) return out;
    while (!rest_.empty() && rest_.front() != '.') {  // .kd and the like
      const NamePtr parameter = type(0);
      if (!parameter) return std::nullopt;
      out->parameters.push_back(parameter);
    }
    return out;
  }
  bool ran_out() const { return rest_.empty(); }  // where function() returned nothing: the text ended too early

 private:
  char peek(std::size_t at = 0) const { return at < rest_.size() ? rest_[at] : '\0'; }
  bool take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  // 5flash
  std::optional<std::string> source_name() {
    std::size_t digits = 0;
    while (is_digit(peek(digits))) ++digits;
    const auto size = parse_integer<std::size_t>(rest_.substr(0, digits));
    if (!size || *size == 0) return std::nullopt;
    if (*size > rest_.size() - digits) {
      rest_ = {};
      return std::nullopt;
    }
    std::string out(rest_.substr(digits, *size));
    rest_.remove_prefix(digits + *size);
    if (out.starts_with("_GLOBAL__N_")) return "(anonymous namespace)";
    return out;
  }

  // S_, S0_ … for earlier parts; St for std.
  NamePtr substitution() {
    if (!take("S")) return nullptr;
    if (take("t")) return shared(one_word("std"));
    for (const auto& [letter, text] : {std::pair{'a', "allocator"}, {'b', "basic_string"}, {'s', "string"}})
      if (peek() == letter) {
        rest_.remove_prefix(1);
        return shared({.path = {{.text = "std"}, {.text = text}}});
      }
    std::size_t index = 0;
    if (!take("_")) {
      const std::string_view digits = take_until(rest_, '_');
      for (const char c : digits)
        if (!(is_digit(c) || (c >= 'A' && c <= 'Z'))) return nullptr;
      const auto number = parse_integer<std::size_t>(digits, 36);
      if (!number || *number >= seen_.size()) return nullptr;
      index = *number + 1;
    }
    return index < seen_.size() ? seen_[index] : nullptr;
  }

  bool arguments(CppNames& to, int depth) {
    if (depth > kDeepestName) return false;
    while (!take("E")) {
      if (take("J")) {  // a pack of several arguments
        if (!arguments(to, depth + 1)) return false;
        continue;
      }
      const NamePtr argument = peek() == 'L' ? literal(depth + 1) : type(depth + 1);
      if (!argument) return false;
      to.push_back(argument);
      if (to.size() > kMostArguments) return false;
    }
    return true;
  }

  // Lb1E, Li128E, LN10flashinfer8MaskModeE1E
  NamePtr literal(int depth) {
    take("L");
    if (!type(depth)) return nullptr;
    const bool negative = take("n");
    std::size_t digits = 0;
    while (is_digit(peek(digits))) ++digits;
    std::string text(rest_.substr(0, digits));
    rest_.remove_prefix(digits);
    if (digits == 0 || !take("E")) return nullptr;
    return shared(one_word(negative ? "-" + text : text));
  }

  // A path of words; stores a substitution candidate after every part but the last.
  std::optional<CppName> name(int depth) {
    if (depth > kDeepestName) return std::nullopt;
    CppName out;
    const bool nested = take("N");
    if (nested)
      while (peek() == 'K' || peek() == 'V' || peek() == 'r') rest_.remove_prefix(1);
    bool fresh = false;  // not yet stored
    while (!nested || !take("E")) {
      if (peek() == 'S') {
        const bool standard = peek(1) == 't';
        if (!out.path.empty()) return std::nullopt;
        const NamePtr before = substitution();
        if (!before) return std::nullopt;
        out = *before;
        if (standard) continue;
        fresh = false;
      } else if (peek() == 'I') {
        if (out.path.empty() || !out.path.back().arguments.empty()) return std::nullopt;
        if (fresh) seen_.push_back(shared(out));
        rest_.remove_prefix(1);
        if (!arguments(out.path.back().arguments, depth + 1)) return std::nullopt;
        fresh = true;
        if (!nested) return out;
        continue;
      } else {
        take("L");  // internal linkage
        if (fresh) seen_.push_back(shared(out));
        std::optional<std::string> word = source_name();
        if (!word) return std::nullopt;
        out.path.push_back({.text = std::move(*word)});
        if (out.path.size() > kMostWords) return std::nullopt;
        fresh = true;
      }
      if (!nested && peek() != 'I') return out;
    }
    return out.path.empty() ? std::nullopt : std::optional(std::move(out));
  }

  NamePtr type(int depth) {
    if (depth > kDeepestName) return nullptr;
    for (const Builtin& builtin : kBuiltins)
      if (peek() == builtin.letter) {
        rest_.remove_prefix(1);
        return shared(one_word(builtin.name));
      }
    if (take("Dh")) return shared(one_word("half"));
    if (take("DF16b")) return shared(one_word("__bf16"));
    if (take("DF16_")) return shared(one_word("_Float16"));
    if (take("Dn")) return shared(one_word("nullptr_t"));
    if (peek() == 'P' || peek() == 'R' || peek() == 'O' || peek() == 'K' || peek() == 'V') {
      rest_.remove_prefix(1);
      const NamePtr inner = type(depth + 1);
      if (inner) seen_.push_back(inner);  // a pointer to it has the same name here
      return inner;
    }
    const bool alone = peek() == 'S' && peek(1) != 't';
    if (alone) {
      const NamePtr before = substitution();
      if (!before || peek() != 'I') return before;
      CppName out = *before;
      rest_.remove_prefix(1);
      if (!out.path.back().arguments.empty() || !arguments(out.path.back().arguments, depth + 1)) return nullptr;
      return remembered(std::move(out));
    }
    if (!(peek() == 'N' || peek() == 'S' || is_digit(peek()))) return nullptr;
    std::optional<CppName> out = name(depth + 1);
    return out ? remembered(std::move(*out)) : nullptr;
  }

  NamePtr remembered(CppName name) {
    seen_.push_back(shared(std::move(name)));
    return seen_.back();
  }

  std::string_view rest_;
  CppNames seen_;
};

// The first words of a name whose end was cut: the function, the type that is its first argument, that type's first
// argument, and so on.
std::optional<CppName> first_words(std::string_view text) {
  const auto begins = [&](const char* letters) { return text.starts_with(letters); };
  const auto drop = [&](std::size_t count) { text.remove_prefix(std::min(count, text.size())); };
  const auto skip_substitution = [&] {  // S_, S1_: an earlier part, whose words are not known here
    while (begins("S") && text.find('_') != std::string_view::npos) drop(text.find('_') + 1);
  };
  drop(2);
  std::vector<CppName> levels;  // each the first argument of the one before
  while (levels.size() < kMostWords) {
    if (begins("N")) drop(1);
    skip_substitution();
    CppName level;
    while (level.path.size() < kMostWords) {
      std::size_t digits = 0;
      while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
      const auto size = parse_integer<std::size_t>(text.substr(0, digits));
      if (!size || *size == 0) break;
      std::string word(text.substr(digits, *size));
      if (word.size() < *size) word += "…";
      level.path.push_back({.text = std::move(word)});
      drop(digits + *size);
    }
    if (level.path.empty()) break;
    levels.push_back(std::move(level));
    if (!begins("I")) break;
    levels.back().path.back().cut = true;
    drop(1);
  }
  if (levels.empty()) return std::nullopt;
  for (std::size_t i = levels.size() - 1; i > 0; --i) {
    CppWord& word = levels[i - 1].path.back();
    word.last = shared(std::move(levels[i]));
    word.cut = true;
  }
  return std::move(levels.front());
}

}  // namespace

std::optional<CppName> mangled_name(std::string_view text) {
  const std::string_view letters = beginning_of(text).value_or(text);
  MangledReader reader(letters);
  std::optional<CppName> out = reader.function();
  const bool cut = letters.size() < text.size() || reader.ran_out();
  return out || !cut ? std::move(out) : first_words(letters);
}

}  // namespace tilewalk
