// Reads JSON as a stream, value after value, with bounded memory: values that are not requested are checked but not
// stored. RFC 8259, nothing looser; at most kDeepestJson values inside each other.
// After a refusal every call returns false, and issue() says at which byte of the text it was.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dispatch/profile/byte_source.h"

namespace tilewalk {

inline constexpr int kDeepestJson = 64;

class JsonReader {
 public:
  explicit JsonReader(ByteSource& bytes) : bytes_(bytes) {}

  char kind();  // the first letter of the next value: { [ " - 0 … 9 t f n; '\0' at the end
  std::int64_t offset() const { return before_ + std::int64_t(at_); }

  // for (bool first = true; reader.next_key(first, key);) … one value each.
  bool enter(char bracket);
  bool next_key(bool& first, std::string& key);
  bool next_element(bool& first);
  bool read_string(std::string& to, std::size_t most);  // cuts longer text at `most`
  bool read_number(double& to);
  bool pass_over();  // skips the next value
  bool at_end();     // only white space follows

  bool failed() const { return issue_.has_value() || !bytes_.issues().empty(); }
  Issues issues() const { return issue_ ? Issues{*issue_} : bytes_.issues(); }
  bool refuse(std::string rule, std::int64_t at, std::string value = "");  // returns false
  bool refuse(std::string rule) { return refuse(std::move(rule), offset()); }

 private:
  bool fill();
  int peek() { return at_ < piece_.size() || fill() ? static_cast<unsigned char>(piece_[at_]) : -1; }
  void skip_spaces();
  bool expect(char letter, const char* what);
  bool more(bool& first, char close);
  bool string(std::string* to, std::size_t most);
  bool escape(std::string* to, std::size_t most);
  bool hex(unsigned& to);
  bool number(std::string* to);
  bool literal(std::string_view word);
  bool value(int depth);

  ByteSource& bytes_;
  std::string_view piece_;
  std::size_t at_ = 0;
  std::int64_t before_ = 0;  // bytes of the previous pieces
  std::string kept_;
  std::optional<Issue> issue_;
};

}  // namespace tilewalk
