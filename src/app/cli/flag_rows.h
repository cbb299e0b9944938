// Command-line rows beside the verbs: the flags of a problem and of the window, the exit codes, and the sentences of
// --help. The parser, --help, the man page and shell completions are generated from these and from verbs().
// Not here: what a flag does.
#pragma once

#include <vector>

#include "app/cli/verbs.h"

namespace tilewalk {

struct ExitCodeRow {
  int code;
  const char* meaning;
};

inline constexpr const char* kSummary = "watch attention being computed, one tile at a time, and believe what you see";
inline constexpr const char* kExamples =
    "  tilewalk\n  tilewalk --preset paper\n  tilewalk replay --walk\n  tilewalk verify --recorded --all\n";

const std::vector<ExitCodeRow>& exit_code_rows();
std::vector<Flag> problem_flags();        // of every verb about a problem, and of the window, in the order of --help
std::vector<Flag> window_flags();         // only of the window
std::vector<Flag> flags_of(const Verb&);  // all flags of a verb except those of a problem
std::vector<Flag> switches_every_verb_has();

bool names_file(const Flag&);
bool names_folder(const Flag&);

}  // namespace tilewalk
