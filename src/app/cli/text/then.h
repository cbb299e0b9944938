// --then: commands of the window that run before a verb prints or draws.
#pragma once

#include <memory>
#include <vector>

#include "app/cli/args.h"
#include "session/command/command_table.h"
#include "session/session.h"

namespace tilewalk {

// None without --then.
Result<std::vector<Command>> commands_of_then(const CommandLine&, Reach most = Reach::Person);

// The session after the commands, begun at its cursor: problem and cursor may have changed.
Result<std::unique_ptr<Session>> carried_out(Opening, const std::vector<Command>&);

}  // namespace tilewalk
