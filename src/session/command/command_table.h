// The table of commands for menus, keys, the palette, tooltips and the documentation: action, name, title, keys, help.
// Its rows are in session/command/actions.inc. Commands with arguments come from clicks and fields; their rows are in
// session/command/commands.inc, and session/command/command_text.h gives their text form.
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

// How far a command reaches, and so who may give it. Other people write lessons, questions and links, so those may only
// look, walk, ask, and change the problem in memory. Only a person may give a command that writes or opens files, lists
// folders, fills the clipboard, runs races, measurements or a GPU, changes the settings, or ends the program.
enum class Reach {
  Scene,   // a lesson may give it
  Link,    // a question or a link may give it too: it opens a lesson
  Person,  // only a person may give it
};
Reach reach_of(Dialog);
Reach reach_of(const Command&);

struct CommandRow {
  Action action;
  const char* name;   // "step-forward", for scripts
  const char* title;  // "Step forward"
  Chord key, other;   // other: a second key for the same command; Key::None if there is none
  const char* group;  // heading in the key list
  const char* help;   // one sentence
  Reach reach;
};

const std::vector<CommandRow>& command_table();
const CommandRow& command_row(Action);

// While presenting, these keys (among them a clicker's) give these commands instead of their usual ones.
struct PresentingKey {
  Key key;
  Action action;
  const char* help;
};
const std::vector<PresentingKey>& presenting_keys();

struct Found {  // a result of the palette: an Action, or one of the deliberate mistakes
  std::string name, title, help;
  Chord key;
  Command command;
  enum class Part { OfPage, Pages, Others } part = Part::Others;
};
// Rows whose title, name or help contains every word of `words`, best match first (title before help); among equal
// matches those of the current page, then those that open a page.
std::vector<Found> search_commands(const std::string& words, std::optional<Page> at_hand = {});

}  // namespace tilewalk
