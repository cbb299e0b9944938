// The verbs, a row each, in the order of --help: name, help, flags and function. A function reads its own options,
// prints, and returns the exit code; bad input is refused before any work. A new verb is a file with its function and a
// row in verbs.cpp. Invariant: names are unique.
#pragma once

#include "app/cli/args.h"

namespace tilewalk {

struct Flag {
  const char* name;
  const char* value;  // the name of the value in the help: "FILE"
  std::string help;
  std::vector<std::string> choices = {};  // offered by shell completion, and listed in the help
  bool repeats = false;                   // may be given more than once
};

struct Word {  // after the verb: one of a few words, the last by default; or, without a list, any words
  const char* name;
  const char* help;
  const char* what;  // "benches"
  std::vector<std::string> choices;
};

struct Verb {
  const char* name;
  int (*run)(const CommandLine&);
  const char* help;               // one line
  bool about_a_problem = false;   // also has the flags of a problem
  std::optional<Word> word = {};  // its own word after the verb
  std::vector<Flag> options = {}, switches = {};
  std::string examples = {};          // a line each
  std::string (*footer)() = nullptr;  // text of the help below them
};

const std::vector<Verb>& verbs();

std::vector<Flag> which_flags();        // one for each field of a call
std::string help_of_then();             // a line for each command of the window
int chip_timeline(const CommandLine&);  // race --timeline
int verify_fast(const CommandLine&);    // verify --fast
int verify_trace(const CommandLine&);   // verify --trace FILE
int window_verb(const CommandLine&);    // without a verb

}  // namespace tilewalk
