// Names with one home: GPUs in the device table, contenders in theirs. Other sources ask the row.
#include <set>

#include "core/problem/contender.h"
#include "core/problem/device_model.h"
#include "tests/support/catch.h"
#include "tests/tidy/repository.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

namespace fs = std::filesystem;

bool is_source(const fs::path& file) {
  return file.extension() == ".cpp" || file.extension() == ".h" || file.extension() == ".cu";
}

std::vector<std::string> literals_of(const std::string& line) {
  std::vector<std::string> out;
  for (std::size_t from = line.find('"'); from != std::string::npos;) {
    const std::size_t to = line.find('"', from + 1);
    if (to == std::string::npos) break;
    out.push_back(line.substr(from + 1, to - from - 1));
    from = line.find('"', to + 1);
  }
  return out;
}

// "FILE: NAME" for each string literal of src and kernels that is one of the names, in files that may not have it.
std::vector<std::string> strays(const std::set<std::string>& names, const std::set<std::string>& homes) {
  std::vector<std::string> out;
  for (const char* folder : {"src", "kernels"})
    for (const fs::path& file : files_under(folder)) {
      if (!is_source(file) || homes.contains(file.generic_string())) continue;
      for (const std::string& line : lines_of(file))
        for (const std::string& literal : literals_of(line.substr(0, line.find("//"))))
          if (names.contains(literal)) out.push_back(file.generic_string() + ": " + literal);
    }
  return out;
}

}  // namespace

TEST_CASE("GPUs are named only in the device table, and the default one in its constant", "[unit]") {
  std::set<std::string> names;
  for (const DeviceModel& device : device_models()) {
    names.insert(device.name);
    for (const DeviceAlias& alias : device.aliases) names.insert(alias.name);
  }
  const auto found = strays(names, {"src/core/problem/device_table.cpp", "src/core/problem/problem.h"});
  INFO(one_a_line(found));
  CHECK(found.empty());
  CHECK(strays(names, {}).size() > device_models().size());  // the search works
}

TEST_CASE("contenders are named only in their table; a schedule, a term and a fact have their own words", "[unit]") {
  std::set<std::string> names;
  for (const ContenderRow& row : kContenders) names.insert(row.word);
  const auto found = strays(names, {"src/core/problem/contender.h", "src/core/schedules/flash_v1.cpp",
                                    "src/core/schedules/flash_v2.cpp", "src/core/schedules/flash_v3.cpp",
                                    "src/session/lesson/time_facts.cpp", "src/view/words/glossary_terms.cpp"});
  INFO(one_a_line(found));
  CHECK(found.empty());
  CHECK(strays(names, {}).size() > std::size(kContenders));
}
