// Commands as text, for lessons, scripts, tests and --then: a name and its arguments, with spaces or a comma between,
// and ';' between commands: "go-to-tile 2,1; select 9,6; show compare". Text with spaces, commas, quotes or ';' in it
// stands in double quotes, with \ before a quote or a backslash. What text_of gives, command_from reads back equal.
// A bad one is refused with its number, its column (from 1, of the whole text) and the nearest right name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "session/command/command.h"
#include "session/command/command_table.h"

namespace tilewalk {

std::string text_of(const Command&);  // empty for what only the surroundings give: Tick, Work and reports

Result<Command> command_from(std::string_view text);
// One that reaches further than `most` is refused: a file or a link may not do all that a person may.
Result<std::vector<Command>> commands_from(std::string_view text, Reach most = Reach::Person);

struct CommandForm {
  std::string text;  // "go-to-tile Q-TILE,KV-TILE"
  std::string help;  // one sentence
};
std::vector<CommandForm> command_forms();  // of every command with a text form

}  // namespace tilewalk
