// A fault in a kernel's text: its place, what is wrong, and what to write instead.
#pragma once

#include <string>
#include <string_view>

namespace tilewalk::lab {

struct SourcePlace {
  int line = 0, column = 0;  // from 1; column in bytes
  bool operator==(const SourcePlace&) const = default;
};

struct SourceError {
  SourcePlace place = {};
  std::string what = {};            // "there is no variable sm"
  std::string instead = {};         // "Did you mean sM?"; may be empty
  std::string unknown_tensor = {};  // the name of a kernel's parameter that the problem does not have; else empty
  bool operator==(const SourceError&) const = default;
};

// The line of the text, without its end; empty past the last line.
std::string_view line_of_text(std::string_view text, int line);

// "my.cu:12:9: there is no variable sm", the line, a caret under the column, and the way out. All bytes shown are
// harmless characters.
std::string text_of_error(const std::string& file, std::string_view text, const SourceError&);

}  // namespace tilewalk::lab
