// Runs the command line like a user, and returns its output.
#pragma once

#include <stdlib.h>
#include <sys/wait.h>

#include <string>

#include "tests/support/temporary_folder.h"

namespace tilewalk::test {

struct Said {
  int exit = -1;
  std::string out, err;
};

// `words` go through the shell, after the program's name; `before` precedes it ("LANG=C timeout 5").
inline Said program_says(const std::string& program, const std::string& words, const std::string& before = "") {
  TemporaryFolder folder;
  const std::string command = before + " '" + program + "' </dev/null " + words + " >'" + folder.file("out") + "' 2>'" +
                              folder.file("err") + "'";
  const int status = ::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(folder.file("out")), read_text(folder.file("err"))};
}

inline Said tilewalk_says(const std::string& words, const std::string& before = "") {
  return program_says(TILEWALK_BINARY, words, before);
}

}  // namespace tilewalk::test
