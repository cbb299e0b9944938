// Compares the repository with its own statements: lengths of lines, the README's tables and links.
#include <map>

#include "core/problem/problem.h"
#include "tests/support/catch.h"
#include "tests/tidy/repository.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

namespace fs = std::filesystem;

constexpr int kColumns = 120, kReadmeLines = 180, kSourcesOfAFolder = 16;

int columns(const std::string& line) {  // code points
  return int(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

bool is_data(const fs::path& file) {
  const std::string path = file.generic_string();
  return file.extension() == ".csv" || path.starts_with("tests/golden/baselines/") ||
         path.starts_with("tests/fuzz/seeds/");
}

std::vector<fs::path> readmes() {
  std::vector<fs::path> out{"README.md"};
  for (const char* folder : {"src", "kernels", "tests", "shaders", "assets"})
    for (const fs::path& file : files_under(folder))
      if (file.filename() == "README.md") out.push_back(file);
  return out;
}

// True if a path in backticks exists; headers and sources may be named without their ending.
bool leads_to_a_file(const fs::path& readme, const std::string& path) {
  for (const fs::path& from : {root(), root() / "src", root() / readme.parent_path()})
    for (const char* ending : {"", ".h", ".cpp"})
      if (fs::exists(from / (path + ending))) return true;
  return false;
}

// True if the text begins like a path: src/…, kernels/…, or a folder beside the README.
bool looks_like_a_path(const fs::path& readme, const std::string& text) {
  static const std::regex shape(R"([\w.-]+(/[\w.-]+)+/?)");
  if (!std::regex_match(text, shape)) return false;
  const fs::path first = *fs::path(text).begin();
  for (const fs::path& from : {root(), root() / "src", root() / readme.parent_path()})
    if (fs::is_directory(from / first)) return true;
  return false;
}

}  // namespace

TEST_CASE("no line of the sources is longer than 120 columns or has a tab", "[unit]") {
  std::vector<std::string> offenders;
  for (const char* folder : {"src", "kernels", "tests", "shaders"}) {
    for (const fs::path& file : files_under(folder)) {
      if (is_data(file)) continue;
      int number = 0;
      for (const std::string& line : lines_of(file)) {
        ++number;
        if (file.extension() == ".md" && line.starts_with('|')) continue;  // a table's row cannot be broken
        const bool tab = line.find('\t') != std::string::npos;
        if (columns(line) <= kColumns && !tab) continue;
        offenders.push_back(file.string() + ":" + std::to_string(number) + ": " +
                            (tab ? "a tab" : std::to_string(columns(line)) + " columns"));
      }
    }
  }
  INFO(offenders.size() << " lines:" << one_a_line(offenders));
  CHECK(offenders.empty());
}

TEST_CASE("the README is short enough to be read", "[unit]") { CHECK(lines_of("README.md").size() <= kReadmeLines); }

TEST_CASE("the README's table of kernels has the registry's files, in order", "[unit]") {
  std::string registry;
  for (const std::string& line : lines_of("kernels/registry.cpp")) registry += line + "\n";
  const std::vector<std::string> files = all_matches(registry, R"re(rung\(\d+, "([^"]+)")re");
  REQUIRE_FALSE(files.empty());
  std::vector<std::string> told;
  for (const auto& row : table_under("| rung | file | idea | HBM bytes | time |", "README.md"))
    for (const std::string& file : in_backticks(row[1])) told.push_back(file);
  CHECK(told == files);
}

TEST_CASE("the README's table of faults has those of the replay, in order", "[unit]") {
  std::vector<std::string> faults, told;
  for (const Fault fault : all_faults()) faults.push_back(name_of(fault));
  for (const auto& row : table_under("| fault | caught at | what differs |", "README.md"))
    for (const std::string& fault : in_backticks(row[0])) told.push_back(fault);
  CHECK(told == faults);
}

TEST_CASE("every link and every path in a README leads to a file", "[unit]") {
  std::vector<std::string> broken;
  int links = 0, paths = 0;
  for (const fs::path& readme : readmes()) {
    for (const std::string& line : lines_of(readme)) {
      for (const std::string& link : all_matches(line, R"(\]\(([^)#\s]+)[^)]*\))")) {
        if (link.find("://") != std::string::npos) continue;
        ++links;
        if (!fs::exists(root() / readme.parent_path() / link)) broken.push_back(readme.string() + ": " + link);
      }
      for (const std::string& path : in_backticks(line)) {
        if (!looks_like_a_path(readme, path)) continue;
        ++paths;
        if (!leads_to_a_file(readme, path)) broken.push_back(readme.string() + ": " + path);
      }
    }
  }
  CHECK(links > 5);
  CHECK(paths > 20);
  INFO(one_a_line(broken));
  CHECK(broken.empty());
}

TEST_CASE("no folder of src has more than 16 sources", "[unit]") {
  std::map<fs::path, int> sources;
  for (const fs::path& file : files_under("src")) sources[file.parent_path()] += file.extension() == ".cpp";
  REQUIRE(sources.size() > 10);
  for (const auto& [folder, count] : sources) {
    CAPTURE(folder.string());
    CHECK(count <= kSourcesOfAFolder);
  }
}
