// A Command is the only thing that changes a Session. Keys, clicks, menus, the palette, scripts and the command line
// all make the same Commands, and Session::dispatch executes them. A Command is a plain value with operator==, so a
// test can compare the exact Command that a click makes. A command without arguments is an Action, a row of
// session/command/actions.inc. Each other command is a struct of session/command/command_structs.h and a row of
// session/command/commands.inc.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

#include "session/command/action.h"
#include "session/command/command_structs.h"

namespace tilewalk {

// The types of commands, in the order of their rows.
enum class CommandType {
  Action
#define COMMAND(type, ...) , type
#define REPORT(type, ...) , type
#include "session/command/commands.inc"
#undef REPORT
#undef COMMAND
};
inline constexpr std::size_t kCommandTypes = 1
#define COMMAND(...) +1
#define REPORT(...) +1
#include "session/command/commands.inc"
#undef REPORT
#undef COMMAND
    ;

// Which type a struct is; only for those with a row.
template <class T>
struct TypeOfCommand;
template <>
struct TypeOfCommand<Action> {
  static constexpr CommandType value = CommandType::Action;
};
#define COMMAND(type, ...)                                  \
  template <>                                               \
  struct TypeOfCommand<type> {                              \
    static constexpr CommandType value = CommandType::type; \
  };
#define REPORT(type, ...) COMMAND(type)
#include "session/command/commands.inc"
#undef REPORT
#undef COMMAND

template <class T>
concept CommandStruct = requires {
  TypeOfCommand<T>::value;
};

// An Action or one of the structs, never changed once made; copies share it. A std::variant of so many types
// would be compiled again in each source that copies a Command: here that is done in command.cpp.
class Command {
 public:
  Command();  // the first Action
  template <CommandStruct T>
  Command(T);
  Command(const Command&) noexcept;
  Command& operator=(const Command&) noexcept;
  ~Command();

  CommandType type() const { return type_; }
  template <CommandStruct T>
  bool is() const {
    return type_ == TypeOfCommand<T>::value;
  }
  template <CommandStruct T>
  const T* as() const {  // null if the command is of another type
    return is<T>() ? static_cast<const T*>(value_.get()) : nullptr;
  }
  bool operator==(const Command&) const;

 private:
  CommandType type_;
  std::shared_ptr<const void> value_;
};

// A report is compared member by member, another command by the arguments of its row.
template <CommandStruct T>
bool operator==(const T& a, const T& b) requires(!std::is_same_v<T, Action>) {
  return Command(a) == Command(b);
}

}  // namespace tilewalk
