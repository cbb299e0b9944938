// What other code may not branch on: phases and kinds of softmax are rows of ledgers, and direction is a trait of a
// schedule's row. Each file that still names them is listed, so that a new phase or schedule needs few files. The lists
// may only get shorter: a file that no longer names them has to leave its list.
#include <set>

#include "tests/support/catch.h"
#include "tests/tidy/repository.h"

using namespace tilewalk::test;

namespace {

using Files = std::set<std::string>;

// Files of src, outside of the schedules themselves, with a line that matches.
Files files_with(const std::string& pattern) {
  const std::regex regex(pattern);
  Files out;
  for (const std::filesystem::path& file : files_under("src")) {
    const std::string name = file.generic_string(), ending = file.extension();
    if ((ending != ".h" && ending != ".cpp" && ending != ".inc") || name.starts_with("src/core/schedules/")) continue;
    for (const std::string& line : lines_of(file))
      if (std::regex_search(line, regex)) out.insert(name);
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
  check_same(files_with(R"(\bPhase::)"),
             {"src/core/predict/compare.cpp", "src/core/walk/step.cpp", "src/view/sentence/sentence.cpp",
              "src/view/sentence/sentence_backward.cpp", "src/view/sentence/sentence_variants.cpp"});
}

TEST_CASE("the kind of softmax and the direction of a schedule are asked for in few files", "[unit]") {
  check_same(
      files_with(R"(SoftmaxKind::|family\.backward|\bis_backward\()"),
      {"src/app/bench/bench_scale.cpp", "src/app/cli/text/compare_text.cpp", "src/app/cli/verbs/cli_replay.cpp",
       "src/app/cli/verbs/cli_run.cpp", "src/core/replay/replay.cpp", "src/pages/compare/compare_page.cpp",
       "src/trace/accuracy.cpp", "src/view/problem/recorded_times.cpp", "src/view/sentence/sentence_backward.cpp",
       "src/view/sentence/sentence_variants.cpp", "src/view/views.cpp", "src/view/walk/softmax_model.cpp"});
}
