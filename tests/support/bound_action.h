// Which action a chord is bound to in the table of commands, while nothing is open that takes the keys.
#pragma once

#include <optional>

#include "session/command/command_table.h"

namespace tilewalk::test {

inline std::optional<Action> action_for(const Chord& chord) {
  if (chord.key == Key::None) return std::nullopt;
  for (const CommandRow& row : command_table())
    if (row.key == chord || row.other == chord) return row.action;
  return std::nullopt;
}

}  // namespace tilewalk::test
