// One table of commands for menus, keys, the palette, tooltips and the documentation: id, name, title, keys, help.
// A command that needs arguments has no row: it comes from a click or from a field.
#pragma once

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
  CommandId id;
  const char* name;   // "step-forward", for scripts
  const char* title;  // "Step forward"
  Chord key, other;   // other: a second way to the same command; Key::None if there is none
  const char* group;  // heading in the key list
  const char* help;   // one sentence
};

const std::vector<CommandRow>& command_table();
const CommandRow* row_of(CommandId);  // nullptr if the command needs arguments
const CommandRow* row_named(const std::string& name);
CommandId command_for(const Chord&);  // None if no command has that chord
std::string key_text(CommandId);      // "Space"; empty without a key

// Rows whose title, name or help contains every word of `words`, best first (title before help).
std::vector<const CommandRow*> search_commands(const std::string& words);

}  // namespace tilewalk
