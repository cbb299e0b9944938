// Thread blocks over SMs, on launches small enough to count.
#include "core/chip/waves.h"

#include "core/chip/sm_places.h"
#include "core/chip/visit_pace.h"
#include "core/schedules/registry.h"
#include "tests/support/catch.h"
#include "tests/support/h100_problem.h"

using namespace tilewalk;

namespace {

Problem picture(ScheduleKind kind) {
  Problem p = test::h100_problem(128);
  p.schedule = kind;
  p.machine.sram_bytes = 1 << 20;
  return p;
}

RunCycles cycles_of(const Problem& p) {
  const auto schedule = make_schedule(p);
  return run_cycles(*schedule, device_of(p.machine), build_waves(*schedule));
}

}  // namespace

TEST_CASE("one thread block a head leaves SMs idle, one a Q tile fills them", "[unit]") {
  const Problem one = picture(ScheduleKind::FlashV1), three = picture(ScheduleKind::FlashV3);
  Problem small = one;
  small.tiling.br = small.tiling.bc = 64;
  const Waves few = build_waves(*make_schedule(small)), many = build_waves(*make_schedule(three));
  REQUIRE(few.blocks == 32);
  REQUIRE(few.sms_in_first_wave == 32);
  REQUIRE(few.busy_fraction == Approx(32.0 / 132));
  REQUIRE(many.blocks == 320);
  REQUIRE(many.occupancy.blocks_per_sm == 1);
  REQUIRE(many.occupancy.limit == "registers");
  REQUIRE(many.waves == 3);
  REQUIRE(many.last_wave_fill == Approx(56.0 / 132));
  REQUIRE(many.busy_fraction == Approx(320.0 / (3 * 132)));
  std::int64_t blocks = 0;
  for (const SmLoad& load : many.loads) blocks += load.blocks;
  REQUIRE(blocks == 320);
}

TEST_CASE("a causal mask makes the end uneven, and longest first evens it", "[unit]") {
  Problem p = picture(ScheduleKind::FlashV3);
  p.shape.batch = 1;
  p.shape.heads = p.shape.kv_heads = 32;
  p.shape.n_q = p.shape.n_kv = 2048;
  p.shape.mask.kind = MaskKind::Causal;
  const Waves as_they_come = build_waves(*make_schedule(p)),
              longest = build_waves(*make_schedule(p), {.order = BlockOrder::LongestFirst, .most_spans = 600});
  REQUIRE(longest.cycles < as_they_come.cycles);
  REQUIRE(longest.tail < as_they_come.tail);
  REQUIRE(longest.spans.size() == 512);
  REQUIRE(longest.spans.front().visits == 16);
  REQUIRE(longest.spans.back().visits == 1);
}

TEST_CASE("heads are processed section by section, and a block that draws ahead may wait behind a long tile",
          "[unit]") {
  Problem p = picture(ScheduleKind::FlashV3);
  p.shape.batch = 1;
  p.shape.heads = p.shape.kv_heads = 2;
  p.shape.n_q = p.shape.n_kv = 512;  // four Q tiles of 1 to 4 visits
  p.shape.mask.kind = MaskKind::Causal;
  DeviceModel two = device_of(p.machine);
  two.sms = 2;
  WavesOptions options{.order = BlockOrder::LongestFirst, .most_spans = 8, .device = &two};
  const auto visits = [&] {
    std::vector<std::int64_t> out;
    for (const BlockSpan& span : build_waves(*make_schedule(p), options).spans) out.push_back(span.visits);
    return out;
  };
  REQUIRE(visits() == std::vector<std::int64_t>{4, 4, 3, 3, 2, 2, 1, 1});
  options.sections = 2;
  REQUIRE(visits() == std::vector<std::int64_t>{4, 3, 2, 1, 4, 3, 2, 1});
  p.shape.heads = p.shape.kv_heads = 3;  // two heads, then one
  options.most_spans = 12;
  REQUIRE(visits() == std::vector<std::int64_t>{4, 4, 3, 3, 2, 2, 1, 1, 4, 3, 2, 1});

  p.shape.heads = p.shape.kv_heads = 1;
  options.sections = 1;
  const VisitPace pace(p, two);  // 4 and 1 visits on one SM, 3 and 2 on the other
  REQUIRE(build_waves(*make_schedule(p), options).cycles == Approx(2 * pace.begin_and_end(1) + 5 * pace.visit(1)));
}

TEST_CASE("splitting the KV range uses more SMs for a single query", "[unit]") {
  Problem p = picture(ScheduleKind::SplitKv);
  p.shape.batch = 1;
  p.shape.heads = p.shape.kv_heads = 8;
  p.shape.n_q = 1;
  p.shape.n_kv = 65536;
  p.tiling.br = 16;
  p.tiling.bc = 64;
  p.tiling.splits = 1;
  const RunCycles whole = cycles_of(p);
  p.tiling.splits = 16;
  const Waves spread = build_waves(*make_schedule(p));
  REQUIRE(spread.blocks == 128);
  const RunCycles shared = cycles_of(p);
  REQUIRE(shared.others > 0);
  REQUIRE(shared.total() < whole.total() / 4);
}

TEST_CASE("a thread block whose split is wholly masked still occupies its SM", "[unit]") {
  Problem p;
  p.schedule = ScheduleKind::SplitKv;
  p.shape.mask.kind = MaskKind::Causal;
  p.tiling.splits = 4;  // 16 thread blocks, of which 6 have no visible keys
  const Waves w = build_waves(*make_schedule(p));
  int with_blocks = 0, at_work = 0;
  for (const SmLoad& load : w.loads) with_blocks += load.in_first_wave, at_work += load.busy > 0;
  REQUIRE(w.blocks == 16);
  REQUIRE(with_blocks == w.sms_in_first_wave);
  REQUIRE(with_blocks == 16);
  REQUIRE(at_work == 10);
}

