#include "session/command_text.h"

#include <algorithm>
#include <tuple>

#include "base/nearest.h"
#include "base/units.h"
#include "core/predict/attention_method.h"
#include "dispatch/call.h"
#include "session/command_arguments.h"
#include "session/command_table.h"
#include "session/command_words.h"
#include "session/problem_draft.h"

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

// The form of a command: its name, what it does, and its arguments in order. One that is optional stands behind its
// name: "choose-race n 2048 causal yes".
template <class C, class T>
struct Argument {
  const char* name;
  T C::*field;
  std::vector<std::string> (*among)() = nullptr;  // of a text: the ones it may be
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

const auto& forms() {
  static const auto all = std::tuple{
      form("go-to-step", "To the state after so many steps.", arg("STEP", &GoToStep::cursor)),
      form("go-to-tile", "To the end of the visit of that tile.", arg("Q-TILE", &GoToTile::q_tile),
           arg("KV-TILE", &GoToTile::kv_tile)),
      form("run-to-tile", "Plays to that tile, forwards or backwards.", arg("Q-TILE", &RunToTile::q_tile),
           arg("KV-TILE", &RunToTile::kv_tile)),
      form("go-to-head", "To the first step of that head.", arg("BATCH", &GoToHead::batch),
           arg("HEAD", &GoToHead::head)),
      form("set-speed", "How many moves a second playing makes.", arg("MOVES", &SetSpeed::moves_a_second)),
      form("set-unit", "What playing moves by: phase, tile or q-tile.", arg("UNIT", &SetUnit::unit)),
      form("select", "Selects a cell of the score matrix.", arg("ROW", &SelectCell::row),
           arg("COLUMN", &SelectCell::col)),
      form("set-grid-view", "Which part of the score matrix is in view.", arg("ZOOM", &SetGridView::zoom),
           arg("ROW", &SetGridView::row), arg("COLUMN", &SetGridView::col)),
      form("show-cells", "What the tile at hand shows: of s, p, dp or ds; else what the phase makes.",
           arg("of", &ShowCells::quantity)),
      form("set-text-scale", "The size of text, 0.8 to 3.", arg("SCALE", &SetTextScale::scale)),
      form("open-dialog", "Opens a dialog by name, or none.", arg("DIALOG", &OpenDialog::dialog)),
      form("show", "Turns to a page: walk, compare, race, tree, which or roofline.", arg("PAGE", &ShowPage::page)),
      form("set-pace", "What two sides keep in step by: tile, flop, byte or time.", arg("PACE", &SetPace::pace)),
      form("set-lanes-view", "Which part of the lanes is in view.", arg("ZOOM", &SetLanesView::zoom),
           arg("CENTRE", &SetLanesView::centre)),
      form("set-lane-option", "Switches an optimisation of the lanes, 1 or 0, or sets the stages.",
           arg("OPTION", &SetLaneOption::option), arg("VALUE", &SetLaneOption::value)),
      form("pin-schedule", "Compares with this problem under that schedule.", arg("SCHEDULE", &PinSchedule::schedule)),
      form("exchange-at", "Exchanges pinned and now, at that step.", arg("STEP", &ExchangeAt::cursor)),
      form("show-transfers", "Lists the transfers behind a row of the table of differences.",
           arg("ROW", &ShowTransfers::row)),
      form("choose-race", "What of a race is shown.", arg("source", &ChooseRace::source),
           arg("metric", &ChooseRace::metric), arg("pass", &ChooseRace::pass), arg("n", &ChooseRace::n),
           arg("d", &ChooseRace::d), arg("causal", &ChooseRace::causal)),
      form("choose-member", "Says of a member of the family tree what it changed.",
           arg("MEMBER", &ChooseMember::member)),
      form("choose-roofline", "What the roofline is of: a GPU and a call; as-raced: heads and batch as in the races.",
           arg("device", &ChooseRoofline::device), arg("n", &ChooseRoofline::n), arg("d", &ChooseRoofline::d),
           arg("heads", &ChooseRoofline::heads), arg("kv-heads", &ChooseRoofline::kv_heads),
           arg("batch", &ChooseRoofline::batch), arg("causal", &ChooseRoofline::causal),
           arg("dtype", &ChooseRoofline::dtype), arg("as-raced", &ChooseRoofline::as_raced)),
      form("guess-win", "Guesses how many times as fast as naive the tiles are.", arg("TIMES", &GuessWin::times)),
      form("set-own-card", "Types a rate of your own GPU: bandwidth in GB/s, peak in TFLOP/s; '' is the GPU's own.",
           arg("FIELD", &EditOwnCard::field, names_of_rates), arg("TEXT", &EditOwnCard::text)),
      form("walk-method", "Walks the roofline's call by a method's schedule, with its kernel's tiles.",
           arg("METHOD", &WalkMethod::method, names_of_methods)),
      form("set-call", "Changes a field of the call whose attention is asked for; '' leaves it to itself.",
           arg("FIELD", &EditCall::field, names_of_call), arg("TEXT", &EditCall::text)),
      form("take-advice", "Changes that call as its advice of that number says.", arg("NUMBER", &TakeAdvice::number)),
      form("read-name", "Reads the name of a kernel, as a profiler prints it.", arg("NAME", &ReadName::name)),
      form("by-hand", "Asks for numbers of the walk: of the rows one, all, none, 9, 8-11 or 8+10; ask m+alpha+l.",
           arg("ROWS", &AskByHand::rows), arg("ask", &AskByHand::ask)),
      form("answer-field", "Answers a number that is asked for: alpha:9, or s:9:5 with its column.",
           arg("FIELD", &AnswerField::field), arg("NUMBER", &AnswerField::text)),
      form("hint-field", "Gives a hint for a number that is asked for, three at most.",
           arg("FIELD", &HintField::field)),
      form("show-field", "Shows a number that is asked for.", arg("FIELD", &ShowField::field)),
      form("focus-field", "Turns to a number that is asked for, or to none.", arg("on", &FocusField::field)),
      form("set-schedule", "Walks this problem under that schedule.", arg("SCHEDULE", &SetSchedule::schedule)),
      form("set-fault", "Makes that classic mistake in the walk, or none.", arg("FAULT", &SetFault::fault)),
      form("set-field", "Types into a field of the problem; apply-edit applies it.",
           arg("FIELD", &EditField::field, names_of_fields), arg("TEXT", &EditField::text)),
      form<ApplyEdit>("apply-edit", "Applies what was typed into the problem."),
      form<ResetEdit>("reset-edit", "Drops what was typed into the problem."),
      form("set-value", "Types a value of Q, K, V or dO.", arg("TENSOR", &EditValue::tensor),
           arg("ROW", &EditValue::row), arg("COLUMN", &EditValue::col), arg("NUMBER", &EditValue::text)),
      form("load-preset", "Opens a preset by name.", arg("NAME", &LoadPreset::name)),
      form("show-folder", "Lists a folder in the dialogs that open and save.", arg("PATH", &ShowFolder::path)),
      form("set-tiling", "Rows of a Q tile and of a KV tile.", arg("BR", &SetTiling::br), arg("BC", &SetTiling::bc),
           arg("again", &SetTiling::again)),
      form("open-file", "Opens a session, a recording, or tensors q, k and v.", arg("PATH", &OpenFile::path)),
      form("save-file", "Saves a session file; one that is not the session opened is replaced by replace yes alone.",
           arg("PATH", &SaveFile::path), arg("replace", &SaveFile::replace)),
      form("open-lesson", "Opens a lesson where it was left, or at that screen.", arg("NUMBER", &OpenLesson::number),
           arg("screen", &OpenLesson::screen)),
      form("choose-question", "Tells the answer to a question of the list, by its number; 0: to none.",
           arg("NUMBER", &ChooseQuestion::number)),
      form("draft", "Types an answer to the lesson's question.", arg("TEXT", &DraftAnswer::text)),
      form("answer", "Checks that answer to the lesson's question.", arg("TEXT", &CheckAnswer::text)),
      form("export-file", "Exports a picture, film, counters, lanes or worksheet; over a file there by replace yes.",
           arg("KIND", &ExportFile::kind), arg("PATH", &ExportFile::path), arg("replace", &ExportFile::replace))};
  return all;
}

template <class F>
void each_form(F&& act) {
  std::apply([&](const auto&... form) { (act(form), ...); }, forms());
}

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

// Reads an argument in its place; false if it is one that is read by its name.
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
std::string told(const Argument<C, T>& argument) {
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
        "is for a person to give: a file or a link may look, walk, and change the problem in memory",
        "Such as go-to-tile, select, show, set-field, set-schedule or load-preset");
  return std::move(*found);
}

}  // namespace

