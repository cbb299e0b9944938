// The commands without arguments, one for each row of session/command/actions.inc, and the dialogs that some of them
// open.
#pragma once

namespace tilewalk {

enum class Action {
#define ACTION(enumerator, ...) enumerator,
#include "session/command/actions.inc"
#undef ACTION
};

enum class Dialog {
  None,
  Problem,
  Presets,
  OpenFile,
  SaveFile,
  GoTo,
  Keys,
  Palette,
  Traffic,
  Faults,
  Lessons,
  Export,
  Review,
  Questions,
  Call,
  Glossary
};

}  // namespace tilewalk
