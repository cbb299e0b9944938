// Installed to a folder of its own, the program finds every folder of assets there, and not in its source.
#include <filesystem>
#include <set>

#include "tests/support/catch.h"
#include "tests/support/run_program.h"

using namespace tilewalk::test;

namespace {

namespace fs = std::filesystem;

std::set<std::string> names_in(const fs::path& folder, const std::string& ending = "") {
  std::set<std::string> out;
  for (const auto& each : fs::directory_iterator(folder)) {
    const std::string name = each.path().filename();
    if (name.ends_with(ending)) out.insert(name);
  }
  return out;
}

}  // namespace

TEST_CASE("an installed program finds every folder of assets beside it") {
  const TemporaryFolder prefix;
  const fs::path source = TILEWALK_SOURCE_DIR, build = fs::path(TILEWALK_BINARY).parent_path();
  const Said installed =
      program_says(CMAKE_PROGRAM, "--install '" + build.string() + "' --prefix '" + prefix.path() + "'");
  INFO(installed.err);
  REQUIRE(installed.exit == 0);
  const fs::path share = prefix.file("share/tilewalk");
  for (const std::string& folder : names_in(source / "assets")) {
    CAPTURE(folder);
    if (folder == "pictures") continue;  // of the README
    CHECK(names_in(share / "assets" / folder) == names_in(source / "assets" / folder));
  }
  CHECK(names_in(share / "shaders") == names_in(source / "shaders"));
  CHECK(names_in(share / "kernels") == names_in(source / "kernels", ".cu"));

  const auto says = [&](const std::string& words) {
    return program_says(prefix.file("bin/tilewalk"), words, "env -u TILEWALK_ROOT");
  };
  // One root serves all, and it is this one: a preset that only it has is known.
  fs::copy_file(share / "assets/presets/paper.toml", share / "assets/presets/only-here.toml");
  for (const char* words :
       {"replay --preset only-here", "verify --recorded", "verify --fast", "race --recorded --n 16384 --d 128",
        "race --timeline --d 128 --n 8192 --causal off", "counters --n 4096 --d 64 --mask causal --hardware"}) {
    const Said said = says(words);
    INFO(words << ": " << said.err);
    CHECK(said.exit == 0);
  }
  fs::remove_all(share / "assets/recordings");
  CHECK(says("verify --recorded").exit != 0);
}
