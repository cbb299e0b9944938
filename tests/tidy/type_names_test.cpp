// One type, one name: two types with one name in one namespace break the one-definition rule as soon as one program has
// both, and no compiler reports it.
#include <map>
#include <set>

#include "tests/support/catch.h"
#include "tests/tidy/repository.h"

using namespace tilewalk::test;

namespace {

namespace fs = std::filesystem;

// The types that a file defines outside of every other type, with their namespace; without those of an unnamed one.
std::vector<std::string> types_of(const std::vector<std::string>& lines) {
  static const std::regex opens(R"(^namespace ([\w:]+) \{$)");
  static const std::regex defines(R"(^(?:template <.*> ?)?(?:struct|class|union|enum|enum class) (?:alignas\(\w+\) )?)"
                                  R"((\w+)(?: final)?(?: :.*)?(?: \{.*)$)");
  std::vector<std::string> out;
  std::string space;
  bool unnamed = false;
  for (const std::string& line : lines) {
    std::smatch found;
    if (std::regex_match(line, found, opens)) space = found[1];
    if (line == "namespace {") unnamed = true;
    if (line == "}  // namespace") unnamed = false;
    if (!unnamed && std::regex_match(line, found, defines)) out.push_back(space + "::" + found[1].str());
  }
  return out;
}

}  // namespace

TEST_CASE("no type name is used twice in one namespace", "[unit]") {
  std::map<std::string, std::set<std::string>> places;
  for (const char* folder : {"src", "kernels"})
    for (const fs::path& file : files_under(folder)) {
      const std::string ending = file.extension();
      if (ending != ".h" && ending != ".cpp" && ending != ".cu" && ending != ".cuh") continue;
      for (const std::string& type : types_of(lines_of(file))) places[type].insert(file.string());
    }
  CHECK(places.size() > 700);
  // Programs of their own, or replacements of which a build has one.
  const auto apart = [](const std::string& file) { return file.starts_with("src/app/web/") || file.ends_with(".cu"); };
  std::vector<std::string> offenders;
  for (const auto& [type, files] : places)
    if (files.size() > 1 && std::count_if(files.begin(), files.end(), apart) == 0)
      offenders.push_back(type + ": " + *files.begin() + ", " + *files.rbegin());
  INFO(one_a_line(offenders));
  CHECK(offenders.empty());
}

TEST_CASE("types are found by their namespace", "[unit]") {
  const std::vector<std::string> lines = {"namespace tilewalk {",
                                          "namespace {",
                                          "struct Hidden {",
                                          "}  // namespace",
                                          "struct Shown {",
                                          "class Other final : public Shown {",
                                          "struct Declared;",
                                          "template <class T>",
                                          "struct Part {",
                                          "  struct Inner {",
                                          "enum class Kind { A, B };"};
  CHECK(types_of(lines) ==
        std::vector<std::string>{"tilewalk::Shown", "tilewalk::Other", "tilewalk::Part", "tilewalk::Kind"});
}
