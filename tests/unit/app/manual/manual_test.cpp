#include "app/manual/manual.h"

#include <sstream>

#include "app/cli/flag_rows.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

const ShippedNames kShipped{{"paper", "picture"}, {"1", "2"}};

std::vector<Flag> all_flags() {
  std::vector<Flag> out = problem_flags();
  for (const Flag& flag : window_flags()) out.push_back(flag);
  for (const Verb& verb : verbs())
    for (const Flag& flag : flags_of(verb)) out.push_back(flag);
  return out;
}

std::string dashes_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '-' ? "\\-" : std::string(1, c);
  return out;
}

}  // namespace

TEST_CASE("the man page has every verb, every flag and every exit code") {
  const std::string page = man_page("1.2.3");
  CHECK(page.find("tilewalk 1.2.3") != std::string::npos);
  for (const Verb& verb : verbs()) CHECK(page.find(std::string(".SS ") + verb.name + "\n") != std::string::npos);
  for (const Flag& flag : all_flags()) {
    CAPTURE(flag.name);
    CHECK(page.find("\\fB" + dashes_escaped(std::string("--") + flag.name) + "\\fR") != std::string::npos);
  }
  for (const ExitCodeRow& row : exit_code_rows()) CHECK(page.find(row.meaning) != std::string::npos);
}

TEST_CASE("no text of a row is read as a roff request") {
  const std::set<std::string> requests{".TH", ".SH", ".SS", ".TP", ".P",  ".nf",
                                       ".fi", ".nh", ".ad", ".B",  ".br", ".\\\""};
  std::istringstream page(man_page("1.2.3"));
  for (std::string line; std::getline(page, line);) {
    CAPTURE(line);
    CHECK_FALSE(line.starts_with("'"));
    if (line.starts_with(".")) CHECK(requests.contains(line.substr(0, line.find(' '))));
  }
}

TEST_CASE("each shell's completion has every verb and every flag") {
  for (const std::string& text : {bash_completion(kShipped), zsh_completion(kShipped), fish_completion(kShipped)}) {
    for (const Verb& verb : verbs()) CHECK(text.find(verb.name) != std::string::npos);
    for (const Flag& flag : all_flags()) {
      CAPTURE(flag.name);
      const bool dashed = text.find(std::string("--") + flag.name) != std::string::npos;
      CHECK((dashed || text.find(std::string(" -l ") + flag.name + " ") != std::string::npos));
    }
    CHECK(text.find("paper picture") != std::string::npos);
  }
}

TEST_CASE("a flag that shells offer for a verb is in the verb's help") {
  for (const Verb& verb : verbs())
    for (const Flag& flag : verb.options)
      for (const std::string& choice : flag.choices) {
        CAPTURE(verb.name, flag.name, choice);
        if (flag.name != std::string("device")) CHECK(std::string(flag.help).find(choice) != std::string::npos);
      }
}
