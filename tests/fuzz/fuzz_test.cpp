// Short, bounded, repeatable fuzzing with any compiler: every seed unchanged, then seeds changed by a counter-based
// generator. TILEWALK_FUZZ_RUNS sets the number of changed inputs a target (default 10,000), TILEWALK_FUZZ_TARGET
// selects a single target. A crash prints the input's number, and the same number gives the same input again. Under
// clang, tests/fuzz/long.sh runs the same targets with libFuzzer.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "base/random.h"
#include "tests/fuzz/fuzz_targets.h"
#include "tests/support/asked_for.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace tilewalk;

namespace {

using Bytes = std::vector<std::byte>;

std::vector<Bytes> seeds_of(const std::string& target) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(TILEWALK_SOURCE_DIR) + "/tests/fuzz/seeds/" + target))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<Bytes> seeds;
  for (const auto& path : paths) {
    const std::string text = test::read_text(path.string());
    const auto* begin = reinterpret_cast<const std::byte*>(text.data());
    seeds.emplace_back(begin, begin + text.size());
  }
  return seeds;
}

class Changer {
 public:
  Changer(std::uint64_t run, const std::vector<Bytes>& seeds, std::size_t longest)
      : run_(run), seeds_(seeds), longest_(longest) {}

  Bytes make() {
    Bytes bytes = seeds_[pick(seeds_.size())];
    for (std::size_t times = 1 + pick(4); times > 0; --times) change(bytes);
    if (run_ % kRunsToALongOne == 0) lengthen(bytes);
    if (bytes.size() > longest_) bytes.resize(longest_);
    return bytes;
  }

 private:
  static constexpr std::uint64_t kRunsToALongOne = 1000;

  // Repeats a piece of it until it is past every limit.
  void lengthen(Bytes& bytes) {
    const std::size_t at = pick(bytes.size() + 1), length = std::min(1 + pick(64), bytes.size() - at);
    const Bytes piece(bytes.begin() + std::ptrdiff_t(at), bytes.begin() + std::ptrdiff_t(at + length));
    const Bytes rest(bytes.begin() + std::ptrdiff_t(at + length), bytes.end());
    bytes.resize(at);
    while (!piece.empty() && bytes.size() + rest.size() < longest_)
      bytes.insert(bytes.end(), piece.begin(), piece.end());
    bytes.insert(bytes.end(), rest.begin(), rest.end());
  }
  std::size_t pick(std::size_t count) { return count ? random_bits(run_, 99, next_++) % count : 0; }
  std::byte interesting() {
    constexpr unsigned char kBytes[] = {0,   1,   0x7f, 0x80, 0xff, '"', '{', '}',  '[', ']', '(',
                                        ')', ',', ':',  '-',  '.',  '0', '9', '\n', ' ', 'e', '='};
    return pick(2) ? std::byte(kBytes[pick(sizeof kBytes)]) : std::byte(pick(256));
  }
  void change(Bytes& bytes) {
    const std::size_t at = pick(bytes.size() + 1);
    switch (pick(7)) {
      case 0:
        if (at < bytes.size()) bytes[at] ^= std::byte(1u << pick(8));
        break;
      case 1:
        if (at < bytes.size()) bytes[at] = interesting();
        break;
      case 2: bytes.insert(bytes.begin() + std::ptrdiff_t(at), interesting()); break;
      case 3: bytes.resize(at); break;
      case 4:
        bytes.erase(bytes.begin() + std::ptrdiff_t(at),
                    bytes.begin() + std::ptrdiff_t(std::min(bytes.size(), at + pick(16))));
        break;
      case 5: {  // a piece of another seed
        const Bytes& other = seeds_[pick(seeds_.size())];
        const std::size_t from = pick(other.size() + 1), length = std::min(pick(64), other.size() - from);
        bytes.insert(bytes.begin() + std::ptrdiff_t(at), other.begin() + std::ptrdiff_t(from),
                     other.begin() + std::ptrdiff_t(from + length));
        break;
      }
      default: {  // a piece of itself, again
        const std::size_t length = std::min(pick(32), bytes.size() - at);
        const Bytes piece(bytes.begin() + std::ptrdiff_t(at), bytes.begin() + std::ptrdiff_t(at + length));
        bytes.insert(bytes.begin() + std::ptrdiff_t(at), piece.begin(), piece.end());
      }
    }
  }

  std::uint64_t run_, next_ = 0;
  const std::vector<Bytes>& seeds_;
  std::size_t longest_;
};

const char* target_now = "";
std::uint64_t run_now = 0;

void on_abort(int) {
  std::fprintf(stderr, "fuzz: target %s, input %llu\n", target_now, static_cast<unsigned long long>(run_now));
  std::_Exit(1);
}

}  // namespace

TEST_CASE("every parser returns a value or a reason, for any bytes") {
  std::signal(SIGABRT, on_abort);
#ifndef __SANITIZE_ADDRESS__  // it reports a bad access itself
  std::signal(SIGSEGV, on_abort);
#endif
  const std::uint64_t runs = test::asked_for("TILEWALK_FUZZ_RUNS", 10'000);
  for (const fuzz::Target& target : fuzz::kTargets) {
    if (const char* only = std::getenv("TILEWALK_FUZZ_TARGET"); only && std::string(only) != target.name) continue;
    const std::vector<Bytes> seeds = seeds_of(target.name);
    REQUIRE(seeds.size() >= 3);
    target_now = target.name;
    run_now = 0;
    for (const Bytes& seed : seeds) target.run(seed);
    for (run_now = 1; run_now <= runs; ++run_now) target.run(Changer(run_now, seeds, target.longest).make());
    SUCCEED(target.name);
  }
}
