// One binary: a verb of the command line, or the window.
#include <fmt/format.h>

#include <exception>
#include <new>

#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "base/shown.h"

int main(int argc, char** argv) {
  try {
    const auto line = tilewalk::parse_command_line({argv + 1, argv + argc}, tilewalk::verbs());
    if (!line) return tilewalk::refuse(line.issues());
    if (!line->message.empty()) {
      fmt::print("{}", line->message);
      return tilewalk::kExitOk;
    }
    return line->verb ? line->verb->run(*line) : tilewalk::window_verb(*line);
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "tilewalk: out of memory\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "tilewalk: internal error: {}\n", tilewalk::shown(error.what()));
  }
  return tilewalk::kExitInternal;
}
