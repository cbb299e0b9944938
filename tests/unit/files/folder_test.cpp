#include "files/folder.h"

#include <filesystem>

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace tilewalk;

TEST_CASE("a folder lists its folders, then files with the requested endings, by name") {
  const test::TemporaryFolder folder;
  for (const char* name : {"b.toml", "a.toml", "c.txt", ".hidden.toml", "t.safetensors"})
    test::write_text(folder.file(name), "x");
  std::filesystem::create_directory(folder.file("sub"));
  std::filesystem::create_directory(folder.file(".git"));
  constexpr const char* kEndings[] = {".toml", ".safetensors"};
  const auto listing = list_folder(folder.path() + "/sub/../.", kEndings);
  REQUIRE(listing.ok());
  CHECK(listing->path == folder.path());
  CHECK(listing->entries ==
        std::vector<FolderEntry>{{"sub", true}, {"a.toml", false}, {"b.toml", false}, {"t.safetensors", false}});
  CHECK_FALSE(listing->more);
}

TEST_CASE("a folder with very many files is truncated, and a path that is not a folder is refused") {
  const test::TemporaryFolder folder;
  for (int i = 0; i < int(kMostListed) + 1; ++i) test::write_text(folder.file(std::to_string(i) + ".toml"), "");
  constexpr const char* kEndings[] = {".toml"};
  const auto listing = list_folder(folder.path(), kEndings);
  REQUIRE(listing.ok());
  CHECK(listing->entries.size() == kMostListed);
  CHECK(listing->more);
  CHECK_FALSE(list_folder(folder.file("0.toml"), kEndings).ok());
  CHECK_FALSE(list_folder(folder.file("nowhere"), kEndings).ok());
}
