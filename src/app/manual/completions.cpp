#include <fmt/format.h>

#include "app/cli/flag_rows.h"
#include "app/manual/manual.h"
#include "base/words.h"

namespace tilewalk {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) add_to_list(out, word, " ");
  return out;
}

std::string replaced(const std::string& text, const std::string& letters, const std::string& before) {
  std::string out;
  for (const char c : text) {
    if (letters.find(c) != std::string::npos) out += before;
    out += c;
  }
  return out;
}

std::string dashed(const Flag& flag) { return std::string("--") + flag.name; }
bool takes_value(const Flag& flag) { return *flag.value != 0; }

// The contents of the rows, with the names of files in assets/.
struct OfferedVerb {
  std::string name, help;
  std::vector<Flag> flags;  // its own
  bool about_a_problem;
  std::vector<std::string> words;  // one of these may follow the verb
};

std::vector<OfferedVerb> offered_verbs(const ShippedNames& shipped) {
  std::vector<OfferedVerb> out;
  for (const Verb& verb : verbs()) {
    OfferedVerb row{verb.name, verb.help, flags_of(verb), verb.about_a_problem, {}};
    if (verb.word) row.words = row.name == "lesson" ? shipped.lessons : verb.word->choices;
    out.push_back(row);
  }
  return out;
}

std::vector<Flag> offered_problem_flags(const ShippedNames& shipped) {
  std::vector<Flag> out = problem_flags();
  for (Flag& flag : out)
    if (flag.name == std::string("preset")) flag.choices = shipped.presets;
  return out;
}

std::vector<std::string> names_of(const std::vector<Flag>& flags) {
  std::vector<std::string> out;
  for (const Flag& flag : flags) out.push_back(dashed(flag));
  return out;
}

// bash: a line of `case` for a flag whose value has suggestions, or must not be read as a flag.
std::string bash_value(const std::string& verb, const Flag& flag) {
  if (!takes_value(flag)) return "";
  const std::string offer = names_file(flag)       ? "_tilewalk_offer -f"
                            : names_folder(flag)   ? "_tilewalk_offer -d"
                            : flag.choices.empty() ? ":"
                                                   : "_tilewalk_offer -W '" + joined(flag.choices) + "'";
  return fmt::format("    {}:{}) {}; return ;;\n", verb, dashed(flag), offer);
}

std::string zsh_quoted(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return "'" + out + "'";
}

// zsh: one line of _arguments.
std::string zsh_argument(const Flag& flag) {
  std::string value;
  if (takes_value(flag)) {
    const std::string offer = names_file(flag)       ? "_files"
                              : names_folder(flag)   ? "_files -/"
                              : flag.choices.empty() ? ""
                                                     : "(" + joined(flag.choices) + ")";
    value = ":" + replaced(flag.value, ":\\", "\\") + ":" + offer;
  }
  return zsh_quoted(
      fmt::format("{}{}[{}]{}", flag.repeats ? "*" : "", dashed(flag), replaced(flag.help, "[]:\\", "\\"), value));
}

std::string zsh_arguments(const std::vector<Flag>& flags) {
  std::string out;
  for (const Flag& flag : flags) out += "\n    " + zsh_argument(flag);
  return out;
}

// fish: one `complete`.
std::string fish_quoted(const std::string& text) { return "'" + replaced(text, "'\\", "\\") + "'"; }

std::string fish_flag(const std::string& when, const Flag& flag) {
  const std::string value = !takes_value(flag)     ? ""
                            : names_file(flag)     ? " -r -F"
                            : names_folder(flag)   ? " -x -a '(__fish_complete_directories)'"
                            : flag.choices.empty() ? " -x"
                                                   : " -x -a '" + joined(flag.choices) + "'";
  return fmt::format("complete -c tilewalk -n {} -l {}{} -d {}\n", fish_quoted(when), flag.name, value,
                     fish_quoted(flag.help));
}

}  // namespace