TEST_CASE("the number of thread blocks of an SM is limited by shared memory, threads or registers", "[unit]") {
  Problem p = picture(ScheduleKind::FlashV2);
  p.tiling.br = p.tiling.bc = 64;
  p.shape.d = 64;
  const DeviceModel h100 = *device_named("h100");
  // Operands alone, as in the fast kernels: Q and two stages of K and V. Teaching kernels have S and O there too.
  const std::int64_t operands = (64 + 4 * 64) * 64 * 2, held = 3 * 64 * 64 * 2 + 2 * 64 * 64 * 4 + 2 * 64 * 4;
  p.tiling.br = 128;  // so that registers leave room for more
  REQUIRE(occupancy(p, h100).shared_bytes == operands + 64 * 64 * 2);
  p.tiling.br = 64;
  REQUIRE(occupancy(p, h100).shared_bytes == operands);
  REQUIRE(occupancy(p, h100).limit == "registers");
  REQUIRE(occupancy(p, h100).blocks_per_sm == 65536 / (128 * (64 * (64 + 64) / 128 + 40)));
  REQUIRE(their_occupancy(p, h100).shared_bytes == held);
  REQUIRE(their_occupancy(p, h100).blocks_per_sm == 228 * 1024 / (held + 1024));
  p.numerics.dtype = DType::Fp32;
  p.tiling.br = p.tiling.bc = 16;
  p.shape.d = 16;
  REQUIRE(registers_of_thread(p) == 16 * (16 + 16) / 128 + 40);
  REQUIRE(occupancy(p, h100).blocks_per_sm == 65536 / (128 * 44));
  REQUIRE(occupancy(p, h100).limit == "registers");
  REQUIRE(occupancy(p, *device_named("t4")).blocks_per_sm == 1024 / 128);
  REQUIRE(occupancy(p, *device_named("t4")).limit == "threads");
  p.shape.d = 128;
  p.tiling.br = p.tiling.bc = 512;
  REQUIRE(occupancy(p, h100).blocks_per_sm == 0);
}

TEST_CASE("millions of thread blocks are bundled into one load an SM", "[unit]") {
  Problem p = picture(ScheduleKind::FlashV3);
  p.shape.batch = 8;
  p.shape.heads = p.shape.kv_heads = 32;
  p.shape.n_q = p.shape.n_kv = 131072;
  p.shape.mask.kind = MaskKind::Causal;
  const Waves all = build_waves(*make_schedule(p));
  REQUIRE(all.blocks == 8 * 32 * 1024);
  REQUIRE(all.bundle == 1);
  WavesOptions coarse;
  coarse.most_blocks = 20000;
  const Waves bundled = build_waves(*make_schedule(p), coarse);
  REQUIRE(bundled.bundle == 14);
  REQUIRE(bundled.loads.size() == 132);
  REQUIRE(bundled.cycles == Approx(all.cycles).epsilon(0.02));
  std::int64_t blocks = 0;
  for (const SmLoad& load : bundled.loads) blocks += load.blocks;
  REQUIRE(blocks == all.blocks);
}

TEST_CASE("standard attention is limited by DRAM, and tiling by arithmetic", "[unit]") {
  Problem p = picture(ScheduleKind::Standard);
  p.shape.n_q = p.shape.n_kv = 8192;
  p.tiling.br = p.tiling.bc = 64;
  const RunCycles standard = cycles_of(p);
  REQUIRE(standard.limit == "DRAM");
  p.schedule = ScheduleKind::FlashV2;
  REQUIRE(cycles_of(p).total() < standard.total());
}

TEST_CASE("a thread block takes the time of its lanes, with small tiles and with large ones", "[unit]") {
  for (const std::int64_t tile : {4, 16, 64}) {
    Problem p = picture(ScheduleKind::FlashV1);
    p.shape.batch = p.shape.heads = p.shape.kv_heads = 1;
    p.shape.n_q = p.shape.n_kv = 8 * tile;
    p.shape.d = tile;
    p.tiling.br = p.tiling.bc = tile;
    const auto schedule = make_schedule(p);
    double of_lanes = 0;
    for (TimelineOptions of; of.group < 8; ++of.group) of_lanes += build_timeline(*schedule, of).cycles;
    CAPTURE(tile, of_lanes);
    REQUIRE(build_waves(*make_schedule(p)).cycles == Approx(of_lanes).epsilon(0.1));
  }
}

TEST_CASE("a block visits at full pace while its neighbour begins, unless a producer warp loads ahead", "[unit]") {
  for (const ScheduleKind kind : {ScheduleKind::FlashV2, ScheduleKind::FlashV3}) {
    const Problem p = picture(kind);
    const BlockCosts costs(p, device_of(p.machine), 2, 0);
    const double begin = costs.edges(2), beside = costs.visit(2, 0), alone = costs.visit(1, 0);
    REQUIRE(alone < beside);
    const double meanwhile = begin / (kind == ScheduleKind::FlashV2 ? alone : beside);  // visits of the neighbour
    REQUIRE(meanwhile < 30);
    std::vector<std::vector<QueuedBlock>> places = {{{.visits = 60}}, {{.visits = 30}, {.visits = 60}}};
    run_on_sm(places, costs);
    CAPTURE(int(kind));
    CHECK(places[1][0].end == Approx(begin + 30 * beside));
    CHECK(places[0][0].end == Approx(begin + 30 * beside + begin + (30 - meanwhile) * beside));
    CHECK(places[1][1].end == Approx(places[0][0].end + (30 + meanwhile) * alone));
  }
}
