#include "session/command/command.h"

#include <utility>

namespace tilewalk {

template <CommandStruct T>
Command::Command(T value) : type_(TypeOfCommand<T>::value), value_(std::make_shared<const T>(std::move(value))) {}

template Command::Command(Action);
#define COMMAND(type, ...) template Command::Command(type);
#define REPORT(type, ...) COMMAND(type)
#include "session/command/commands.inc"
#undef REPORT
#undef COMMAND

Command::Command() : Command(Action()) {}
Command::Command(const Command&) noexcept = default;
Command& Command::operator=(const Command&) noexcept = default;
Command::~Command() = default;

}  // namespace tilewalk
