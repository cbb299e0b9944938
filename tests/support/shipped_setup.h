// What the installed program gives a session: presets, lessons, races, rules. Read once in a test program; copies share
// the files that are read later.
#pragma once

#include <memory>

#include "session/document/session_file.h"
#include "session/lesson/lesson_file.h"
#include "session/resources.h"
#include "session/session.h"

namespace tilewalk::test {

inline const std::vector<Lesson>& shipped_lessons() {
  static const std::vector<Lesson> all = *load_lessons(TILEWALK_SOURCE_DIR "/assets/lessons");
  return all;
}

inline SessionSetup shipped_setup() {
  static const SessionSetup shipped = [] {
    SessionSetup of;
    read_from(TILEWALK_SOURCE_DIR, of);
    of.presets = *load_presets(TILEWALK_SOURCE_DIR);
    of.load_lessons = [] { return shipped_lessons(); };
    return of;
  }();
  return shipped;
}

// On the first preset, as the program starts.
inline std::unique_ptr<Session> shipped_session() {
  SessionSetup setup = shipped_setup();
  const Document first = setup.presets.front().document;
  return std::move(*Session::open(first, std::move(setup)));
}

}  // namespace tilewalk::test
