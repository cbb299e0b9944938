// The window in a browser. Its words come from the page's address: those of `tilewalk replay`, as a link holds them.
#include <emscripten.h>

#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "app/streams.h"
#include "session/command_table.h"

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
    complain("this link could not be followed, so the window opens as it would without one");
  }
  return window_verb({});
}

}  // namespace
}  // namespace tilewalk

int main(int argc, char** argv) {
  const int exit = tilewalk::open_window({argv + (argc > 0), argv + argc});
  if (exit != tilewalk::kExitOk) EM_ASM({ Module.host.fail(Module.host.said || "The window could not be opened."); });
  return exit;
}
