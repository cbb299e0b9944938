// The backward passes on the default problem, by hand: N 16, d 4, tiles 4x4, causal, fp32; ten tile visits, four KV
// tiles.
#include "core/fields/validate.h"
#include "core/problem/inputs.h"
#include "core/replay/replay.h"
#include "core/schedules/registry.h"
#include "core/schedules/row_fits.h"
#include "core/walk/schedule.h"
#include "core/witness/formulas.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

Problem causal_picture(ScheduleKind kind) {
  Problem p;
  p.schedule = kind;
  p.shape.mask.kind = MaskKind::Causal;
  return p;
}

Cost whole(const Problem& p) {
  const auto schedule = make_schedule(p);
  return schedule->totals_before(schedule->step_count()).cost;
}

std::int64_t on_chip(const Schedule& schedule, std::int64_t k) {
  std::int64_t bytes = 0;
  for (const Resident& r : schedule.residents(schedule.step(k))) bytes += r.bytes;
  return bytes;
}

}  // namespace

TEST_CASE("FA-2's backward pass loads Q, dO, L, D and dQ at each visit, and O once", "[unit]") {
  const Cost c = whole(causal_picture(ScheduleKind::Backward));
  REQUIRE(c.of(TensorId::O) == Traffic{256, 0});
  REQUIRE(c.of(TensorId::dO) == Traffic{256 + 640, 0});
  REQUIRE(c.of(TensorId::Q) == Traffic{640, 0});
  REQUIRE(c.of(TensorId::L) == Traffic{160, 0});
  REQUIRE(c.of(TensorId::D) == Traffic{160, 64});
  REQUIRE(c.of(TensorId::dQ) == Traffic{640 + 256, 256 + 640 + 256});
  REQUIRE(c.of(TensorId::K) == Traffic{256, 0});
  REQUIRE(c.of(TensorId::V) == Traffic{256, 0});
  REQUIRE(c.of(TensorId::dK) == Traffic{0, 256});
  REQUIRE(c.of(TensorId::dV) == Traffic{0, 256});
  REQUIRE(c.of(TensorId::S) == Traffic{});
  REQUIRE(c.matmul == 10 * 5 * 128);
  REQUIRE(c.exp == 160);
}

TEST_CASE("FA-1's backward pass loads O, m and l at each visit and computes D there", "[unit]") {
  const Problem p = causal_picture(ScheduleKind::BackwardV1);
  const Cost c = whole(p);
  REQUIRE(c.of(TensorId::O) == Traffic{640, 0});
  REQUIRE(c.of(TensorId::dO) == Traffic{640, 0});
  REQUIRE(c.of(TensorId::m) == Traffic{160, 0});
  REQUIRE(c.of(TensorId::l) == Traffic{160, 0});
  REQUIRE(c.of(TensorId::D) == Traffic{});
  REQUIRE(c.of(TensorId::dQ) == Traffic{640 + 256, 256 + 640 + 256});
  REQUIRE(textbook(p).hbm_elements == 4 * 64 + 4 * (5 * 64 + 2 * 16) + 64);
  REQUIRE(textbook(p).flops == 10 * 4 * 136);
}

TEST_CASE("the standard backward pass makes seven transfers of N squared values", "[unit]") {
  const Problem p = causal_picture(ScheduleKind::BackwardStandard);
  const Cost c = whole(p);
  REQUIRE(c.of(TensorId::P) == Traffic{2 * 1024, 0});
  REQUIRE(c.of(TensorId::dP) == Traffic{1024, 1024});
  REQUIRE(c.of(TensorId::dS) == Traffic{2 * 1024, 1024});
  REQUIRE(textbook(p).hbm_elements == 8 * 64 + 7 * 256);
  REQUIRE(c.matmul == 16 * 4 * 128);
  Problem narrow = p;
  narrow.shape.n_kv = 64;
  narrow.machine.sram_bytes = 515;  // a row of P and dP and its D take 516
  REQUIRE(validate(narrow).empty());
  REQUIRE_FALSE(backward_row_fits(narrow));
  REQUIRE(whole(narrow).of(TensorId::dP).read_bytes == 2 * 16 * 64 * 4);
  narrow.machine.sram_bytes = 516;
  REQUIRE(whole(narrow).of(TensorId::dP).read_bytes == 16 * 64 * 4);
}

TEST_CASE("GPT-2 medium's backward pass moves 16.11 GB in the standard form of FA-1's paper", "[unit]") {
  Problem p;
  p.schedule = ScheduleKind::BackwardStandard;
  p.shape.n_q = p.shape.n_kv = 1024;
  p.shape.d = 64;
  p.shape.heads = p.shape.kv_heads = 16;
  p.shape.batch = 64;
  p.tiling.bc = 256;
  REQUIRE(textbook(p).hbm_elements * 2 / 10000000 == 1610);
  p.schedule = ScheduleKind::BackwardV1;
  REQUIRE(textbook(p).hbm_elements * 2 / 10000000 == 337);  // 3.24 GB, and 0.13 to write dQ = 0
}

