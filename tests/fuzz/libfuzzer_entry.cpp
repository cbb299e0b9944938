// libFuzzer's door to one target: TILEWALK_FUZZ_TARGET names it. `fuzz --targets` lists them, each with the length of
// its longest input.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/fuzz/fuzz_targets.h"

using tilewalk::fuzz::kTargets;
using tilewalk::fuzz::Target;

namespace {

const Target* target = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  if (*argc == 2 && std::string_view((*argv)[1]) == "--targets") {
    for (const Target& each : kTargets) std::printf("%s %zu\n", each.name, each.longest);
    std::exit(0);
  }
  const char* const name = std::getenv("TILEWALK_FUZZ_TARGET");
  for (const Target& each : kTargets)
    if (name && std::string_view(name) == each.name) target = &each;
  if (target) return 0;
  std::fprintf(stderr, "TILEWALK_FUZZ_TARGET must name a target: fuzz --targets lists them\n");
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  target->run({reinterpret_cast<const std::byte*>(data), size});
  return 0;
}