std::string text_of(const Command& command) {
  if (const Action* action = std::get_if<Action>(&command)) return row_of(*action).name;
  std::string out;
  each_form([&](const auto& form) {
    using Carried = typename std::decay_t<decltype(form)>::Carried;
    const Carried* carried = std::get_if<Carried>(&command);
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
  for (std::size_t i = 0; i < split->size(); ++i) {
    Result<Command> command = read_command(i + 1, (*split)[i], most);
    if (command)
      commands.push_back(std::move(*command));
    else
      issues.insert(issues.end(), command.issues().begin(), command.issues().end());
  }
  if (!issues.empty()) return issues;
  return commands;
}

Result<Command> command_from(std::string_view text) {
  Result<std::vector<Command>> commands = commands_from(text);
  if (!commands) return commands.issues();
  if (commands->size() != 1) return Issue{"command", std::string(text), "must be one command", ""};
  return std::move(commands->front());
}

std::vector<CommandForm> command_forms() {
  std::vector<CommandForm> out;
  for (const CommandRow& row : command_table()) out.push_back({row.name, row.help});
  each_form([&](const auto& form) {
    CommandForm line{form.name, form.help};
    std::apply([&](const auto&... argument) { ((line.text += told(argument)), ...); }, form.arguments);
    out.push_back(std::move(line));
  });
  return out;
}

}  // namespace tilewalk
