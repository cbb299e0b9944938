// Commands as text, for lessons, scripts, tests and --then: a name and its arguments, separated by spaces or a comma,
// and ';' between commands: "go-to-tile 2,1; select 9,6; show compare". A text argument with spaces, commas, quotes or
// ';' is written in double quotes, with \ before a quote or a backslash. command_from parses the output of text_of to
// an equal command. The error of a bad command has its number, its column (from 1, in the whole text) and the nearest
// valid name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "session/command/command.h"
#include "session/command/command_table.h"

namespace tilewalk {

std::string text_of(const Command&);  // empty for commands that only the program gives: Tick, Work and reports

Result<Command> command_from(std::string_view text);
// Refuses a command that reaches further than `most`: a file or a link may not do all that a person may.
Result<std::vector<Command>> commands_from(std::string_view text, Reach most = Reach::Person);

struct CommandForm {
  std::string text;  // "go-to-tile Q-TILE,KV-TILE"
  std::string help;  // one sentence
};
std::vector<CommandForm> command_forms();  // of every command with a text form

}  // namespace tilewalk
