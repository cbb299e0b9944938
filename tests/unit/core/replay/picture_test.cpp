// The default problem by hand: N 16, d 4, tiles 4x4, causal, fp32. Every figure here can be computed with pencil and
// paper.
#include "core/fields/validate.h"
#include "core/schedules/registry.h"
#include "core/schedules/row_fits.h"
#include "core/walk/schedule.h"
#include "core/witness/formulas.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

Problem the_picture() {
  Problem p;
  p.shape.mask.kind = MaskKind::Causal;
  return p;
}

}  // namespace

TEST_CASE("the picture moves 1.81 KiB where standard attention moves 6.50 KiB", "[unit]") {
  const auto flash = make_schedule(the_picture());
  const Cost all = flash->totals_before(flash->step_count()).cost;
  REQUIRE(all.of(TensorId::Q).read_bytes == 256);
  REQUIRE(all.of(TensorId::K).read_bytes == 10 * 64);
  REQUIRE(all.of(TensorId::V).read_bytes == 10 * 64);
  REQUIRE(all.of(TensorId::O).write_bytes == 256);
  REQUIRE(all.of(TensorId::L).write_bytes == 64);
  REQUIRE(all.hbm_total().read_bytes + all.hbm_total().write_bytes == 1856);

  Problem naive = the_picture();
  naive.schedule = ScheduleKind::Standard;
  const auto standard = make_schedule(naive);
  const Cost whole = standard->totals_before(standard->step_count()).cost;
  REQUIRE(whole.of(TensorId::S) == Traffic{1024, 1024});
  REQUIRE(whole.of(TensorId::P) == Traffic{1024, 1024});
  REQUIRE(whole.of(TensorId::K).read_bytes == 1024);
  REQUIRE(whole.hbm_total().read_bytes + whole.hbm_total().write_bytes == 6656);
  REQUIRE(textbook(naive).hbm_elements == 1280);
  REQUIRE(textbook(the_picture()).flops == 4 * 4 * 136);
}

TEST_CASE("the picture's fifth tile visit is Q tile 2 on KV tile 1, and its rescale costs 4 exp and 20 other",
          "[unit]") {
  const auto schedule = make_schedule(the_picture());
  const std::int64_t first = schedule->first_step_of_visit(0, {.q_tile = 2, .kv_tile = 1});
  const Step rescale = schedule->step(first + 4);
  REQUIRE(rescale.phase == Phase::Rescale);
  REQUIRE(rescale.visit_index == 4);
  REQUIRE(rescale.phase_in_visit == 4);
  REQUIRE(rescale.phases_in_visit == 8);
  REQUIRE(schedule->cost_of(rescale).exp == 4);
  REQUIRE(schedule->cost_of(rescale).other == 20);
  const Totals so_far = schedule->totals_before(first + 5);
  REQUIRE(so_far.cost.hbm_total().read_bytes + so_far.cost.hbm_total().write_bytes == 992);
  REQUIRE(so_far.visits_done == 5);
  std::int64_t on_chip = 0;
  for (const Resident& r : schedule->residents(rescale)) on_chip += r.bytes;
  REQUIRE(on_chip == 352);
}

TEST_CASE("a row of S that does not fit is read twice, and its sums are stored beside e", "[unit]") {
  Problem p = the_picture();
  p.schedule = ScheduleKind::Standard;
  p.machine.sram_bytes = 192;
  REQUIRE(validate(p).empty());
  REQUIRE(standard_row_fits(p));
  p.shape.n_kv = 64;
  REQUIRE_FALSE(standard_row_fits(p));
  const auto schedule = make_schedule(p);
  const Cost cost = schedule->totals_before(schedule->step_count()).cost;
  REQUIRE(cost.of(TensorId::S) == Traffic{2 * 16 * 64 * 4, 16 * 64 * 4});
  REQUIRE(cost.of(TensorId::P) == Traffic{16 * 64 * 4, 16 * 64 * 4});
  REQUIRE(cost.of(TensorId::l) == Traffic{64, 64});
}

TEST_CASE("two bytes a value halve the traffic of Q, K, V, P and O, and keep four bytes for S and L", "[unit]") {
  Problem p = the_picture();
  p.numerics.dtype = DType::Bf16;
  const Cost flash = whole_run_cost(p);
  REQUIRE(flash.of(TensorId::K).read_bytes == 10 * 32);
  REQUIRE(flash.of(TensorId::L).write_bytes == 64);
  p.schedule = ScheduleKind::Standard;
  REQUIRE(whole_run_cost(p).of(TensorId::S).write_bytes == 1024);
  REQUIRE(whole_run_cost(p).of(TensorId::P).write_bytes == 512);
}
