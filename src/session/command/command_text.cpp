#include "session/command/command_text.h"

#include <algorithm>
#include <tuple>

#include "base/nearest.h"
#include "base/units.h"
#include "core/predict/attention_method.h"
#include "dispatch/call.h"
#include "session/command/command_arguments.h"
#include "session/command/command_table.h"
#include "session/command/command_words.h"
#include "session/document/problem_draft.h"

namespace tilewalk {
namespace {

constexpr std::size_t kMaxCommands = 10'000;

std::vector<std::string> names_of_fields() {
  std::vector<std::string> out = {kBothLengths};
  for (const Field* field : editor_fields()) out.push_back(field->name);
  return out;
}
std::vector<std::string> names_of_call() {
  std::vector<std::string> out;
  for (const CallField& field : call_fields()) out.push_back(field.name);
  return out;
}

std::vector<std::string> names_of_rates() { return {"bandwidth", "peak"}; }
std::vector<std::string> names_of_methods() {
  std::vector<std::string> out;
  for (const AttentionMethod& method : attention_methods())
    if (method.schedule) out.push_back(method.id);
  return out;
}

std::vector<std::string> names_of_profiles() { return {std::begin(kExampleProfiles), std::end(kExampleProfiles)}; }

// The form of a command: its name, what it does, and its arguments in order. An optional argument follows its name:
// "choose-race n 2048 causal yes".
template <class C, class T>
struct Argument {
  const char* name;
  T C::*field;
  std::vector<std::string> (*among)() = nullptr;  // of a text argument: its permitted values
};
template <class C, class... T>
struct Form {
  using Carried = C;
  const char* name;
  const char* help;
  std::tuple<Argument<C, T>...> arguments;
};
template <class C, class... T>
Form<C, T...> form(const char* name, const char* help, Argument<C, T>... arguments) {
  return {name, help, {arguments...}};
}
template <class C, class T>
Argument<C, T> arg(const char* name, T C::*field, std::vector<std::string> (*among)() = nullptr) {
  return {name, field, among};
}

template <class F>
void each_form(F&& act) {
#define COMMAND(type, name, reach, help, handler, ...) act(form<type>(name, help __VA_OPT__(, ) __VA_ARGS__));
#define REPORT(type, handler)
#include "session/command/commands.inc"
#undef REPORT
#undef COMMAND
}

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

// Parses a positional argument; returns false for an argument that follows its name.
template <class C, class T>
void read_in_place(CommandReader& words, C& command, const Argument<C, T>& argument) {
  if constexpr (!IsOptional<T>::value) read(words, argument.name, command.*argument.field);
  if constexpr (std::is_same_v<T, std::string>) {
    if (!argument.among || words.issue()) return;
    const std::vector<std::string> all = argument.among();
    const auto at = std::find_if(all.begin(), all.end(),
                                 [&](const std::string& word) { return spelled_alike(word, command.*argument.field); });
    if (at == all.end()) return words.refuse_unknown("one for " + std::string(argument.name), all);
    command.*argument.field = *at;
  }
}
template <class C, class T>
bool read_named(CommandReader& words, C& command, const Argument<C, T>& argument, const std::string& name) {
  if constexpr (IsOptional<T>::value) {
    if (name != argument.name) return false;
    read(words, argument.name, (command.*argument.field).emplace());
    return true;
  }
  return false;
}

template <class C, class T>
void add_name(std::vector<std::string>& names, const Argument<C, T>& argument) {
  if constexpr (IsOptional<T>::value) names.push_back(argument.name);
}

template <class C, class... T>
C read_arguments(CommandReader& words, const Form<C, T...>& form) {
  C command;
  std::apply([&](const auto&... argument) { (read_in_place(words, command, argument), ...); }, form.arguments);
  if constexpr ((IsOptional<T>::value || ...))
    while (!words.issue() && !words.at_end()) {
      const std::string name = *words.next("");
      std::vector<std::string> all;
      const bool known = std::apply(
          [&](const auto&... argument) {
            (add_name(all, argument), ...);
            return (read_named(words, command, argument, name) || ...);
          },
          form.arguments);
      if (!known) words.refuse_unknown("a word of " + std::string(form.name), all);
    }
  words.refuse_rest();
  return command;
}

template <class C, class T>
std::string written_argument(const C& command, const Argument<C, T>& argument) {
  const T& value = command.*argument.field;
  if constexpr (IsOptional<T>::value)
    return value ? " " + std::string(argument.name) + " " + written(*value) : "";
  else
    return " " + written(value);
}

template <class C, class T>
std::string argument_text(const Argument<C, T>& argument) {
  const std::string name = argument.name;
  return IsOptional<T>::value ? " [" + name + " …]" : " " + name;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const CommandRow& row : command_table()) names.push_back(row.name);
  each_form([&](const auto& form) { names.push_back(form.name); });
  return names;
}

Result<Command> read_command(std::size_t number, const WordsOfCommand& text, Reach most) {
  CommandReader words(number, text);
  const std::string name = *words.next("a command");
  std::optional<Command> found;
  for (const CommandRow& row : command_table())
    if (name == row.name) found = row.action, words.refuse_rest();
  each_form([&](const auto& form) {
    if (name == form.name) found = read_arguments(words, form);
  });
  if (!found) words.refuse_unknown("a command", command_names());
  if (words.issue()) return *words.issue();
  if (reach_of(*found) > most)
    return words.refused_whole(
        "may only be given by a person: a file or a link may look, walk, and change the problem in memory",
        "Such as go-to-tile, select, show, set-field, set-schedule or load-preset");
  return *found;
}

}  // namespace

