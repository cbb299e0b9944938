// kill -9 at random moments of saving, running and racing. At any moment a file is the old one or the new one, whole;
// and after the next start no other file is beside it. A few kills of each here; TILEWALK_CRASH_KILLS sets how many
// (tests/crash/long.sh uses 200 of each), TILEWALK_CRASH_SEED which moments.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <functional>
#include <random>
#include <set>
#include <thread>

#include "base/random.h"
#include "files/tensor_files.h"
#include "measured/recorded_race.h"
#include "session/document/session_file.h"
#include "tests/support/asked_for.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace tilewalk;
using test::read_text;
using Clock = std::chrono::steady_clock;

namespace {

namespace fs = std::filesystem;

int kills() { return int(test::asked_for("TILEWALK_CRASH_KILLS", 12)); }

std::uint64_t seed() {
  static const std::uint64_t chosen = test::asked_for("TILEWALK_CRASH_SEED", std::random_device{}());
  return chosen;
}

pid_t start(const std::function<void()>& work) {
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child != 0) return child;
  work();
  ::_exit(0);
}

// Runs the program without output.
std::function<void()> program(std::vector<std::string> words) {
  return [words = std::move(words)] {
    const int nowhere = ::open("/dev/null", O_RDWR);
    for (const int stream : {0, 1, 2}) ::dup2(nowhere, stream);
    std::vector<char*> argv = {const_cast<char*>(TILEWALK_BINARY)};
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    ::execv(TILEWALK_BINARY, argv.data());
    ::_exit(127);
  };
}

bool finishes(const std::function<void()>& work) {
  int status = -1;
  ::waitpid(start(work), &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Starts the work and kills it at a random moment, repeatedly; calls `look` after each kill. Returns how many kills
// came before the work ended by itself.
int kill_again_and_again(const char* what, const std::function<void()>& work, double seconds,
                         const std::function<void()>& look) {
  int struck = 0;
  for (int n = 0; n < kills(); ++n) {
    const double share = double(random_bits(seed(), 5, std::uint64_t(n)) >> 11) * 0x1p-53;
    const pid_t child = start(work);
    std::this_thread::sleep_for(std::chrono::duration<double>(share * seconds));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    struck += WIFSIGNALED(status) != 0;
    INFO(what << ", seed " << seed() << ", kill " << n);
    look();
  }
  std::printf("%s: %d kills, %d of them before its end, seed %llu\n", what, kills(), struck,
              (unsigned long long)seed());
  return struck;
}

std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

double seconds_of(const std::function<void()>& work) {
  const auto start = Clock::now();
  REQUIRE(finishes(work));
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

TEST_CASE("a session that is saved repeatedly is whole after a kill at any time") {
  test::TemporaryFolder folder;
  const std::string path = folder.file("s.toml");
  std::array<Document, 2> documents;
  documents[1].problem.shape.n_q = documents[1].problem.shape.n_kv = 32;
  for (int i = 0; i < 2000; ++i) documents[1].edits.push_back({TensorId::Q, 0, 0, i % 32, i % 4, float(i)});
  const std::string texts[] = {document_text(documents[0]), document_text(documents[1])};
  REQUIRE(save_document(documents[0], path).ok());
  const auto save = [&] {
    for (int n = 1;; ++n)
      if (!save_document(documents[std::size_t(n % 2)], path)) ::_exit(1);
  };
  CHECK(kill_again_and_again("saving", save, 0.05, [&] {
          const std::string text = read_text(path);
          REQUIRE((text == texts[0] || text == texts[1]));
          REQUIRE(names_in(folder.path()).size() <= 2);  // the next start removes the files of the last kill
        }) == kills());
  REQUIRE(save_document(documents[0], path).ok());
  CHECK(names_in(folder.path()) == std::set<std::string>{"s.toml"});
}

TEST_CASE("a killed run leaves the old O and L or the new ones") {
  test::TemporaryFolder folder;
  const auto words = [&](const char* test_seed) {
    return program({"run", "--n", "256", "--d", "64", "--no-reference", "--seed", test_seed, "--out",
                    folder.file("o.npy"), "--lse", folder.file("l.npy")});
  };
  std::vector<std::string> old, now;
  const auto both = [&] { return std::vector{read_text(folder.file("o.npy")), read_text(folder.file("l.npy"))}; };
  REQUIRE(finishes(words("2")));
  now = both();
  const double seconds = seconds_of(words("1"));
  old = both();
  REQUIRE(old != now);
  kill_again_and_again("running", words("2"), 1.2 * seconds, [&] {
    const std::vector<std::string> found = both();
    for (std::size_t i = 0; i < found.size(); ++i) REQUIRE((found[i] == old[i] || found[i] == now[i]));
    if (found != old) REQUIRE(finishes(words("1")));
  });
  REQUIRE(finishes(words("2")));
  CHECK(both() == now);
  CHECK(names_in(folder.path()) == std::set<std::string>{"o.npy", "l.npy"});
}

TEST_CASE("a killed race leaves the old table or a new one, whole") {
  test::TemporaryFolder folder;
  const std::string csv = folder.file("race.csv");
  const auto race =
      program({"race", "--cpu", "--n", "16", "--d", "8", "--causal", "off", "--threads", "1", "--csv", csv});
  const double seconds = seconds_of(race);
  const std::size_t rows = load_recorded_race(csv)->rows.size();
  kill_again_and_again("racing", race, 1.1 * seconds, [&] {
    const Result<Race> kept = load_recorded_race(csv);
    REQUIRE(kept.ok());
    REQUIRE(kept->rows.size() == rows);
  });
  REQUIRE(finishes(race));
  CHECK(names_in(folder.path()) == std::set<std::string>{"race.csv"});
}
