// The window in a browser. Its arguments come from the page's address: those of `tilewalk replay`, in a link's form.
#include <emscripten.h>

#include <exception>

#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "app/streams.h"
#include "session/command/command_table.h"

namespace tilewalk {
namespace {

void tell_keys() {
  std::string chords;
  for (const CommandRow& row : command_table())
    for (const Chord& chord : {row.key, row.other}) chords += text_of(chord) + "\n";
  EM_ASM({ Module.host.take_keys(UTF8ToString($0).split("\n")); }, chords.c_str());
}

int open_window(std::vector<std::string> words) {
  tell_keys();
  if (!words.empty()) {
    words.insert(words.begin(), "replay");
    const auto line = parse_command_line(words, verbs());
    if (line && line->message.empty() && window_verb(*line) == kExitOk) return kExitOk;
    if (!line) refuse(line.issues());
    if (line && !line->message.empty()) complain("It asks for a text (--help or --version), and a link opens a view.");
    EM_ASM({ Module.host.follow_no_link(); });
  }
  return window_verb({});
}

}  // namespace
}  // namespace tilewalk

int main(int argc, char** argv) {
  int exit = tilewalk::kExitInternal;
  try {
    exit = tilewalk::open_window({argv + (argc > 0), argv + argc});
  } catch (const std::exception& error) {
    tilewalk::complain(std::string("internal error: ") + error.what());
  }
  if (exit != tilewalk::kExitOk) EM_ASM({ Module.host.stop(""); });
  return exit;
}
