// Parses the command line: which verb, which flags. Opens, prints and ends nothing. Values stay text until the verb
// parses them, so that no number is converted on the way (−1 never becomes 2^64 − 1).
#pragma once

#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/open_problem.h"
#include "base/result.h"

namespace tilewalk {

struct Verb;

struct CommandLine {
  const Verb* verb = nullptr;  // none: the window opens
  ProblemArgs problem;
  std::map<std::string, std::string> options;  // of the verb, without dashes: "step" -> "28"
  std::vector<std::string> words;              // after the verb, each as typed
  std::set<std::string> switches;              // "json", "walk", "all"
  std::string message;                         // help or version: print it and end with 0

  bool has(const std::string& name) const { return switches.contains(name); }
  std::optional<std::string> option(const std::string& name) const {
    const auto at = options.find(name);
    return at == options.end() ? std::nullopt : std::optional(at->second);
  }
};

// Reads an option of the verb, if it is given: a whole number in [low, high].
template <class T>
void read_whole(const CommandLine& line, const char* name, std::int64_t low, std::int64_t high, T& to, Issues& issues) {
  if (const auto text = line.option(name)) put(whole_number(name, *text, low, high), to, issues);
}

// The verbs with their flags, built once; may parse any number of command lines.
class CommandLineParser {
 public:
  explicit CommandLineParser(const std::vector<Verb>& verbs);  // the rows must outlive it
  ~CommandLineParser();

  // Words come without the program's name. The verb is one of the given rows.
  Result<CommandLine> parse(const std::vector<std::string>& words);

 private:
  struct Flags;
  std::unique_ptr<Flags> flags_;
};

// Nothing typed is ignored silently: returns an issue for every flag, switch and word that `kind` ("--fast") does not
// use. It uses those listed, and json.
Issues not_beside(const std::string& kind, const CommandLine&, std::initializer_list<std::string_view> used);

Result<CommandLine> parse_command_line(const std::vector<std::string>& words, const std::vector<Verb>& verbs);

}  // namespace tilewalk
