// The verbs, a row each, in the order of --help: what it is called, what its help says, the flags it takes and the
// function behind it. A function reads its own options, prints, and returns the exit code; bad input is refused before
// any work. A new verb is a file with its function and a row in verbs.cpp. Invariant: every name is that of one row.
#pragma once

#include "app/cli/args.h"

namespace tilewalk {

struct Flag {
  const char* name;
  const char* value;  // what stands for it in the help: "FILE"
  std::string help;
  std::vector<std::string> choices = {};  // what shells offer for it; the help names them too
  bool repeats = false;                   // may be given more than once
};

struct Word {  // after the verb: one of a few, the last where none is typed; or, where there are none, any words
  const char* name;
  const char* help;
  const char* what;  // "benches"
  std::vector<std::string> choices;
};

struct Verb {
  const char* name;
  int (*run)(const CommandLine&);
  const char* help;               // one line
  bool about_a_problem = false;   // takes the flags of a problem too
  std::optional<Word> word = {};  // a word of its own after the verb
  std::vector<Flag> options = {}, switches = {};
  std::string examples = {};          // a line each
  std::string (*footer)() = nullptr;  // what the help says below them
};

const std::vector<Verb>& verbs();

std::vector<Flag> which_flags();        // a row each of a call's fields
std::string help_of_then();             // a line for each command of the window
int chip_timeline(const CommandLine&);  // race --timeline
int verify_fast(const CommandLine&);    // verify --fast
int window_verb(const CommandLine&);    // no verb at all

}  // namespace tilewalk
