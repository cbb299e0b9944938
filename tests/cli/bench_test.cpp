// `tilewalk bench`: ratios only to what is comparable.
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/run_program.h"

using namespace tilewalk;
using test::tilewalk_says;

#if defined(__x86_64__)
TEST_CASE("bench takes no ratio to OpenBLAS's kernels for an older processor") {
  if (!__builtin_cpu_supports("avx2")) return;
  const std::string old = "OPENBLAS_CORETYPE=Prescott";
  const test::Said text = tilewalk_says("bench replay", old), json = tilewalk_says("bench replay --json", old);
  if (text.exit == 3) return;  // no OpenBLAS here
  REQUIRE(text.exit == 0);
  CHECK(text.out.find("no ratio") != std::string::npos);
  CHECK(text.out.find("OPENBLAS_CORETYPE=") != std::string::npos);
  const nlohmann::json replay = nlohmann::json::parse(json.out)["replay"];
  for (const char* key : {"ns_per_tile_visit", "openblas_ns", "openblas_core", "ratio"}) CHECK(replay.contains(key));
  CHECK(replay["openblas_core"] == "Prescott");
  CHECK(replay["ratio"].is_null());
}
#endif