bool Command::operator==(const Command& other) const {
  if (type_ != other.type_) return false;
  if (const Action* const action = as<Action>()) return *action == *other.as<Action>();
#define COMMAND(...)
#define REPORT(type, ...) \
  if (const type* const report = as<type>()) return *report == *other.as<type>();
#include "session/command/commands.inc"
#undef REPORT
#undef COMMAND
  bool equal = true;
  each_form([&](const auto& form) {
    using Carried = typename std::decay_t<decltype(form)>::Carried;
    const Carried *const a = as<Carried>(), *const b = other.as<Carried>();
    if (!a) return;
    std::apply([&](const auto&... argument) { equal = (... && (a->*argument.field == b->*argument.field)); },
               form.arguments);
  });
  return equal;
}

std::string text_of(const Command& command) {
  if (const Action* action = command.as<Action>()) return command_row(*action).name;
  std::string out;
  each_form([&](const auto& form) {
    using Carried = typename std::decay_t<decltype(form)>::Carried;
    const Carried* carried = command.as<Carried>();
    if (!carried) return;
    out = form.name;
    std::apply([&](const auto&... argument) { ((out += written_argument(*carried, argument)), ...); }, form.arguments);
  });
  return out;
}

Result<std::vector<Command>> commands_from(std::string_view text, Reach most) {
  const auto split = split_commands(text);
  if (!split) return split.issues();
  if (split->size() > kMaxCommands)
    return Issue{"commands", format_count(std::int64_t(split->size())),
                 "are more than the " + format_count(kMaxCommands) + " that are carried out at once",
                 "Give a part of them"};
  std::vector<Command> commands;
  Issues issues;
  for (std::size_t i = 0; i < split->size(); ++i) add(read_command(i + 1, (*split)[i], most), commands, issues);
  if (!issues.empty()) return issues;
  return commands;
}

Result<Command> command_from(std::string_view text) {
  Result<std::vector<Command>> commands = commands_from(text);
  if (!commands) return commands.issues();
  if (commands->size() != 1) return Issue{"command", std::string(text), "must be one command", ""};
  return commands->front();
}

std::vector<CommandForm> command_forms() {
  std::vector<CommandForm> out;
  for (const CommandRow& row : command_table()) out.push_back({row.name, row.help});
  each_form([&](const auto& form) {
    CommandForm line{form.name, form.help};
    std::apply([&](const auto&... argument) { ((line.text += argument_text(argument)), ...); }, form.arguments);
    out.push_back(std::move(line));
  });
  return out;
}

}  // namespace tilewalk
