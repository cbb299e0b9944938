// libFuzzer's door to one target, named by TILEWALK_FUZZ_TARGET.
#include "tests/fuzz/fuzz_targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tilewalk::fuzz::TILEWALK_FUZZ_TARGET({reinterpret_cast<const std::byte*>(data), size});
  return 0;
}
