// The one writer of files: whole or not at all, without touching foreign files.
#include "files/output_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <set>

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace tilewalk;
using test::read_text;
using test::write_text;

namespace {

namespace fs = std::filesystem;
using FileStatus = struct stat;

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

OutputRequest request(const std::string& path) { return {.field = "out", .path = path, .endings = {".npy", ".png"}}; }

std::string refusal(const OutputRequest& wanted) {
  const Result<OutputFile> file = OutputFile::open(wanted);
  REQUIRE_FALSE(file.ok());
  REQUIRE(file.issues().size() == 1);
  CHECK(file.issues()[0].field == "out");
  CHECK_FALSE(file.issues()[0].suggestion.empty());
  return text_of(file.issues());
}

bool issue_says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

mode_t mode_of(const std::string& path) {
  FileStatus is{};
  REQUIRE(::stat(path.c_str(), &is) == 0);
  return is.st_mode & 07777;
}

// A file as a killed writer leaves it.
std::string left_behind(const test::TemporaryFolder& folder) {
  const pid_t child = ::fork();
  if (child == 0) {
    Result<OutputFile> file = OutputFile::open(request(folder.file("killed.npy")));
    if (file) [[maybe_unused]]
      const auto written = file->write(bytes_of("half"));
    ::raise(SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  for (const std::string& name : names_in(folder.path()))
    if (name.ends_with(".part")) return name;
  return {};
}

}  // namespace

TEST_CASE("a file replaces its target whole, and until then the old content stays") {
  test::TemporaryFolder folder;
  const std::string path = folder.file("a.npy");
  write_text(path, "old");
  {
    Result<OutputFile> file = OutputFile::open(request(path));
    REQUIRE(file.ok());
    REQUIRE(file->write(bytes_of("ne")).ok());
    CHECK(read_text(path) == "old");
    REQUIRE(keep(*file, bytes_of("w")).ok());
    CHECK(read_text(path) == "new");
  }
  { REQUIRE(OutputFile::open(request(path)).ok()); }  // and then abandons it
  CHECK(read_text(path) == "new");
  CHECK(names_in(folder.path()) == std::set<std::string>{"a.npy"});
}

TEST_CASE("a target that is not a file, or has another ending, is refused with what to do and stays unchanged") {
  test::TemporaryFolder folder;
  fs::create_directory(folder.file("folder.npy"));
  REQUIRE(::mkfifo(folder.file("pipe.npy").c_str(), 0600) == 0);
  fs::create_symlink("/dev/null", folder.file("device.png"));
  fs::create_symlink(folder.file("b.npy"), folder.file("a.npy"));
  fs::create_symlink(folder.file("a.npy"), folder.file("b.npy"));
  const auto before = names_in(folder.path());
  CHECK(issue_says(refusal(request(folder.file("folder.npy"))), "is a folder"));
  CHECK(issue_says(refusal(request(folder.file("pipe.npy"))), "not a regular file"));
  CHECK(issue_says(refusal(request(folder.file("device.png"))), "not a regular file"));
  CHECK(issue_says(refusal(request(folder.file("a.npy"))), "leads back"));
  CHECK(issue_says(refusal(request(folder.file("c.jpg"))), "must end in .npy or .png"));
  CHECK(issue_says(refusal(request(folder.file("c"))), "must end in"));
  CHECK(issue_says(refusal(request("")), "names no file"));
  CHECK(issue_says(refusal(request(folder.file("none/c.npy"))), "folder does not exist"));
  CHECK(issue_says(refusal(request(folder.file("pipe.npy/c.npy"))), "one of its folders is a file"));
  CHECK(issue_says(refusal(request(folder.file(std::string(300, 'c') + ".npy"))), "too long"));
  CHECK(issue_says(refusal(request("/proc/c.npy")), "cannot be written"));
  CHECK(names_in(folder.path()) == before);
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a name of the greatest allowed length can be written") {
  test::TemporaryFolder folder;
  const std::string path = folder.file(std::string(251, 'c') + ".npy");
  CHECK(write_file(request(path), bytes_of("x")).ok());
  CHECK(read_text(path) == "x");
}

TEST_CASE("a link is followed, and its target keeps its mode") {
  test::TemporaryFolder folder;
  fs::create_directory(folder.file("far"));
  write_text(folder.file("far/a.npy"), "old");
  REQUIRE(::chmod(folder.file("far/a.npy").c_str(), 0600) == 0);
  fs::create_symlink("far/a.npy", folder.file("near.npy"));
  fs::create_symlink("far/b.npy", folder.file("dangling.npy"));
  REQUIRE(write_file(request(folder.file("near.npy")), bytes_of("new")).ok());
  REQUIRE(write_file(request(folder.file("dangling.npy")), bytes_of("made")).ok());
  CHECK(fs::is_symlink(folder.file("near.npy")));
  CHECK(read_text(folder.file("far/a.npy")) == "new");
  CHECK(mode_of(folder.file("far/a.npy")) == 0600);
  CHECK(read_text(folder.file("far/b.npy")) == "made");
  CHECK(names_in(folder.file("far")) == std::set<std::string>{"a.npy", "b.npy"});
  const mode_t mask = ::umask(027);
  CHECK(write_file(request(folder.file("fresh.npy")), bytes_of("x")).ok());
  ::umask(mask);
  CHECK(mode_of(folder.file("fresh.npy")) == 0640);
}

TEST_CASE("the next output removes a killed writer's file, and nothing else") {
  test::TemporaryFolder folder;
  const std::string left = left_behind(folder);
  REQUIRE_FALSE(left.empty());
  const std::set<std::string> strangers = {"a.npy.part", "x.part-1234", ".tilewalk-notes.part", "." + left,
                                           ".tilewalk-0123456789abcdeg.part"};
  for (const std::string& name : strangers) write_text(folder.file(name), "mine");
  fs::create_directory(folder.file(".tilewalk-0123456789abcdef.part"));
  Result<OutputFile> alive = OutputFile::open(request(folder.file("alive.npy")));
  REQUIRE(alive.ok());
  REQUIRE(write_file(request(folder.file("a.npy")), bytes_of("x")).ok());
  std::set<std::string> expected = strangers;
  expected.insert({"a.npy", ".tilewalk-0123456789abcdef.part"});
  REQUIRE(keep(*alive, bytes_of("y")).ok());  // the other writer did not remove it
  expected.insert("alive.npy");
  CHECK(names_in(folder.path()) == expected);
}

TEST_CASE("either all outputs are opened or none, and no two are one file") {
  test::TemporaryFolder folder;
  fs::create_symlink("a.npy", folder.file("same.npy"));
  fs::create_directory(folder.file("sub"));
  const auto open = [&](const std::string& a, const std::string& b) {
    OutputRequest second = request(folder.file(b));
    second.field = "lse";
    return open_outputs({request(folder.file(a)), second});
  };
  CHECK(
      issue_says(text_of(open("a.npy", "a.npy").issues()), "lse = " + folder.file("a.npy") + ": is the file that out"));
  CHECK_FALSE(open("a.npy", "same.npy").ok());
  CHECK_FALSE(open("a.npy", "sub/../a.npy").ok());
  CHECK_FALSE(open("a.npy", "none/b.npy").ok());
  CHECK(open("a.npy", "none/b.txt").issues().size() == 1);
  CHECK(open("a.txt", "none/b.npy").issues().size() == 2);
  CHECK(names_in(folder.path()) == std::set<std::string>{"same.npy", "sub"});
  CHECK(open("a.npy", "sub/a.npy").ok());
}

TEST_CASE("if one of several cannot replace its target, it is named, each file is whole, and nothing else remains") {
  test::TemporaryFolder folder;
  write_text(folder.file("last.npy"), "old");
  auto outputs = open_outputs(
      {request(folder.file("new.npy")), request(folder.file("barred.npy")), request(folder.file("last.npy"))});
  REQUIRE(outputs.ok());
  for (OutputFile& output : *outputs) REQUIRE(output.write(bytes_of("new")).ok());
  fs::create_directory(folder.file("barred.npy"));
  write_text(folder.file("barred.npy/x"), "x");
  const auto done = rename_into_place(*outputs);
  REQUIRE_FALSE(done.ok());
  CHECK(text_of(done.issues()).find("barred.npy") != std::string::npos);
  outputs->clear();
  CHECK(read_text(folder.file("new.npy")) == "new");
  CHECK(read_text(folder.file("last.npy")) == "old");
  CHECK(names_in(folder.path()) == std::set<std::string>{"barred.npy", "last.npy", "new.npy"});
}

TEST_CASE("if two programs write the same files at once, all files come from one of them") {
  test::TemporaryFolder folder;
  const std::string names[] = {folder.file("x.npy"), folder.file("y.npy"), folder.file("z.npy")};
  for (int round = 0; round < 40; ++round) {
    for (const std::string words : {"one", "two"})
      if (::fork() == 0) {
        auto outputs = open_outputs({request(names[0]), request(names[1]), request(names[2])});
        for (OutputFile& output : *outputs)
          if (!output.write(bytes_of(words)).ok()) ::_exit(1);
        ::_exit(rename_into_place(*outputs).ok() ? 0 : 1);
      }
    for (int i = 0, status = 0; i < 2; ++i) {
      REQUIRE(::wait(&status) > 0);
      REQUIRE(status == 0);
    }
    REQUIRE(read_text(names[0]) == read_text(names[1]));
    REQUIRE(read_text(names[0]) == read_text(names[2]));
  }
  CHECK(names_in(folder.path()).size() == 3);
}

TEST_CASE("an unfinished output is renamed to a free name") {
  test::TemporaryFolder folder;
  const std::string path = folder.file("race.npy");
  write_text(path, "finished");
  for (const char* expected : {"race.partial.npy", "race.partial-2.npy"}) {
    Result<OutputFile> file = OutputFile::open(request(path));
    REQUIRE(file.ok());
    REQUIRE(file->write(bytes_of("some")).ok());
    const Result<std::string> aside = file->rename_aside("partial");
    REQUIRE(aside.ok());
    CHECK(*aside == folder.file(expected));
    CHECK(read_text(*aside) == "some");
  }
  CHECK(read_text(path) == "finished");
  CHECK(names_in(folder.path()).size() == 3);
}

TEST_CASE("two writers of one file never mix their bytes") {
  test::TemporaryFolder folder;
  const std::string path = folder.file("a.npy");
  Result<OutputFile> one = OutputFile::open(request(path)), other = OutputFile::open(request(path));
  REQUIRE(one.ok());
  REQUIRE(other.ok());
  REQUIRE(one->write(bytes_of("11")).ok());
  REQUIRE(other->write(bytes_of("2")).ok());
  REQUIRE(keep(*one, bytes_of("11")).ok());
  CHECK(read_text(path) == "1111");
  REQUIRE(keep(*other, bytes_of("2")).ok());
  CHECK(read_text(path) == "22");
}

TEST_CASE("a stream accepts output that may be streamed, where somebody reads it") {
  test::TemporaryFolder folder;
  const std::string pipe = folder.file("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  OutputRequest wanted = {.field = "csv", .path = pipe, .endings = {".csv"}, .may_stream = true};
  CHECK(issue_says(text_of(OutputFile::open(wanted).issues()), "has no reader"));
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  Result<OutputFile> file = OutputFile::open(wanted);
  REQUIRE(file.ok());
  REQUIRE(keep(*file, bytes_of("flow")).ok());
  char got[8] = {};
  CHECK(::read(reader, got, sizeof got) == 4);
  CHECK(std::string(got) == "flow");
  ::close(reader);
  wanted.path = "/dev/full";
  CHECK(issue_says(text_of(write_file(wanted, bytes_of("x")).issues()), "No space left"));
}
