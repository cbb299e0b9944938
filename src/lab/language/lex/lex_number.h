// Numbers of a kernel's text.
#pragma once

#include <optional>
#include <string_view>

#include "base/words.h"
#include "lab/language/token.h"

namespace tilewalk::lab {

inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

struct LexedNumber {
  Token token = {};
  std::size_t length = 0;  // of the number and its suffix
  std::optional<SourceError> error = {};
};

// Precondition: `text` begins with a digit, or with a point and a digit. The text must outlive the result.
LexedNumber number_at(std::string_view text, const SourcePlace&);

}  // namespace tilewalk::lab