std::string bash_completion(const ShippedNames& shipped) {
  const std::vector<OfferedVerb> verbs = offered_verbs(shipped);
  std::string names, values, cases;
  for (const OfferedVerb& verb : verbs) {
    add_to_list(names, verb.name, "|");
    std::string offered = joined(names_of(verb.flags)) + " --help";
    if (verb.about_a_problem) offered += " $problem";
    if (!verb.words.empty()) offered += " " + joined(verb.words);
    cases += fmt::format("    {}) words=\"{}\" ;;\n", verb.name, offered);
    for (const Flag& flag : verb.flags) values += bash_value(verb.name, flag);
  }
  for (const Flag& flag : window_flags()) values += bash_value("", flag);
  const std::vector<Flag> problem = offered_problem_flags(shipped);
  for (const Flag& flag : problem) values += bash_value("*", flag);
  std::string out = "# What bash offers after `tilewalk`. Made from the tables of the command line.\n";
  out +=
      "_tilewalk_offer() {\n"
      "  [ \"$1\" = -W ] || compopt -o filenames 2>/dev/null\n"
      "  mapfile -t COMPREPLY < <(compgen \"$@\" -- \"${COMP_WORDS[COMP_CWORD]}\")\n"
      "}\n\n"
      "_tilewalk() {\n"
      "  local verb='' word words='' problem='" +
      joined(names_of(problem)) +
      "'\n"
      "  COMPREPLY=()\n"
      "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
      "    case $word in " +
      names +
      ") verb=$word; break ;; esac\n"
      "  done\n"
      "  case $verb:${COMP_WORDS[COMP_CWORD-1]} in\n" +
      values +
      "  esac\n"
      "  case $verb in\n" +
      cases;
  out += fmt::format("    *) words=\"$problem {} --help --version", joined(names_of(window_flags())));
  for (const OfferedVerb& verb : verbs) out += " " + verb.name;
  return out + "\" ;;\n  esac\n  _tilewalk_offer -W \"$words\"\n}\n\ncomplete -F _tilewalk tilewalk\n";
}

std::string zsh_completion(const ShippedNames& shipped) {
  const std::vector<OfferedVerb> verbs = offered_verbs(shipped);
  std::string rows, cases;
  for (const OfferedVerb& verb : verbs) {
    rows += "\n    " + zsh_quoted(replaced(verb.name, ":", "\\") + ":" + replaced(verb.help, ":\\", "\\"));
    cases += fmt::format("        {}) _arguments{}", verb.name, verb.about_a_problem ? " $problem" : "");
    if (!verb.words.empty()) cases += " " + zsh_quoted("1:word:(" + joined(verb.words) + ")");
    for (const Flag& flag : verb.flags) cases += " \\\n          " + zsh_argument(flag);
    cases += " ;;\n";
  }
  return "#compdef tilewalk\n"
         "# What zsh offers after `tilewalk`. Made from the tables of the command line.\n\n"
         "_tilewalk() {\n"
         "  local curcontext=$curcontext state line\n"
         "  local -a verbs problem window\n"
         "  verbs=(" +
         rows +
         "\n  )\n"
         "  problem=(" +
         zsh_arguments(offered_problem_flags(shipped)) +
         "\n  )\n"
         "  window=(" +
         zsh_arguments(window_flags()) +
         "\n  )\n"
         "  _arguments -C '(- *)--help[What there is]' '(- *)--version[The version]' $problem $window \\\n"
         "    '1:verb:->verb' '*::flag:->flag'\n"
         "  case $state in\n"
         "    verb) _describe verb verbs ;;\n"
         "    flag)\n"
         "      case $line[1] in\n" +
         cases +
         "      esac ;;\n"
         "  esac\n"
         "}\n\n"
         "_tilewalk \"$@\"\n";
}

std::string fish_completion(const ShippedNames& shipped) {
  const std::vector<OfferedVerb> verbs = offered_verbs(shipped);
  std::string out =
      "# What fish offers after `tilewalk`. Made from the tables of the command line.\n"
      "complete -c tilewalk -f\n"
      "complete -c tilewalk -l help -d 'What there is'\n"
      "complete -c tilewalk -n __fish_use_subcommand -l version -d 'The version'\n";
  std::string about_a_problem = "__fish_use_subcommand; or __fish_seen_subcommand_from";
  for (const OfferedVerb& verb : verbs) {
    out +=
        fmt::format("complete -c tilewalk -n __fish_use_subcommand -a {} -d {}\n", verb.name, fish_quoted(verb.help));
    if (verb.about_a_problem) about_a_problem += " " + verb.name;
  }
  for (const Flag& flag : window_flags()) out += fish_flag("__fish_use_subcommand", flag);
  for (const OfferedVerb& verb : verbs) {
    const std::string here = "__fish_seen_subcommand_from " + verb.name;
    if (!verb.words.empty())
      out += fmt::format("complete -c tilewalk -n {} -a '{}'\n", fish_quoted(here), joined(verb.words));
    for (const Flag& flag : verb.flags) out += fish_flag(here, flag);
  }
  for (const Flag& flag : offered_problem_flags(shipped)) out += fish_flag(about_a_problem, flag);
  return out;
}

}  // namespace tilewalk
