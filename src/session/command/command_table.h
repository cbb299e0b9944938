// The table of commands for menus, keys, the palette, tooltips and the documentation: action, name, title, keys, help.
// Its rows stand in session/command/actions.inc. A command with arguments comes from a click or a field; its row stands
// in session/command/commands.inc, its text form is session/command/command_text.h's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/command/command.h"

namespace tilewalk {

enum class Key {
  None,
  Space,
  Left,
  Right,
  Up,
  Down,
  PageUp,
  PageDown,
  Home,
  End,
  Enter,
  Escape,
  Tab,
  F1,
  F5,
  F10,
  F11,
  Comma,
  Period,
  Slash,
  Plus,
  Minus,
  Zero,
  A,
  B,
  C,
  D,
  E,
  F,
  G,
  H,
  I,
  J,
  K,
  L,
  M,
  N,
  O,
  P,
  Q,
  R,
  S,
  T,
  U,
  V,
  W,
  X,
  Y,
  Z,
};

struct Chord {
  Key key = Key::None;
  bool ctrl = false, shift = false;
  bool operator==(const Chord&) const = default;
};

std::string text_of(const Chord&);  // "Ctrl+Shift+P", "PgUp", "←"

// How far a command reaches, and so who may give it. Other people write lessons, questions and links, so these may only
// look, walk, ask, and change the problem in memory. A command that writes or opens files, lists folders, fills the
// clipboard, runs races, measurements or a GPU, changes what is kept between starts, or ends the program, is for a
// person alone.
enum class Reach {
  Scene,   // a lesson may give it
  Link,    // a question or a link may give it too: it opens a lesson
  Person,  // only a person may
};
Reach reach_of(Dialog);
Reach reach_of(const Command&);

struct CommandRow {
  Action action;
  const char* name;   // "step-forward", for scripts
  const char* title;  // "Step forward"
  Chord key, other;   // other: a second way to the same command; Key::None if there is none
  const char* group;  // heading in the key list
  const char* help;   // one sentence
  Reach reach;
};

const std::vector<CommandRow>& command_table();
const CommandRow& command_row(Action);

// While presenting these keys, a clicker's among them, mean this in place of what they mean elsewhere.
struct PresentingKey {
  Key key;
  Action action;
  const char* help;
};
const std::vector<PresentingKey>& presenting_keys();

struct Found {  // what the palette lists: an Action, or one of the mistakes that can be made on purpose
  std::string name, title, help;
  Chord key;
  Command command;
};
// Those whose title, name or help contains every word of `words`, best first (title before help).
std::vector<Found> search_commands(const std::string& words);

}  // namespace tilewalk
