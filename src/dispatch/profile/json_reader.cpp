#include "dispatch/profile/json_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/parse.h"
#include "base/words.h"

namespace tilewalk {
namespace {

constexpr std::size_t kLongestNumber = 64;

void append_utf8(std::string& to, unsigned code) {
  if (code < 0x80) {
    to += char(code);
  } else if (code < 0x800) {
    to += char(0xc0 | (code >> 6)), to += char(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    to += char(0xe0 | (code >> 12)), to += char(0x80 | ((code >> 6) & 0x3f)), to += char(0x80 | (code & 0x3f));
  } else {
    to += char(0xf0 | (code >> 18)), to += char(0x80 | ((code >> 12) & 0x3f));
    to += char(0x80 | ((code >> 6) & 0x3f)), to += char(0x80 | (code & 0x3f));
  }
}

}  // namespace

bool JsonReader::fill() {
  if (failed()) return false;
  before_ += std::int64_t(piece_.size());
  piece_ = bytes_.next();
  at_ = 0;
  return !piece_.empty();
}

bool JsonReader::refuse(std::string rule, std::int64_t at, std::string value) {
  if (!failed())
    issue_ = Issue{fmt::format("{}, byte {}", bytes_.name(), at), std::move(value), std::move(rule),
                   "Record the profile again, or give another one"};
  return false;
}

void JsonReader::skip_spaces() {
  for (int c = peek(); c == ' ' || c == '\n' || c == '\r' || c == '\t'; c = peek()) ++at_;
}

char JsonReader::kind() {
  skip_spaces();
  const int c = peek();
  return c < 0 ? '\0' : char(c);
}

bool JsonReader::expect(char letter, const char* what) {
  skip_spaces();
  const int c = peek();
  if (c != letter) return refuse(c < 0 ? "the file ends in the middle" : fmt::format("{} is expected here", what));
  ++at_;
  return true;
}

bool JsonReader::enter(char bracket) { return expect(bracket, bracket == '{' ? "an object" : "a list"); }

bool JsonReader::more(bool& first, char close) {
  skip_spaces();
  if (peek() == close) {
    ++at_;
    return false;
  }
  if (!first && !expect(',', "a comma")) return false;
  first = false;
  return !failed();
}

bool JsonReader::next_key(bool& first, std::string& key) {
  constexpr std::size_t longest = 64;
  return more(first, '}') && read_string(key, longest) && expect(':', "a colon");
}

bool JsonReader::next_element(bool& first) { return more(first, ']'); }

bool JsonReader::read_string(std::string& to, std::size_t most) {
  to.clear();
  return string(&to, most);
}

bool JsonReader::string(std::string* to, std::size_t most) {
  if (!expect('"', "a text in quotes")) return false;
  while (true) {
    if (peek() < 0) return refuse("the file ends in the middle");
    const std::size_t start = at_;
    while (at_ < piece_.size() && piece_[at_] != '"' && piece_[at_] != '\\' &&
           static_cast<unsigned char>(piece_[at_]) >= 0x20)
      ++at_;
    if (to && to->size() < most) to->append(piece_.substr(start, std::min(at_ - start, most - to->size())));
    if (at_ == piece_.size()) continue;
    const char c = piece_[at_];
    if (c != '"' && c != '\\') return refuse("a control character in a text");
    ++at_;
    if (c == '"') return true;
    if (!escape(to, most)) return false;
  }
}

bool JsonReader::hex(unsigned& to) {
  to = 0;
  for (int i = 0; i < 4; ++i) {
    const int c = peek();
    const char letter = char(c | 0x20);
    if (is_digit(c))
      to = to * 16 + unsigned(c - '0');
    else if (c >= 0 && letter >= 'a' && letter <= 'f')
      to = to * 16 + unsigned(letter - 'a' + 10);
    else
      return refuse("four hexadecimal digits are expected here");
    ++at_;
  }
  return true;
}

bool JsonReader::escape(std::string* to, std::size_t most) {
  constexpr std::string_view letters = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
  const int c = peek();
  if (c != 'u') {
    const std::size_t which = c < 0 ? std::string_view::npos : letters.find(char(c));
    if (which == std::string_view::npos) return refuse("not a valid escape");
    ++at_;
    if (to && to->size() < most) *to += meant[which];
    return true;
  }
  ++at_;
  unsigned code = 0;
  if (!hex(code)) return false;
  if (code >= 0xd800 && code < 0xdc00) {  // the first half of a pair
    unsigned second = 0;
    if (peek() != '\\') return refuse("half of a surrogate pair");
    ++at_;
    if (peek() != 'u') return refuse("half of a surrogate pair");
    ++at_;
    if (!hex(second)) return false;
    if (second < 0xdc00 || second >= 0xe000) return refuse("half of a surrogate pair");
    code = 0x10000 + ((code - 0xd800) << 10) + (second - 0xdc00);
  } else if (code >= 0xdc00 && code < 0xe000) {
    return refuse("half of a surrogate pair");
  }
  if (to && to->size() < most) append_utf8(*to, code);
  return true;
}

// -12.5e-3
bool JsonReader::number(std::string* to) {
  std::size_t size = 0;
  const auto take = [&] {
    if (to && to->size() <= kLongestNumber) *to += piece_[at_];
    ++at_, ++size;
  };
  const auto digits = [&] {
    const std::size_t before = size;
    while (is_digit(peek())) take();
    return size > before;
  };
  skip_spaces();
  if (peek() == '-') take();
  if (peek() == '0')
    take();
  else if (!digits())
    return refuse(peek() < 0 ? "the file ends in the middle" : "a value is expected here");
  if (peek() == '.') {
    take();
    if (!digits()) return refuse("a digit is expected here");
  }
  if (peek() == 'e' || peek() == 'E') {
    take();
    if (peek() == '+' || peek() == '-') take();
    if (!digits()) return refuse("a digit is expected here");
  }
  return true;
}

bool JsonReader::read_number(double& to) {
  kept_.clear();
  const char first = kind();
  const std::int64_t at = offset();
  if (!is_digit(first) && first != '-') return refuse("a number is expected here");
  if (!number(&kept_)) return false;
  const auto value = kept_.size() <= kLongestNumber ? parse_real(kept_) : std::nullopt;
  if (!value) return refuse("a number that is too long or too large", at);
  to = *value;
  return true;
}

bool JsonReader::literal(std::string_view word) {
  for (const char letter : word) {
    if (peek() != letter) return refuse(peek() < 0 ? "the file ends in the middle" : "a value is expected here");
    ++at_;
  }
  return true;
}

bool JsonReader::pass_over() { return value(0); }

bool JsonReader::value(int depth) {
  if (depth > kDeepestJson) return refuse(fmt::format("more than {} values inside each other", kDeepestJson));
  switch (kind()) {
    case '{':
      ++at_;
      for (bool first = true; more(first, '}');)
        if (!string(nullptr, 0) || !expect(':', "a colon") || !value(depth + 1)) return false;
      return !failed();
    case '[':
      ++at_;
      for (bool first = true; more(first, ']');)
        if (!value(depth + 1)) return false;
      return !failed();
    case '"': return string(nullptr, 0);
    case 't': return literal("true");
    case 'f': return literal("false");
    case 'n': return literal("null");
    default: return number(nullptr);
  }
}

bool JsonReader::at_end() {
  skip_spaces();
  if (peek() >= 0) return refuse("something follows the end");
  return !failed();
}

}  // namespace tilewalk
