#include "kernels/race/live_race.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

const FastRung& rung(const std::string& name) {
  for (const FastRung& each : fast_rungs())
    if (name == each.name) return each;
  FAIL("no rung " << name);
  return fast_rungs().front();
}

GpuInfo gpu(const std::string& name, int major, int minor) {
  GpuInfo info;
  info.name = name;
  info.sm_major = major, info.sm_minor = minor;
  return info;
}

}  // namespace

TEST_CASE("a Hopper GPU runs every fast kernel") {
  for (const FastRung& each : fast_rungs()) CHECK(missing_for(each, gpu("NVIDIA H200", 9, 0)).empty());
}

TEST_CASE("a GPU without a kernel's instructions gets a sentence that offers a slower kernel") {
  for (const auto& [name, major, minor] : {std::tuple{"NVIDIA A100", 8, 0}, std::tuple{"NVIDIA B200", 10, 0}}) {
    const std::string why = missing_for(rung("flash_v3"), gpu(name, major, minor));
    CHECK(why == "needs Hopper (sm_90), and " + std::string(name) + " is sm_" + std::to_string(major * 10 + minor) +
                     "; the rung below, flash_v2, runs");
    CHECK(missing_for(rung("flash_v2"), gpu(name, major, minor)).empty());
  }
}

TEST_CASE("a GPU too old for any fast kernel is offered the CPU's race") {
  const std::string why = missing_for(rung("flash_v2"), gpu("NVIDIA T4", 7, 5));
  CHECK(why == "needs sm_80 or later, and NVIDIA T4 is sm_75; tilewalk race --cpu runs");
}
