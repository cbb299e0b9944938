// stdin, stdout and stderr, in whatever state they were handed over. Words on stderr are lost in silence where nobody
// can take them; words on stdout are results, so that their loss is found out, and the exit code says so. Whatever they
// are made of, nothing but letters and ends of lines reaches a terminal (base/shown).
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

namespace tilewalk {

// First of all: a stream that is closed becomes one that refuses, so that no file is opened in its place and takes in
// the words; and a file that grows past its limit is an error rather than the end of the program.
void hold_streams();

// Lets so many files be open at a time, as far as the system's own limit goes.
void allow_open_files(std::size_t count);

void to_stdout(std::string_view text);  // throws where it is refused; stdout_failed() tells that from other ends
template <class... T>
void say(fmt::format_string<T...> words, T&&... values) {
  to_stdout(fmt::format(words, std::forward<T>(values)...));
}

// The next line that is typed, without its end; nothing where there is none. Of one longer than kMostTyped letters the
// rest is passed over, and it says so; one that does not end within a MiB ends the input.
inline constexpr std::size_t kMostTyped = 4096;
struct TypedLine {
  std::string text;
  bool too_long = false;
};
std::optional<TypedLine> next_line();

void to_stderr(std::string_view text);
void complain(const std::string& sentences);  // to stderr: "tilewalk: SENTENCE", a line each

// The status line: the last line of the terminal that stderr is, replaced by the next status and erased before other
// words. Shown only while this process is in the terminal's foreground.
bool has_status_line();
void show_status(const std::string& text);
void hide_status();
// Seconds since a status was shown or words were written; 0 while a line is read from stdin or words are being written.
double seconds_silent();

bool stdout_failed();  // something that was said there is lost already
bool close_stdout();   // last of all: true if all that was said there has been taken; else complains

}  // namespace tilewalk
