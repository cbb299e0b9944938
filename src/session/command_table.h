// One table of commands for menus, keys, the palette, tooltips and the documentation: action, name, title, keys, help.
// A command that needs arguments has no row here but a form in session/command_text.h: it comes from a click or a
// field.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/command.h"

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

struct CommandRow {
  Action action;
  const char* name;   // "step-forward", for scripts
  const char* title;  // "Step forward"
  Chord key, other;   // other: a second way to the same command; Key::None if there is none
  const char* group;  // heading in the key list
  const char* help;   // one sentence
};

const std::vector<CommandRow>& command_table();
const CommandRow& row_of(Action);
std::optional<Action> action_for(const Chord&);

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
