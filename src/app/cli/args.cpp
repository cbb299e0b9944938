#include "app/cli/args.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/cli/flag_rows.h"
#include "app/cli/verbs.h"
#include "base/contains.h"
#include "base/nearest.h"
#include "base/words.h"

#ifndef TILEWALK_VERSION
#define TILEWALK_VERSION "0"
#endif

namespace tilewalk {
namespace {

void add_problem_flags(CLI::App& app, ProblemArgs& args) {
  for (const Flag& flag : problem_flags()) {
    const std::string dashed = std::string("--") + flag.name;
    CLI::Option* option =
        flag.repeats
            ? app.add_option_function<std::vector<std::string>>(
                     dashed, [&args](const std::vector<std::string>& texts) { args.edits = texts; }, flag.help)
                  ->expected(1)
                  ->take_all()
            : app.add_option_function<std::string>(
                  dashed, [&args, name = flag.name](const std::string& text) { args.texts[name] = text; }, flag.help);
    option->type_name(flag.value)->group("The problem");
  }
}

std::string exit_codes() {
  std::string text;
  for (const ExitCodeRow& row : exit_code_rows()) add_to_list(text, std::to_string(row.code) + " " + row.meaning);
  return text;
}

Issue no_verb(const std::string& word, const std::vector<Verb>& verbs) {
  std::vector<std::string> names;
  for (const Verb& verb : verbs) names.push_back(verb.name);
  return {"verb", word, "is not one of " + listed(names),
          "The nearest is " + nearest(word, names) + ". See tilewalk --help"};
}

void add_verb(CLI::App& app, const Verb& row, CommandLine& line) {
  CLI::App* verb = app.add_subcommand(row.name, row.help);
  verb->callback([&line, &row] { line.verb = &row; });
  const auto keep = [&line](const Flag& flag) {
    return [&line, name = flag.name](const std::string& text) { line.options[name] = text; };
  };
  for (const Flag& flag : row.options)
    verb->add_option_function<std::string>(std::string("--") + flag.name, keep(flag), flag.help)->type_name(flag.value);
  std::vector<Flag> switches = row.switches;
  for (const Flag& flag : switches_every_verb_has()) switches.push_back(flag);
  for (const Flag& flag : switches)
    verb->add_flag_callback(
        std::string("--") + flag.name, [&line, name = flag.name] { line.switches.insert(name); }, flag.help);
  if (row.about_a_problem) add_problem_flags(*verb, line.problem);
  if (row.word)
    verb->add_option_function<std::vector<std::string>>(
            row.word->name,
            [&line, &row](const std::vector<std::string>& words) {
              std::string& typed = line.options[row.word->name];
              for (const std::string& word : words) add_to_list(typed, word, " ");
              line.words = words;
            },
            row.word->help)
        ->expected(row.word->choices.empty() ? -1 : 1);
  verb->footer("Examples:\n" + row.examples + (row.footer ? "\n" + row.footer() : ""));
}

// A flag that needs a file or a folder, given with an empty name: --q "$unset".
Issues files_without_name(const CommandLine& line) {
  Issues issues;
  const auto check = [&](const Flag& flag, const std::map<std::string, std::string>& given) {
    const auto at = given.find(flag.name);
    if ((names_file(flag) || names_folder(flag)) && at != given.end() && at->second.empty())
      issues.push_back({flag.name, "nothing",
                        "must be the name of a " + std::string(names_file(flag) ? "file" : "folder"),
                        std::string("Leave --") + flag.name + " out"});
  };
  for (const Flag& flag : problem_flags()) check(flag, line.problem.texts);
  for (const Flag& flag : line.verb ? line.verb->options : window_flags()) check(flag, line.options);
  return issues;
}

}  // namespace

// Filled by CLI11 while it parses.
struct CommandLineParser::Flags {
  explicit Flags(const std::vector<Verb>& all) : verbs(all) {
    app.set_version_flag("--version", "tilewalk " TILEWALK_VERSION);
    app.require_subcommand(0, 1);
    app.footer(std::string("Examples:\n") + kExamples +
               "\nEach verb: tilewalk VERB --help. Exit codes: " + exit_codes() + ".");
    add_problem_flags(app, window_problem);
    for (const Flag& flag : window_flags())
      app.add_option_function<std::string>(
             std::string("--") + flag.name,
             [this, name = flag.name](const std::string& text) { line.options[name] = text; }, flag.help)
          ->type_name(flag.value)
          ->group("The window");
    for (const Verb& verb : verbs) add_verb(app, verb, line);
  }

  const std::vector<Verb>& verbs;
  CommandLine line;
  ProblemArgs window_problem;
  CLI::App app{std::string("Tilewalk: ") + kSummary + ".\nWithout a verb, the window opens.", "tilewalk"};
};

CommandLineParser::CommandLineParser(const std::vector<Verb>& verbs) : flags_(std::make_unique<Flags>(verbs)) {}
CommandLineParser::~CommandLineParser() = default;

Result<CommandLine> CommandLineParser::parse(const std::vector<std::string>& words) {
  CLI::App& app = flags_->app;
  CommandLine& line = flags_->line = {};
  ProblemArgs& window_problem = flags_->window_problem = {};
  const bool has_verb = !words.empty() && !words.front().starts_with("-");
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) {
    if (has_verb && app.get_subcommands().empty()) return no_verb(words.front(), flags_->verbs);
    line.message = app.help();
    return line;
  } catch (const CLI::CallForVersion& version) {
    line.message = std::string(version.what()) + "\n";
    return line;
  } catch (const CLI::ParseError& error) {
    if (has_verb && app.get_subcommands().empty()) return no_verb(words.front(), flags_->verbs);
    return Issue{"command line", "", error.what(), "See tilewalk --help"};
  }
  if (!line.verb) {
    line.problem = window_problem;
  } else if (window_problem.any()) {
    return Issue{"command line", "", "flags come after the verb", "Such as: tilewalk replay --n 16"};
  }
  if (Issues issues = files_without_name(line); !issues.empty()) return issues;
  if (line.verb && line.verb->word && !line.verb->word->choices.empty()) {
    const Word& word = *line.verb->word;
    const std::string& typed = line.options.try_emplace(word.name, word.choices.back()).first->second;
    if (!contains(word.choices, typed))
      return Issue{line.verb->name, typed, std::string("is not one of the ") + word.what, word.help};
  }
  return line;
}

Issues not_beside(const std::string& kind, const CommandLine& line, std::initializer_list<std::string_view> used) {
  Issues issues;
  const std::string word = line.verb && line.verb->word ? line.verb->word->name : "";
  const auto refuse_it = [&](const std::string& flag, const std::string& value) {
    if (flag == "json" || contains(used, flag)) return;
    issues.push_back(
        {flag, value, "does not go with " + kind, "Leave " + (flag == word ? "it" : "--" + flag) + " out"});
  };
  for (const auto& [flag, value] : line.problem.texts) refuse_it(flag, value);
  for (const std::string& edit : line.problem.edits) refuse_it("edit", edit);
  for (const auto& [flag, value] : line.options) refuse_it(flag, value);
  for (const std::string& flag : line.switches) refuse_it(flag, "");
  return issues;
}

Result<CommandLine> parse_command_line(const std::vector<std::string>& words, const std::vector<Verb>& verbs) {
  return CommandLineParser(verbs).parse(words);
}

}  // namespace tilewalk
