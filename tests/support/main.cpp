// Runs the test cases of one program and counts them. If TILEWALK_TALLY names a file, a line "passed failed skipped" is
// appended to it, so that a whole run can be summed for any version of Catch2; a program that crashes appends none.
#define CATCH_CONFIG_RUNNER
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "tests/support/catch.h"

namespace tilewalk::test {
namespace {

int passed = 0, failed = 0, skipped = 0;
bool skipping = false;

#if CATCH_VERSION_MAJOR >= 3
using ListenerBase = Catch::EventListenerBase;
#else
using ListenerBase = Catch::TestEventListenerBase;
#endif

struct Tally : ListenerBase {
  using ListenerBase::ListenerBase;
  void testCaseStarting(Catch::TestCaseInfo const&) override { skipping = false; }
  void testCaseEnded(Catch::TestCaseStats const& stats) override {
    if (stats.totals.assertions.failed > 0)
      ++failed;
    else
      ++(skipping ? skipped : passed);
  }
};
CATCH_REGISTER_LISTENER(Tally)

}  // namespace

void skip(const std::string& reason) {
  skipping = true;
  std::cout << "skipped: " << reason << std::endl;
}

}  // namespace tilewalk::test

int main(int argc, char** argv) {
  const int status = Catch::Session().run(argc, argv);
  using namespace tilewalk::test;
  std::printf("tally: %d passed, %d failed, %d skipped\n", passed, failed, skipped);
  if (const char* file = std::getenv("TILEWALK_TALLY"))
    std::ofstream(file, std::ios::app) << std::to_string(passed) + " " + std::to_string(failed) + " " +
                                              std::to_string(skipped) + "\n";
  return status;
}
