// Small text files: bytes before their text, and why one cannot be saved.
#include "files/file_io.h"
#include "files/nvidia_driver.h"
#include "files/user_file.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace tilewalk;

TEST_CASE("a byte order mark before a text is skipped, once and only there") {
  const test::TemporaryFolder folder;
  const std::string mark = "\xef\xbb\xbf";
  for (const auto& [bytes, text] :
       std::vector<std::pair<std::string, std::string>>{{mark + "# A lesson\n", "# A lesson\n"},
                                                        {mark, ""},
                                                        {mark + mark + "x", mark + "x"},
                                                        {"x" + mark, "x" + mark}}) {
    test::write_text(folder.file("a.md"), bytes);
    const Result<std::string> read = read_text_file(folder.file("a.md"), 1000);
    REQUIRE(read.ok());
    CHECK(*read == text);
  }
}

TEST_CASE("where a user file's folder cannot be created, the message has the system's reason") {
  const test::TemporaryFolder folder;
  test::write_text(folder.file("file"), "x");
  for (const auto& [state, reason] : std::vector<std::pair<std::string, std::string>>{
           {folder.file("file"), "Not a directory"}, {"/proc", "No such file or directory"}}) {
    const Result<OutputFile> out = open_user_file(state + "/tilewalk/progress.toml");
    REQUIRE_FALSE(out.ok());
    INFO(text_of(out.issues()));
    CHECK(text_of(out.issues()).find(reason) != std::string::npos);
    CHECK(text_of(out.issues()).find("XDG_STATE_HOME") != std::string::npos);
  }
}

TEST_CASE("the version of the NVIDIA driver is the number in its line, or empty") {
  const test::TemporaryFolder folder;
  test::write_text(folder.file("version"),
                   "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  Release Build  (builder)\n"
                   "GCC version:  gcc version 12.2.0\n");
  CHECK(nvidia_driver_version(folder.file("version")) == "580.159.04");
  test::write_text(folder.file("version"), "NVRM version: none\n");
  CHECK(nvidia_driver_version(folder.file("version")).empty());
  CHECK(nvidia_driver_version(folder.file("missing")).empty());
}
