// Memory that cannot be allocated gives a sentence and exit 4, never a signal: each verb under a limit of its address
// space, from one too small for most verbs to one that is enough. A few limits each here; TILEWALK_MEMORY_LIMITS sets
// how many (tests/crash/long.sh uses 60 of each), TILEWALK_CRASH_SEED which ones.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <random>

#include "base/random.h"
#include "tests/support/asked_for.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace tilewalk;

namespace {

int limits() { return int(test::asked_for("TILEWALK_MEMORY_LIMITS", 3)); }
std::uint64_t memory_seed() {
  static const std::uint64_t chosen = test::asked_for("TILEWALK_CRASH_SEED", std::random_device{}());
  return chosen;
}

struct Ended {
  int exit = 0, signal = 0;
  std::string err;
};

Ended ends(const std::vector<std::string>& words, const test::TemporaryFolder& folder, std::int64_t address_space) {
  const std::string said = folder.file("err");
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child == 0) {
    const int nowhere = ::open("/dev/null", O_RDWR), to = ::open(said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(nowhere, 0), ::dup2(nowhere, 1), ::dup2(to, 2);
    if (::chdir(folder.path().c_str()) != 0) ::_exit(126);
    const rlimit limit{rlim_t(address_space), rlim_t(address_space)}, no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    ::setrlimit(RLIMIT_AS, &limit);
    std::vector<char*> argv = {const_cast<char*>(TILEWALK_BINARY)};
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    ::execv(TILEWALK_BINARY, argv.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 0, WIFSIGNALED(status) ? WTERMSIG(status) : 0,
          test::read_text(said)};
}

constexpr std::int64_t kMiB = 1 << 20, kEnough = 2048 * kMiB;

// The smallest limit, to a MiB, under which the dynamic linker starts the program: it depends on the machine's
// libraries. Two MiB more leave room for a stack that begins elsewhere in each run.
std::int64_t least_to_start() {
  const test::TemporaryFolder folder;
  std::int64_t too_small = 0, starts = kEnough;
  while (starts - too_small > kMiB) {
    const std::int64_t middle = (too_small + starts) / 2;
    const Ended end = ends({"--version"}, folder, middle);
    (end.signal == 0 && end.exit <= 4 ? starts : too_small) = middle;
  }
  return starts + 2 * kMiB;
}

struct Verb {
  std::vector<std::string> words;
  std::int64_t enough = kEnough;
};

std::vector<Verb> verbs_to_try() {
  return {
      {{"replay", "--n", "20000", "--d", "1", "--br", "20000", "--bc", "20000", "--sram", "1099511627776"},
       8 * kEnough},
      {{"replay", "--n", "4096", "--d", "64", "--step", "90000"}},
      {{"replay", "--schedule", "backward", "--n", "2048", "--d", "64", "--step", "9000"}},
      {{"replay", "--walk"}},
      {{"counters", "--n", "8192", "--d", "64"}},
      {{"counters", "--n", "2048", "--d", "64", "--csv", "c.csv"}},
      {{"verify", "--recorded"}},
      {{"verify", "--cpu", "--n", "1024", "--d", "64"}},
      {{"verify", "--cpu", "--schedule", "standard", "--n", "4096", "--d", "4"}},
      {{"verify", "--fast"}},
      {{"run", "--n", "2048", "--d", "64", "--out", "o.npy"}},
      {{"run", "--schedule", "backward", "--n", "1024", "--d", "64", "--dq", "q.npy", "--dk", "k.npy", "--dv",
        "v.npy"}},
      {{"race", "--recorded"}},
      {{"race", "--cpu", "--n", "512", "--d", "64", "--causal", "off", "--csv", "r.csv"}},
      {{"race", "--timeline"}},
      {{"predict"}},
      {{"predict", "--against-recorded"}},
      {{"which"}},
      {{"decode", "fmha_cutlassF_bf16_aligned_64x128_rf_sm80"}},
      {{"devices"}},
      {{"tree"}},
      {{"glossary"}},
      {{"questions"}},
      {{"lesson", "--list"}},
      {{"lesson", "--check", "7"}},
      {{"worksheet", "--preset", "paper", "--key", "--out", "s.pdf"}},
      {{"render", "--out", "w.png", "--size", "640x480"}},
      {{"render", "--preset", "paper", "--animate", "1:4", "--size", "640x480", "--out", "w.gif"}},
      {{"bench", "counters"}},
  };
}

}  // namespace

TEST_CASE("in every verb, memory that cannot be allocated gives a sentence and exit 4", "[memory]") {
  int refused = 0, whole = 0;
  std::uint64_t draw = 0;
  const std::int64_t least = least_to_start();
  for (const Verb& verb : verbs_to_try()) {
    std::string name;
    for (const std::string& word : verb.words) name += word + " ";
    for (int n = 0; n < limits(); ++n) {
      const double share = double(random_bits(memory_seed(), 6, draw++) >> 11) * 0x1p-53;
      // Most of a verb's needs are near the smallest limit.
      const std::int64_t limit = least + std::int64_t(share * share * share * double(verb.enough - least));
      test::TemporaryFolder folder;
      const Ended end = ends(verb.words, folder, limit);
      INFO(name << "under " << limit / 1024 << " KiB, seed " << memory_seed() << ", said: " << end.err);
      CHECK(end.signal == 0);
      CHECK((end.exit >= 0 && end.exit <= 4));
      if (end.exit == 4) CHECK_FALSE(end.err.empty());
      refused += end.exit == 4;
      whole += end.exit == 0;
    }
  }
  std::printf("%d refused for want of memory, %d done, from %lld MiB, seed %llu\n", refused, whole,
              (long long)(least / kMiB), (unsigned long long)memory_seed());
  CHECK(refused > 0);
  CHECK(whole > 0);
}
