// stdin, stdout and stderr, in any state in which the program gets them. Words on stderr are dropped silently where
// they cannot be written. Words on stdout are results: their loss is detected, and the exit code reports it. Only
// printable characters and ends of lines reach a terminal (base/shown).
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

namespace tilewalk {

// Call first. Replaces a closed stream by one that refuses, so that no file opened later gets its number and its
// output; and makes a file beyond its size limit an error instead of the end of the program.
void guard_streams();

// Raises the limit of open files to that count, up to the system's own limit.
void allow_open_files(std::size_t count);

void to_stdout(std::string_view text);  // throws where it is refused; see stdout_failed()
template <class... T>
void say(fmt::format_string<T...> words, T&&... values) {
  to_stdout(fmt::format(words, std::forward<T>(values)...));
}

// The next typed line, without its end; empty at the end of the input. Skips what follows kMostTyped characters, and
// the result says so; a line that does not end within a MiB ends the input.
inline constexpr std::size_t kMostTyped = 4096;
struct TypedLine {
  std::string text;
  bool too_long = false;
};
std::optional<TypedLine> next_line();

void to_stderr(std::string_view text);
void complain(const std::string& sentences);  // to stderr: "tilewalk: SENTENCE", one line each

// The status line: the last line of the terminal on stderr, replaced by the next status and erased before other words.
// Shown only while this process is in the terminal's foreground.
bool has_status_line();
void show_status(const std::string& text);
void hide_status();
// Seconds since the last status or words; 0 while a line is read from stdin or words are being written.
double seconds_silent();

bool stdout_failed();  // some output was lost already
bool close_stdout();   // call last: true if all output was written; else complains

}  // namespace tilewalk
