#include "core/chip/l2_model.h"

#include "tests/support/catch.h"
#include "tests/support/random_problem.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

Problem one_head(ScheduleKind kind, std::int64_t n) {
  Problem p;
  p.schedule = kind;
  p.machine.device = "h100";
  p.numerics.dtype = DType::Fp16;
  p.shape.n_q = p.shape.n_kv = n;
  p.shape.d = 64;
  p.tiling.br = p.tiling.bc = 64;
  p.machine.sram_bytes = 232448;
  return p;
}

}  // namespace

TEST_CASE("where a head's K and V fit in L2, DRAM sees every tensor once", "[unit]") {
  const Problem p = one_head(ScheduleKind::FlashV2, 8192);
  const L2Estimate e = estimate_l2(*make_schedule(p));
  const std::int64_t once = 8192 * 64 * 2;
  REQUIRE(e.launches.size() == 1);
  REQUIRE(e.launches[0].hit_share == 1);
  REQUIRE(e.asked_total().read_bytes == once + 128 * 2 * once);
  REQUIRE(e.dram_total().read_bytes == 3 * once);
  REQUIRE(e.dram_total().write_bytes == once + 8192 * 4);
}

TEST_CASE("where a head's K and V do not fit in L2, each wave of thread blocks reads them again", "[unit]") {
  Problem p = one_head(ScheduleKind::FlashV2, 1 << 20);
  L2Options options;
  options.thread_blocks_at_once = 128;
  const L2Estimate e = estimate_l2(*make_schedule(p), options);
  const std::int64_t once = (std::int64_t(1) << 20) * 64 * 2;
  REQUIRE(e.launches[0].hit_share == 0);
  REQUIRE(e.launches[0].dram[std::size_t(TensorId::K)].read_bytes == once * (16384 / 128));
  options.l2_bytes = std::int64_t(1) << 40;
  REQUIRE(estimate_l2(*make_schedule(p), options).launches[0].dram[std::size_t(TensorId::K)].read_bytes == once);
}

TEST_CASE("S and P of standard attention spill when larger than L2, and stay when smaller", "[unit]") {
  const L2Estimate large = estimate_l2(*make_schedule(one_head(ScheduleKind::Standard, 16384)));
  const std::int64_t square = std::int64_t(16384) * 16384;
  REQUIRE(large.launches[1].dram[std::size_t(TensorId::S)].read_bytes == square * 4);
  REQUIRE(large.launches[2].dram[std::size_t(TensorId::P)].read_bytes == square * 2);
  const L2Estimate small = estimate_l2(*make_schedule(one_head(ScheduleKind::Standard, 1024)));
  REQUIRE(small.launches[1].dram[std::size_t(TensorId::S)].read_bytes == 0);
  REQUIRE(small.launches[0].dram[std::size_t(TensorId::S)].write_bytes == 1024 * 1024 * 4);
  L2Options watched;
  watched.cold_launches = true;
  watched.count_last_writes = false;
  const L2Estimate cold = estimate_l2(*make_schedule(one_head(ScheduleKind::Standard, 1024)), watched);
  REQUIRE(cold.launches[1].dram[std::size_t(TensorId::S)].read_bytes == 1024 * 1024 * 4);
  REQUIRE(cold.launches[0].dram[std::size_t(TensorId::S)].write_bytes == 0);
}

TEST_CASE("FA-1's O, m and l go to DRAM at every visit only where those of the running blocks do not fit in L2",
          "[unit]") {
  Problem p = one_head(ScheduleKind::FlashV1, 4096);
  p.numerics.dtype = DType::Fp32;
  p.shape.heads = p.shape.kv_heads = 12;
  const L2Estimate fits = estimate_l2(*make_schedule(p));
  const std::int64_t once = std::int64_t(12) * 4096 * 64 * 4;
  REQUIRE(fits.launches[1].dram[std::size_t(TensorId::O)].write_bytes == once);
  L2Options none;
  none.l2_bytes = 1;
  const L2Launch spilled = estimate_l2(*make_schedule(p), none).launches[1];
  REQUIRE(spilled.dram[std::size_t(TensorId::O)].write_bytes == 64 * once);
  REQUIRE(spilled.dram[std::size_t(TensorId::O)].read_bytes == 64 * once);
}

TEST_CASE("the hit share fades between one and two times the L2", "[unit]") {
  REQUIRE(l2_hit_share(99, 100) == 1);
  REQUIRE(l2_hit_share(150, 100) == Approx(0.5));
  REQUIRE(l2_hit_share(200, 100) == 0);
  REQUIRE(l2_hit_share(1, 0) == 0);
}

TEST_CASE("DRAM traffic never exceeds the requested bytes, and a larger L2 never adds bytes", "[property]") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Problem p = random_problem(seed);
    INFO(as_text(p));
    const auto schedule = make_schedule(p);
    Draw draw(seed + 80);
    L2Options options;
    options.thread_blocks_at_once = int(draw.upto(1, 20));
    options.cold_launches = draw.upto(0, 1);
    options.count_last_writes = draw.upto(0, 1);
    std::int64_t before = -1;
    for (const std::int64_t l2 : {std::int64_t(1), std::int64_t(2000), std::int64_t(20000), std::int64_t(1) << 40}) {
      options.l2_bytes = l2;
      const L2Estimate e = estimate_l2(*schedule, options);
      bool less = true;
      Traffic asked;
      for (const L2Launch& launch : e.launches)
        for (int i = 0; i < kTensorCount; ++i) {
          const Traffic &a = launch.asked[std::size_t(i)], &d = launch.dram[std::size_t(i)];
          less &=
              d.read_bytes >= 0 && d.write_bytes >= 0 && d.read_bytes <= a.read_bytes && d.write_bytes <= a.write_bytes;
          asked += a;
        }
      REQUIRE(less);
      REQUIRE(asked == schedule->totals_before(schedule->step_count()).cost.hbm_total());
      const Traffic dram = e.dram_total();
      const std::int64_t now = dram.read_bytes + dram.write_bytes;
      if (before >= 0) REQUIRE(now <= before);
      before = now;
    }
  }
}