TEST_CASE("dK and dV of a KV tile sum over the query heads that share it", "[unit]") {
  Problem p = causal_picture(ScheduleKind::Backward);
  p.shape.heads = 4;
  p.shape.kv_heads = 2;
  const auto schedule = make_schedule(p);
  const std::int64_t first = schedule->first_step_of_group(1, {.head = 2, .group = 1}),
                     end = schedule->end_step_of_group(1, {.head = 3, .group = 1});
  REQUIRE(end - first == 1 + 2 * 3 * 10 + 1);
  REQUIRE(schedule->step(first).phase == Phase::LoadKV);
  REQUIRE(schedule->step(first + 1 + 3 * 10).head == 3);
  REQUIRE(schedule->step(first + 1 + 3 * 10).q_tile == 1);
  REQUIRE(schedule->step(end - 1).phase == Phase::StoreDKV);
  REQUIRE(whole(p).of(TensorId::dK).write_bytes == 2 * 256);
  REQUIRE(whole(p).of(TensorId::dQ).write_bytes == 4 * 1152);
}

TEST_CASE("a backward visit needs 608 bytes on chip, and fewer are refused with the sum", "[unit]") {
  Problem p = causal_picture(ScheduleKind::Backward);
  const auto schedule = make_schedule(p);
  REQUIRE(on_chip(*schedule, schedule->first_step_of_visit(1, {.q_tile = 2, .kv_tile = 1}) + 6) == 608);
  REQUIRE(schedule->sram_peak_bytes() == 608);
  p.machine.sram_bytes = 607;
  const Issues issues = validate(p);
  REQUIRE(issues.size() == 1);
  REQUIRE(issues[0].rule ==
          "needs K 64 + V 64 + dK 64 + dV 64 + Q 64 + dO 64 + dQ 64 + L 16 + D 16 + P 64 + dP 64 = 608 bytes on chip, "
          "and sram is 607");
  p.schedule = ScheduleKind::BackwardV1;
  p.machine.sram_bytes = 688;
  REQUIRE(validate(p).empty());
  p.machine.sram_bytes = 687;
  REQUIRE(validate(p).size() == 1);
}

TEST_CASE("the on-chip bytes of a KV tile do not grow with the length", "[unit]") {
  for (const ScheduleKind kind : {ScheduleKind::FlashV1, ScheduleKind::Backward, ScheduleKind::BackwardV1}) {
    Problem p;
    p.schedule = kind;
    p.shape.n_q = p.shape.n_kv = 65536;
    p.shape.d = 64;
    p.tiling.br = p.tiling.bc = 64;
    p.machine.sram_bytes = 232448;
    REQUIRE(validate(p).empty());
  }
}

TEST_CASE("a backward pass of sixteen million rows opens and counts", "[unit]") {
  for (const ScheduleKind kind : {ScheduleKind::Backward, ScheduleKind::BackwardV1, ScheduleKind::BackwardStandard}) {
    Problem p = causal_picture(kind);
    p.shape.n_q = p.shape.n_kv = 16777216;
    p.shape.heads = 4;
    p.shape.kv_heads = 2;
    p.shape.d = 64;
    p.tiling.br = p.tiling.bc = 64;
    p.machine.sram_bytes = 232448;
    REQUIRE(validate(p).empty());
    const auto schedule = make_schedule(p);
    REQUIRE(schedule->totals_before(schedule->step_count()).cost == whole_run_cost(p));
    const Step step = schedule->step(schedule->step_count() / 3);
    REQUIRE(step.index == schedule->step_count() / 3);
  }
}

TEST_CASE("faults without meaning in the backward passes are refused", "[unit]") {
  for (const Fault fault : all_faults()) {
    Problem p = causal_picture(ScheduleKind::Backward);
    p.fault = fault;
    const bool applies = fault == Fault::MaskOffByOne || fault == Fault::SkipDiagonal;
    REQUIRE(validate(p).empty() == applies);
    p.schedule = ScheduleKind::BackwardStandard;
    REQUIRE_FALSE(validate(p).empty());
  }
}

TEST_CASE("dO has its own random stream and the shape of O, and can be edited and read from a file", "[unit]") {
  Problem p = causal_picture(ScheduleKind::Backward);
  p.shape.heads = 2;
  p.shape.kv_heads = 1;
  p.shape.n_q = 6;
  const Tensor whole_do = Inputs(p).whole(TensorId::dO);
  REQUIRE(whole_do.heads == 2);
  REQUIRE(whole_do.rows == 6);
  for (const TensorId id : {TensorId::Q, TensorId::K, TensorId::V})
    REQUIRE(Inputs(p).at({id}, 1, 1) != whole_do.row(0, 0, 1)[1]);
  REQUIRE(Inputs(p, {}, {{TensorId::dO, 0, 1, 5, 2, 0.5f}}).at({TensorId::dO, 0, 1}, 5, 2) == 0.5f);
  FileInputs files;
  files.d_o = std::make_shared<Tensor>(Tensor{1, 2, 6, 4, std::vector<float>(48, 0.25f)});
  REQUIRE(Inputs(p, files).at({TensorId::dO, 0, 1}, 3, 3) == 0.25f);
  REQUIRE(Inputs(p, files).at({TensorId::Q, 0, 1}, 3, 3) != 0.25f);
}
