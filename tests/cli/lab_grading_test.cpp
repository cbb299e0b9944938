// assets/lab/grading: the script, run on its class of ten submissions.
#include <array>
#include <filesystem>

#include "tests/support/catch.h"
#include "tests/support/run_program.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

const std::string kGrading = std::string(TILEWALK_SOURCE_DIR) + "/assets/lab/grading";

Said grade(const std::string& folder, const std::string& words) {
  return program_says("python3",
                      "'" + kGrading + "/grade.py' '" + folder + "' --task 5 --program '" TILEWALK_BINARY "' " + words);
}

struct Row {
  std::string name, passed, place, diagnosis, errors;
};

bool has_python() { return program_says("python3", "-c ''").exit == 0; }

// Cells of a line of Markdown: "| a | b |".
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> out;
  for (std::size_t at = 2; at < line.size();) {
    const std::size_t end = std::min(line.find(" |", at), line.size());
    out.push_back(line.substr(at, end - at));
    at = end + 3;
  }
  return out;
}

std::vector<std::vector<std::string>> rows_of(const std::string& markdown) {
  std::vector<std::vector<std::string>> out;
  for (std::size_t at = 0; at < markdown.size();) {
    const std::size_t end = std::min(markdown.find('\n', at), markdown.size());
    out.push_back(cells_of(markdown.substr(at, end - at)));
    at = end + 1;
  }
  out.erase(out.begin(), out.begin() + 2);  // the table's head
  return out;
}

}  // namespace

TEST_CASE("the grading script writes the right row for each of ten submissions") {
  if (!has_python()) return skip("no Python");
  const TemporaryFolder folder;
  const std::string csv = folder.file("class.csv");
  const Said said = grade(kGrading + "/class", "--csv '" + csv + "'");
  INFO(said.out << said.err);
  REQUIRE(said.exit == 0);
  CHECK(said.err.empty());
  const std::array<Row, 10> expected = {{
      {"s01", "yes", "", "", ""},
      {"s02", "yes", "", "", ""},
      {"s03", "no", "visit 2: Q tile 0, KV tile 1, row 0, o[0]", "o was not multiplied by α since visit 2.", ""},
      {"s04", "no", "visit 1: Q tile 0, KV tile 0, row 0, l (with ", "The mask was not applied since visit 1.", ""},
      {"s05", "no", "visit 1: Q tile 0, KV tile 0, row 0, l", "The scores were not multiplied by SCALE_LOG2", ""},
      {"s06", "no", "", "see errors", "line 65: double is not part of this language"},
      {"s07", "no", "visit 1: ", "see errors", "data race on sV[0][0]"},
      {"s08", "no", "", "see errors", "instructions the run has not ended"},
      {"s09", "no", "at the end: row 0, o[0] (with ", "The kernel did not write this value.", ""},
      {"s10", "no", "", "see errors", "is out of bounds"},
  }};
  const auto rows = rows_of(said.out);
  REQUIRE(rows.size() == expected.size());
  for (std::size_t at = 0; at < rows.size(); ++at) {
    const Row& row = expected[at];
    CAPTURE(row.name);
    REQUIRE(rows[at].size() == 6);
    CHECK(rows[at][0] == row.name);
    CHECK(rows[at][1] == "5");
    CHECK(rows[at][2] == row.passed);
    for (const auto& [is, says] :
         {std::pair(rows[at][3], row.place), {rows[at][4], row.diagnosis}, {rows[at][5], row.errors}}) {
      CHECK(is.empty() == says.empty());
      CHECK(is.find(says) != std::string::npos);
    }
  }
  const std::string table = read_text(csv);
  CHECK(table.starts_with("name,task,passed,first wrong visit,diagnosis,errors"));
  CHECK(std::count(table.begin(), table.end(), '\n') == 11);
  // The page beside the script shows what it writes.
  CHECK(read_text(kGrading + "/README.md").find(said.out) != std::string::npos);
}

TEST_CASE("the grading script says which submissions it could not grade, and refuses wrong arguments") {
  if (!has_python()) return skip("no Python");
  const TemporaryFolder folder;
  CHECK(grade(folder.path(), "").exit == 2);  // no .cu in it
  CHECK(grade(folder.file("none"), "").exit == 2);
  write_text(folder.file("long.cu"), std::string(300 * 1024, ' '));  // refused before it is read
  const Said said = grade(folder.path(), "");
  CHECK(said.exit == 1);
  INFO(said.out);
  CHECK(rows_of(said.out).at(0).at(5).starts_with("not graded: "));
}

TEST_CASE("the JSON of lab check has no path of this machine") {
  const TemporaryFolder cache;
  for (const auto& each : std::filesystem::directory_iterator(kGrading + "/class"))
    for (const char* flags : {"", " --gpu"}) {
      CAPTURE(each.path().string(), flags);
      const Said said = tilewalk_says(
          "lab check '" + each.path().string() + "' --task 5 --most-instructions 2000000 --json" + std::string(flags),
          "XDG_CACHE_HOME='" + cache.path() + "'");
      CHECK(said.out.size() > 100);
      CHECK(said.out.find(TILEWALK_SOURCE_DIR) == std::string::npos);
      CHECK(said.out.find(cache.path()) == std::string::npos);
      CHECK(said.out.find("/tmp") == std::string::npos);
      CHECK(said.out.find(".cu") == std::string::npos);
    }
}
