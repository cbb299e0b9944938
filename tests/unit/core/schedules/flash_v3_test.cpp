// flash_v3 on chip: the circular buffer, its contents, and refused stage counts.
#include "core/fields/validate.h"
#include "core/replay/replay.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

// The tile of the released kernel for head size 128, no mask: 128 x 176.
Problem released() {
  Problem p;
  p.schedule = ScheduleKind::FlashV3;
  p.numerics.dtype = DType::Fp16;
  p.shape.n_q = p.shape.n_kv = 1408;
  p.shape.d = 128;
  p.tiling.br = 128;
  p.tiling.bc = 176;
  p.machine.sram_bytes = 232448;
  return p;
}

}  // namespace

TEST_CASE("shared memory contains Q and the stages, half of them K and half V; the rest is in registers", "[unit]") {
  const Problem p = released();
  REQUIRE(validate(p).empty());
  const auto schedule = make_schedule(p);
  const Step step = schedule->step(schedule->end_step_of_visit(0, {.q_tile = 1, .kv_tile = 1}) - 1);
  REQUIRE(step.phase == Phase::Accumulate);
  std::int64_t shared = 0, registers = 0;
  for (const Resident& r : schedule->residents(step)) {
    shared += r.bytes;
    registers += r.register_bytes;
  }
  REQUIRE(shared == 128 * 128 * 2 + 4 * 176 * 128 * 2);
  REQUIRE(schedule->sram_peak_bytes() == shared);
  REQUIRE(registers == 128 * 176 * 4 + 128 * 128 * 4 + 2 * 128 * 4);
}

TEST_CASE("one stage too many is refused with the sum that shows why", "[unit]") {
  Problem p = released();
  p.tiling.stages = 5;
  const Issues issues = validate(p);
  REQUIRE(issues.size() == 1);
  REQUIRE(issues[0].rule == "needs Q 32,768 + K 135,168 + V 90,112 = 258,048 bytes on chip, and sram is 232,448");
}

TEST_CASE("one stage is refused with overlap or ping-pong, and accepted without", "[unit]") {
  Problem p = released();
  p.tiling.stages = 1;
  REQUIRE(validate(p).at(0).field == "stages");
  REQUIRE(validate(p).at(0).rule.find("the next K is needed before this V is released") != std::string::npos);
  REQUIRE_FALSE(validate(p).at(0).suggestion.empty());
  p.lanes.overlap = false;
  REQUIRE(validate(p).at(0).rule.find("turn") != std::string::npos);
  p.lanes.ping_pong = false;
  REQUIRE(validate(p).empty());
  p.schedule = ScheduleKind::FlashV4;
  REQUIRE(validate(p).at(0).field == "stages");
  p.tiling.stages = 0;
  REQUIRE(validate(p).at(0).field == "stages");
}

TEST_CASE("flash_v3 has the steps of flash_v2 and gives the same bits", "[unit]") {
  Problem p;
  p.schedule = ScheduleKind::FlashV3;
  p.shape.n_q = p.shape.n_kv = 23;
  p.shape.d = 8;
  p.tiling.br = p.tiling.bc = 8;
  p.shape.mask.kind = MaskKind::Causal;
  p.machine.sram_bytes = 1 << 16;
  Problem v2 = p;
  v2.schedule = ScheduleKind::FlashV2;
  Replay three(make_schedule(p), Inputs(p)), two(make_schedule(v2), Inputs(v2));
  REQUIRE(three.schedule().step_count() == two.schedule().step_count());
  for (std::int64_t k = 0; k <= two.schedule().step_count(); ++k) REQUIRE(three.at(k) == two.at(k));
}
