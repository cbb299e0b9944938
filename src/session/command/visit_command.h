// Calls a function with the struct that a Command contains.
#pragma once

#include <cstdlib>

#include "session/command/command.h"

namespace tilewalk {

template <class F>
decltype(auto) visit_command(const Command& command, F&& act) {
  switch (command.type()) {
    case CommandType::Action: return act(*command.as<Action>());
#define COMMAND(type, ...) \
  case CommandType::type:  \
    return act(*command.as<type>());
#define REPORT(type, ...) COMMAND(type)
#include "session/command/commands.inc"
#undef REPORT
#undef COMMAND
  }
  std::abort();  // there is no other type
}

}  // namespace tilewalk
