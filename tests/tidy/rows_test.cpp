// What other code may not branch on: phases and kinds of softmax are rows of ledgers, and direction is a trait of a
// schedule's row. Each file that still names them is listed, so that a new phase or schedule needs few files. The lists
// may only get shorter: a file that no longer names them has to leave its list.
#include <cctype>
#include <set>

#include "tests/support/catch.h"
#include "tests/tidy/repository.h"

using namespace tilewalk::test;

namespace {

using Files = std::set<std::string>;

bool begins_word(const std::string& line, std::size_t at) {
  return at == 0 || (!std::isalnum(static_cast<unsigned char>(line[at - 1])) && line[at - 1] != '_');
}

bool has_word(const std::string& line, const std::string& word) {
  for (std::size_t at = line.find(word); at != std::string::npos; at = line.find(word, at + 1))
    if (begins_word(line, at)) return true;
  return false;
}

// Files of src, outside of the schedules themselves, in which an identifier begins with one of these.
Files files_with(const std::vector<std::string>& words) {
  Files out;
  for (const std::filesystem::path& file : files_under("src")) {
    const std::string name = file.generic_string(), ending = file.extension();
    if ((ending != ".h" && ending != ".cpp" && ending != ".inc") || name.starts_with("src/core/schedules/")) continue;
    for (const std::string& line : lines_of(file))
      if (std::any_of(words.begin(), words.end(), [&](const std::string& word) { return has_word(line, word); }))
        out.insert(name);
  }
  return out;
}

void check_same(const Files& found, const Files& listed) {
  std::vector<std::string> strays, gone;
  std::set_difference(found.begin(), found.end(), listed.begin(), listed.end(), std::back_inserter(strays));
  std::set_difference(listed.begin(), listed.end(), found.begin(), found.end(), std::back_inserter(gone));
  INFO("ask a row of core/schedules/ledger.h or schedule_row.h instead:" << one_a_line(strays));
  INFO("take off the list:" << one_a_line(gone));
  CHECK(strays.empty());
  CHECK(gone.empty());
}

}  // namespace

TEST_CASE("phases are named only by their sentences and by one model", "[unit]") {
  check_same(
      files_with({"Phase::"}),
      {"src/core/predict/compare.cpp", "src/core/walk/step.cpp", "src/view/sentence/film_caption.cpp",
       "src/view/sentence/named_cell.cpp", "src/view/sentence/sentence.cpp", "src/view/sentence/sentence_backward.cpp",
       "src/view/sentence/sentence_mistake.cpp", "src/view/sentence/sentence_variants.cpp"});
}

TEST_CASE("the kind of softmax and the direction of a schedule are asked for in few files", "[unit]") {
  check_same(
      files_with({"SoftmaxKind::", "family.backward", "is_backward("}),
      {"src/app/bench/bench_scale.cpp", "src/app/cli/text/compare_text.cpp", "src/app/cli/verbs/cli_replay.cpp",
       "src/app/cli/verbs/cli_run.cpp", "src/core/replay/replay.cpp", "src/pages/compare/compare_page.cpp",
       "src/trace/accuracy.cpp", "src/view/problem/recorded_times.cpp", "src/view/sentence/sentence_backward.cpp",
       "src/view/sentence/sentence_variants.cpp", "src/view/views.cpp", "src/view/walk/softmax_model.cpp"});
}

// Two commands are equal if the arguments of their rows are: a member that is no argument would not count.
TEST_CASE("each member of a command's struct is an argument of its row", "[unit]") {
  std::string rows, name;
  for (const std::string& line : lines_of("src/session/command/commands.inc"))
    if (!line.starts_with("//")) rows += line;
  std::size_t members = 0;
  std::vector<std::string> missing;
  for (const std::string& line : lines_of("src/session/command/command_structs.h")) {
    if (const auto begins = all_matches(line, R"(^struct (\w+) \{)"); !begins.empty()) name = begins.front();
    if (line.starts_with("};")) name.clear();
    const bool of_report = rows.find("REPORT(" + name + ",") != std::string::npos;
    if (name.empty() || of_report || !line.starts_with("  ") || line.find("operator") != std::string::npos) continue;
    const std::string bare = std::regex_replace(line, std::regex(R"(//.*|<[^>]*>|=\s*[^,;]+)"), "");
    for (const std::string& member : all_matches(bare, R"((\w+)\s*[,;])")) {
      ++members;
      if (rows.find("&" + name + "::" + member + ")") == std::string::npos &&
          rows.find("&" + name + "::" + member + ",") == std::string::npos)
        missing.push_back(name + "::" + member);
    }
  }
  INFO("add an argument to commands.inc:" << one_a_line(missing));
  CHECK(missing.empty());
  CHECK(members > 80);
}
