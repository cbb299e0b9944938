#include "core/fields/validate.h"

#include <limits>

#include "core/problem/problem.h"
#include "core/schedules/registry.h"
#include "core/walk/schedule.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

bool names(const Issues& issues, const std::string& field) {
  for (const Issue& issue : issues)
    if (issue.field == field) return true;
  return false;
}

}  // namespace

TEST_CASE("every broken rule is reported at once, with field, value, rule and what to do", "[unit]") {
  Problem p;
  p.shape.d = 0;
  p.shape.heads = 6;
  p.shape.kv_heads = 4;
  p.machine.device = "abacus";
  p.numerics.scale = std::numeric_limits<double>::infinity();
  const Issues issues = validate(p);
  REQUIRE(issues.size() == 4);
  for (const char* field : {"d", "kv-heads", "device", "scale"}) REQUIRE(names(issues, field));
  for (const Issue& issue : issues) {
    REQUIRE_FALSE(issue.rule.empty());
    REQUIRE_FALSE(issue.suggestion.empty());
  }
}

TEST_CASE("S in 16 bits is refused where no S is written, and where the type has 32", "[unit]") {
  Problem p;
  p.numerics.dtype = DType::Bf16;
  p.machine.sram_bytes = 1 << 20;
  for (const ScheduleKind kind : all_schedules()) {
    p.schedule = kind;
    p.numerics.narrow_scores = false;
    REQUIRE(validate(p).empty());
    p.numerics.narrow_scores = true;
    const Issues issues = validate(p);
    REQUIRE(issues.empty() == schedule_row(kind).settings.narrow_scores);
    for (const Issue& issue : issues) CHECK(issue.rule.find("schedule standard alone") != std::string::npos);
  }
  p.schedule = ScheduleKind::Standard;
  p.numerics.dtype = DType::Fp32;
  REQUIRE(names(validate(p), "narrow-scores"));
}

TEST_CASE("a tile that does not fit in SRAM is refused with the sum that shows why", "[unit]") {
  Problem p;
  p.machine.sram_bytes = 351;
  const Issues issues = validate(p);
  REQUIRE(issues.size() == 1);
  REQUIRE(issues[0].rule ==
          "needs Q 64 + K 64 + V 64 + S 64 + O 64 + m 16 + l 16 = 352 bytes on chip, and sram is 351");
  p.machine.sram_bytes = 352;
  REQUIRE(validate(p).empty());
}

TEST_CASE("a schedule that walks KV tiles outside needs room for one of them, not for all", "[unit]") {
  Problem p;
  p.schedule = ScheduleKind::FlashV1;
  p.shape.n_kv = 4096;
  p.machine.sram_bytes = 352;
  REQUIRE(validate(p).empty());
  p.machine.sram_bytes = 351;
  REQUIRE(names(validate(p), "br x bc"));
}

TEST_CASE("totals that would pass 2^63 are refused before anything is counted", "[unit]") {
  Problem p;
  p.shape.n_q = p.shape.n_kv = std::int64_t(1) << 32;
  p.tiling.br = p.tiling.bc = 1024;
  p.shape.d = 256;
  p.shape.batch = p.shape.heads = p.shape.kv_heads = 1 << 20;
  p.machine.sram_bytes = std::int64_t(1) << 40;
  const Issues issues = validate(p);
  REQUIRE(issues.size() == 1);
  REQUIRE(issues[0].rule.find("2^63") != std::string::npos);
}

TEST_CASE("lengths out of range and extreme integers are refused, never wrapped", "[unit]") {
  for (const std::int64_t bad : {std::int64_t(0), std::int64_t(-1), std::numeric_limits<std::int64_t>::min(),
                                 std::numeric_limits<std::int64_t>::max()}) {
    Problem p;
    p.shape.n_q = p.shape.n_kv = p.tiling.br = p.tiling.bc = p.shape.d = p.shape.heads = p.shape.batch =
        p.machine.sram_bytes = bad;
    REQUIRE(validate(p).size() >= 8);
  }
}

TEST_CASE("more tiles a side than can be walked are refused", "[unit]") {
  Problem p;
  p.shape.n_q = p.shape.n_kv = std::int64_t(1) << 32;
  p.tiling.br = p.tiling.bc = 1;
  REQUIRE(names(validate(p), "br"));
  REQUIRE(names(validate(p), "bc"));
}

TEST_CASE("a fault that has no meaning in a schedule is refused", "[unit]") {
  Problem p;
  p.schedule = ScheduleKind::Standard;
  p.fault = Fault::ForgetRescaleO;
  REQUIRE(names(validate(p), "fault"));
  p.fault = Fault::NoMax;
  REQUIRE(validate(p).empty());
}

TEST_CASE("a threshold too large for P in fp16 is refused, and no other", "[unit]") {
  Problem p;
  p.schedule = ScheduleKind::FlashV4;
  p.numerics.dtype = DType::Fp16;
  for (const double threshold : {15.5, 16.0, 17.0, 64.0}) {
    p.tiling.rescale_threshold = threshold;
    const Issues issues = validate(p);
    REQUIRE(issues.size() == 1);
    CHECK(issues[0].field == "threshold");
    CHECK(issues[0].rule.find("at most 15 in fp16") != std::string::npos);
    CHECK(issues[0].suggestion.find("bf16") != std::string::npos);
  }
  for (const double threshold : {0.0, 8.0, 15.0}) {
    p.tiling.rescale_threshold = threshold;
    CHECK(validate(p).empty());
  }
  p.tiling.rescale_threshold = 64;
  for (const DType dtype : {DType::Bf16, DType::Fp32}) {
    p.numerics.dtype = dtype;
    CHECK(validate(p).empty());
  }
  p.numerics.dtype = DType::Fp16;
  p.schedule = ScheduleKind::FlashV2;  // does not use it
  CHECK(validate(p).empty());
}

TEST_CASE("default tiles are 64 halved until they fit", "[unit]") {
  Problem p;
  p.shape.d = 64;
  p.machine.sram_bytes = 232448;
  choose_default_tiles(p);
  REQUIRE(p.tiling.br == 64);
  p.shape.d = 256;
  p.shape.n_q = p.shape.n_kv = 1000;
  choose_default_tiles(p);
  REQUIRE(p.tiling.br == 32);
  p.machine.sram_bytes = 1024;
  p.shape.d = 64;
  choose_default_tiles(p);
  REQUIRE(p.tiling.br == 1);
  REQUIRE(p.tiling.bc == 1);
}

TEST_CASE("every name is parsed back to its value", "[unit]") {
  for (Fault fault : all_faults()) REQUIRE(fault_from(name_of(fault)) == fault);
  for (ScheduleKind kind : all_schedules()) REQUIRE(schedule_from(name_of(kind)) == kind);
  REQUIRE_FALSE(schedule_from("flash_v9").has_value());
  REQUIRE_FALSE(fault_from("").has_value());
}
