// Every source is formatted by clang-format, in the version that .clang-format names. Another version breaks lines in
// other places, so the test is skipped where that version is not installed.
#include <cstdio>

#include "tests/support/catch.h"
#include "tests/tidy/repository.h"

using namespace tilewalk::test;

namespace {

std::string output_of(const std::string& command) {
  std::string out;
  std::FILE* const pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (!pipe) return out;
  char bytes[4096];
  for (std::size_t read; (read = std::fread(bytes, 1, sizeof bytes, pipe)) > 0;) out.append(bytes, read);
  ::pclose(pipe);
  return out;
}

// "14" of "# clang-format 14".
std::string pinned_version() { return all_matches(lines_of(".clang-format").at(0), "^# clang-format ([0-9]+)$").at(0); }

// The clang-format program of that version, or nothing.
std::string program_of(const std::string& version) {
  for (const std::string& name : {"clang-format-" + version, std::string("clang-format")})
    if (output_of(name + " --version").find("version " + version + ".") != std::string::npos) return name;
  return {};
}

}  // namespace

TEST_CASE("every source is formatted", "[unit]") {
  const std::string version = pinned_version(), program = program_of(version);
  if (program.empty()) return skip("clang-format " + version + " is not installed");
  std::string files;
  int count = 0;
  for (const char* folder : {"src", "kernels", "tests"})
    for (const std::filesystem::path& file : files_under(folder)) {
      const std::string ending = file.extension();
      if (ending != ".h" && ending != ".cpp") continue;
      files += " '" + (root() / file).string() + "'";
      ++count;
    }
  CHECK(count > 1000);
  const std::string said = output_of(program + " --style=file --dry-run -Werror" + files);
  INFO(said.substr(0, 4000));
  CHECK(said.empty());
}
