#include <fmt/format.h>

#include "app/cli/flag_rows.h"
#include "app/manual/manual.h"

namespace tilewalk {
namespace {

// Escapes for roff: a backslash, a dash, and a dot or a quote at the beginning of a line.
std::string roff(const std::string& text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    line_begins = c == '\n';
  }
  return out;
}

std::string section(const char* name) { return fmt::format(".SH {}\n", name); }
std::string paragraph(const std::string& text) { return ".P\n" + roff(text) + "\n"; }
std::string as_typed(const std::string& lines) { return ".P\n.nf\n" + roff(lines) + ".fi\n"; }

std::string entry(const std::string& name, const std::string& value, const std::string& meaning) {
  const std::string bold = name.empty() ? "" : "\\fB" + roff(name) + "\\fR";
  const std::string slanted = value.empty() ? "" : "\\fI" + roff(value) + "\\fR";
  const char* between = bold.empty() || slanted.empty() ? "" : " ";
  return fmt::format(".TP\n{}{}{}\n{}\n", bold, between, slanted, roff(meaning));
}

std::string entries(const std::vector<Flag>& flags) {
  std::string out;
  for (const Flag& flag : flags) out += entry(std::string("--") + flag.name, flag.value, flag.help);
  return out;
}

std::string about_verb(const Verb& verb) {
  std::string out = fmt::format(".SS {}\n{}.\n", roff(verb.name), roff(verb.help));
  if (verb.about_a_problem) out += "Takes the flags of THE PROBLEM too.\n";
  if (verb.word) out += entry("", verb.word->name, verb.word->help);
  out += entries(flags_of(verb)) + ".P\nExamples:\n" + as_typed(verb.examples);
  if (verb.footer) out += as_typed(verb.footer());
  return out;
}

std::string about_files() {
  return section("ENVIRONMENT") +
         entry("TILEWALK_ROOT", "", "The folder with assets, kernels and shaders, in place of the installed one.") +
         entry("XDG_CONFIG_HOME", "", "Where settings are kept, if not in ~/.config.") +
         entry("XDG_STATE_HOME", "", "Where progress in lessons is kept, if not in ~/.local/state.") +
         section("FILES") +
         entry("~/.config/tilewalk/settings.toml", "", "Theme, size of text, pace, files opened last.") +
         entry("~/.local/state/tilewalk/progress.toml", "", "How far you are in each lesson.") +
         entry("../share/tilewalk", "", "Beside the program's folder: presets, lessons, recordings, measurements.");
}

}  // namespace

std::string man_page(const std::string& version) {
  std::string out = ".\\\" Made from the tables of the command line.\n";
  out += fmt::format(".TH TILEWALK 1 \"\" \"tilewalk {}\" \"User Commands\"\n.nh\n.ad l\n", roff(version));
  out += section("NAME") + "tilewalk \\- " + roff(kSummary) + "\n";
  out += section("SYNOPSIS") +
         ".B tilewalk\n[\\fIproblem\\fR]\n.br\n.B tilewalk\n\\fIverb\\fR [\\fIflags\\fR] "
         "[\\fIproblem\\fR]\n";
  out +=
      section("DESCRIPTION") +
      paragraph(
          "Tilewalk replays naive attention and the FlashAttention family tile by tile, counts every byte that moves "
          "between a GPU's main memory and the memory on its chip, and compares every step, bit for bit, with a real "
          "CUDA kernel that ran on the same inputs. Without a verb, the window opens. It needs no GPU.");
  out += section("OPTIONS") + entry("--help", "", "After a verb: its flags and examples.") +
         entry("--version", "", "The version.") + entries(window_flags());
  out += section("THE PROBLEM") +
         paragraph(
             "These flags say which attention is computed. The window takes them, and so "
             "do the verbs that say it.") +
         entries(problem_flags());
  out += section("VERBS");
  for (const Verb& verb : verbs()) out += about_verb(verb);
  out += section("EXIT STATUS");
  for (const ExitCodeRow& row : exit_code_rows()) out += entry(std::to_string(row.code), "", row.meaning);
  return out + about_files() + section("EXAMPLES") + as_typed(kExamples);
}

}  // namespace tilewalk
