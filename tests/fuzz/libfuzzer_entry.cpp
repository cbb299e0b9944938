// libFuzzer's entry to one target, which TILEWALK_FUZZ_TARGET names at compile time. `--longest` prints its longest
// input.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/fuzz/fuzz_targets.h"

#define TILEWALK_TEXT_OF(name) #name
#define TILEWALK_NAME_OF(name) TILEWALK_TEXT_OF(name)

namespace {

consteval std::size_t longest() {
  for (const tilewalk::fuzz::Target& each : tilewalk::fuzz::kTargets)
    if (std::string_view(each.name) == TILEWALK_NAME_OF(TILEWALK_FUZZ_TARGET)) return each.longest;
  return 0;
}
static_assert(longest() > 0);

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  if (*argc != 2 || std::string_view((*argv)[1]) != "--longest") return 0;
  std::printf("%zu\n", longest());
  std::exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tilewalk::fuzz::TILEWALK_FUZZ_TARGET({reinterpret_cast<const std::byte*>(data), size});
  return 0;
}
