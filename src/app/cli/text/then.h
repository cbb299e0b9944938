// --then: commands of the window, carried out before a verb tells or draws.
#pragma once

#include <memory>
#include <vector>

#include "app/cli/args.h"
#include "session/command/command_table.h"
#include "session/session.h"

namespace tilewalk {

// None without --then.
Result<std::vector<Command>> commands_of_then(const CommandLine&, Reach most = Reach::Person);

// The session after the commands, begun at its cursor: the problem and the cursor may be others.
Result<std::unique_ptr<Session>> carried_out(Opening, const std::vector<Command>&);

}  // namespace tilewalk
