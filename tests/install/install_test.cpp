// Installed to a folder of its own, the program finds every folder of assets there, not in its source tree; the files
// for desktops, shells and `man` are beside it.
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

const fs::path kSource = TILEWALK_SOURCE_DIR;

// Installed once for all test cases.
const TemporaryFolder& prefix() {
  static const TemporaryFolder folder;
  static const Said installed =
      program_says(CMAKE_PROGRAM, "--install '" + fs::path(TILEWALK_BINARY).parent_path().string() + "' --prefix '" +
                                      folder.path() + "'");
  INFO(installed.err);
  REQUIRE(installed.exit == 0);
  return folder;
}

bool has(const std::string& program) { return program_says("sh", "-c 'command -v " + program + "'").exit == 0; }

// Checks an installed file with a shell or a checker; a missing checker counts as no objection.
void check_by(const std::string& program, const std::string& words, const std::string& file) {
  if (!has(program)) return;
  const Said said = program_says(program, words + " '" + prefix().file(file) + "'");
  INFO(program << " " << words << " " << file << ": " << said.out << said.err);
  CHECK(said.exit == 0);
  CHECK(said.err.empty());
}

}  // namespace

TEST_CASE("an installed program finds every folder of assets beside it") {
  const fs::path share = prefix().file("share/tilewalk");
  for (const std::string& folder : names_in(kSource / "assets")) {
    CAPTURE(folder);
    if (folder == "pictures" || folder == "package") continue;  // pictures: for the README; package: for desktops
    CHECK(names_in(share / "assets" / folder) == names_in(kSource / "assets" / folder));
  }
  CHECK(names_in(share / "shaders") == names_in(kSource / "shaders"));
  CHECK(names_in(share / "kernels") == names_in(kSource / "kernels", ".cu"));

  // Called by a link, from an unrelated folder.
  const TemporaryFolder elsewhere;
  fs::create_symlink(prefix().file("bin/tilewalk"), elsewhere.file("walk"));
  const auto says = [&](const std::string& words) {
    return program_says(elsewhere.file("walk"), words, "cd / && env -u TILEWALK_ROOT");
  };
  // All assets come from one root, and it is this one: a preset that exists only here is known.
  fs::copy_file(share / "assets/presets/paper.toml", share / "assets/presets/only-here.toml");
  std::vector<std::string> all{"replay --preset only-here",
                               "lesson --list",
                               "verify --recorded",
                               "verify --fast",
                               "which",
                               "race --recorded --n 16384 --d 128",
                               "race --timeline --d 128 --n 8192 --causal off",
                               "counters --n 4096 --d 64 --mask causal --hardware"};
#ifdef TILEWALK_HAS_WINDOW
  all.push_back("render --size 640x400 --out '" + elsewhere.file("window.png") + "'");
#endif
  for (const std::string& words : all) {
    const Said said = says(words);
    INFO(words << ": " << said.err);
    CHECK(said.exit == 0);
  }
  fs::rename(share / "assets/recordings", share / "elsewhere");
  CHECK(says("verify --recorded").exit != 0);
  fs::rename(share / "elsewhere", share / "assets/recordings");
}

TEST_CASE("an installed program contains no path of its source tree") {
  CHECK(read_text(prefix().file("bin/tilewalk")).find(kSource.string() + "/assets") == std::string::npos);
}

TEST_CASE("shells read the installed completions, and offer the words that may follow") {
  const std::string bash = "share/bash-completion/completions/tilewalk";
  check_by("bash", "-n", bash);
  check_by("zsh", "-n", "share/zsh/site-functions/_tilewalk");
  check_by("fish", "-n", "share/fish/vendor_completions.d/tilewalk.fish");

  const auto offered = [&](const std::string& words) {
    return program_says("bash", "-c '. \"" + prefix().file(bash) + "\"; COMP_WORDS=(tilewalk " + words +
                                    "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _tilewalk; echo ${COMPREPLY[@]}'")
        .out;
  };
  CHECK(offered("rep") == "replay\n");
  CHECK(offered("render --the") == "--then --theme\n");
  CHECK(offered("render --theme \"\"") == "dark light\n");
  CHECK(offered("replay --preset pap") == "paper\n");
  CHECK(offered("--schedule flash_v3") == "flash_v3\n");
  CHECK(offered("bench se") == "seek\n");
  CHECK(offered("lesson 7") == "7\n");
  CHECK(offered("run --out /etc/os-rel") == "/etc/os-release\n");
  CHECK(offered("replay --step \"\"") == "\n");
}

TEST_CASE("man and desktops read the installed files") {
  check_by("desktop-file-validate", "", "share/applications/tilewalk.desktop");
  check_by("man", "--warnings -E UTF-8 -Tutf8 -Z -l", "share/man/man1/tilewalk.1");
  // Its id uses a domain reserved as non-existent.
  const Said data =
      program_says("appstreamcli", "validate --no-net '" + prefix().file("share/metainfo") + "/tilewalk.metainfo.xml'");
  INFO(data.out);
  CHECK(data.out.find("E: ") == std::string::npos);
  CHECK(data.out.find("W: ") == std::string::npos);
  CHECK(fs::exists(prefix().file("share/icons/hicolor/scalable/apps/tilewalk.svg")));
}
