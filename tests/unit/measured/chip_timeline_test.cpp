// The timeline recorded on the GPU: reading, drawing, and its figures.
#include "measured/chip_timeline.h"

#include <algorithm>
#include <set>

#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

// One consumer that overlaps: S of tile 1 (100 to 400), softmax to 900; S of tile 0 from 1000, P V of tile 1 behind it.
const std::string kGood =
    "# date: 2026-01-01\n"
    "run,variant,name,d,heads,batch,n,causal,ms_plain,ms_silent,ghz_silent,ms_traced\n"
    "lane,variant,d,n,causal,block,sm,ghz,block_cycles,role,stamps\n"
    "run,0,\"128x128\",128,2,1,256,0,1.0,1.1,1.5,1.2\n"
    "lane,0,128,256,0,0,7,1.5,5000,producer,b-1+0 w0+10 a0+10 Q0+10 k1+10 K1+10 v1+10 V1+10 k0+10 K0+10\n"
    "lane,0,128,256,0,0,7,1.5,5000,landed,b-1+0 Q0+60 K1+40 V1+60 K0+40\n"
    "lane,0,128,256,0,0,7,1.5,5000,consumer 0,b-1+5 w0+15 a0+50 k1+30 q1+20 s1+280 e1+500 c1+50 t0+40 k0+10 q0+50 "
    "v1+10 "
    "p1+40 s0+600 e0+500 o1+10 c0+90 v0+10 p0+40 o0+500 z0+200\n";

ChipTimelines read(const std::string& text) {
  Result<ChipTimelines> file = parse_chip_timelines(text, "t.csv");
  INFO((file ? std::string() : text_of(file.issues())));
  REQUIRE(file.ok());
  return std::move(*file);
}

ChipTimelines shipped() {
  Result<ChipTimelines> file = load_chip_timelines(std::string(TILEWALK_SOURCE_DIR) +
                                                   "/assets/measurements/flash_v3_stamps_h200_2026-11-21.csv");
  INFO((file ? std::string() : text_of(file.issues())));
  REQUIRE(file.ok());
  return std::move(*file);
}

const Segment* find(const Timeline& t, Doing doing, std::int64_t tile) {
  for (const Segment& s : t.segments)
    if (s.doing == doing && s.kv_tile == tile) return &s;
  return nullptr;
}

}  // namespace

TEST_CASE("each stamp has a letter of its own, and the recorded file contains all of them") {
  std::set<char> letters, seen;
  for (Stamp each : kStamps) REQUIRE(letters.insert(char(each)).second);
  for (char letter : letters) REQUIRE(is_stamp(letter));
  for (char letter : {'B', 'i', '0', ' ', '\0'}) REQUIRE_FALSE(is_stamp(letter));
  for (const ChipRun& run : shipped().runs)
    for (const ChipBlock& block : run.blocks)
      for (const ChipLane& lane : block.lanes)
        for (const ChipStamp& stamp : lane.stamps) seen.insert(char(stamp.what));
  REQUIRE(seen == letters);
}

TEST_CASE("stamps become segments of work in the model's lanes") {
  const ChipTimelines file = read(kGood);
  REQUIRE(file.runs.size() == 1);
  REQUIRE(file.runs[0].blocks.size() == 1);
  CHECK(file.runs[0].blocks[0].sm == 7);
  CHECK(file.runs[0].rows() == 128);
  CHECK(file.provenance.at("date") == "2026-01-01");
  // 2 Q tiles of 2 KV tiles each in 2 heads: 8 visits of 1.1 ms x 1.5 GHz x 132.
  CHECK(file.runs[0].cycles_per_visit(132) == Approx(1.1e6 * 1.5 * 132 / 8));

  const Timeline t = timeline_of(file.runs[0], file.runs[0].blocks[0]);
  REQUIRE(t.lanes.size() == 2);
  CHECK(t.lanes[1].name == "consumer 0");
  CHECK(t.lanes[1].two_rows);
  const auto is = [&](Doing doing, std::int64_t tile, double start, double end, int row) {
    const Segment* s = find(t, doing, tile);
    REQUIRE(s);
    CHECK(s->start == Approx(start));
    CHECK(s->end == Approx(end));
    CHECK(s->row == row);
  };
  is(Doing::Scores, 1, 100, 400, 0);
  is(Doing::Exponentiate, 1, 400, 900, 1);
  is(Doing::Rescale, 1, 900, 950, 1);
  is(Doing::Scores, 0, 1000, 1700, 0);
  is(Doing::Accumulate, 1, 1700, 2210, 0);  // after S of tile 0, until it was seen
  is(Doing::Accumulate, 0, 2310, 2850, 0);
  is(Doing::Store, -1, 2850, 3050, 1);
  is(Doing::LoadK, 1, 60, 100, 0);  // issued at 40, while Q was still being loaded
  is(Doing::LoadV, 1, 100, 160, 0);
  CHECK(t.cycles == Approx(3050));
  CHECK(t.product_utilisation == Approx(4 * 512 / 3050.0));

  const ChipPhases p = phases_of(file.runs[0].blocks[0]);
  CHECK(p.visits == 2);
  CHECK(p.scores == Approx(500));  // 300 and 700
  CHECK(p.softmax == Approx(500));
  CHECK(p.period == Approx(1300));
  CHECK(p.turn == Approx(40));
}

TEST_CASE("a damaged file of stamps is refused with its line") {
  const auto refused = [](const std::string& from, const std::string& to, const std::string& names) {
    std::string text = kGood;
    text.replace(text.find(from), from.size(), to);
    const Result<ChipTimelines> file = parse_chip_timelines(text, "t.csv");
    REQUIRE_FALSE(file.ok());
    CHECK(text_of(file.issues()).find(names) != std::string::npos);
  };
  refused("ms_plain", "ms", "line 2");
  refused("block_cycles", "cycles", "line 3");
  refused("1.0,1.1", "1.0,-1.1", "line 4");
  refused("128x128", "x128", "line 4");
  refused("s1+280", "?1+280", "line 7");
  refused("s1+280", "s1+-280", "line 7");
  refused("s1+280", "s1", "line 7");
  refused("lane,0,128,256,0,0,7,1.5,5000,landed", "lane,0,64,256,0,0,7,1.5,5000,landed", "line 6");
  REQUIRE_FALSE(parse_chip_timelines("", "t.csv").ok());
}

TEST_CASE(
    "every run of the shipped file draws: no piece overlaps its neighbour, and products are not faster than the chip") {
  const ChipTimelines file = shipped();
  CHECK(file.provenance.at("card, driver, top clock").find("H200") != std::string::npos);
  REQUIRE(file.runs.size() == 60);  // d = 64: 8 builds, d = 128: 7; two lengths, causal and not
  for (const ChipRun& run : file.runs) {
    INFO(run.name << " d " << run.d << " n " << run.n << " causal " << run.causal);
    REQUIRE_FALSE(run.blocks.empty());
    for (const ChipBlock& block : run.blocks) {
      const Timeline t = timeline_of(run, block);
      REQUIRE(t.lanes.size() == std::size_t(1 + run.rows() / 64));
      CHECK(t.visits > 8);
      CHECK(t.product_utilisation > 0.1);
      CHECK(t.product_utilisation < 1);
      bool apart = true;
      for (std::size_t i = 0; i + 1 < t.segments.size(); ++i) {
        const Segment &a = t.segments[i], &b = t.segments[i + 1];
        if (a.lane == b.lane && a.row == b.row) apart &= a.end <= b.start + 1e-6;
      }
      CHECK(apart);
      const ChipPhases p = phases_of(block);
      CHECK(p.scores >= 2.0 * 64 * 128 * double(run.d) / 4096);  // at the unit's rate
      CHECK(p.softmax >= 64.0 * 128 / 16);                       // at the exponential unit's rate
      CHECK(block.ghz > 1);
      CHECK(block.ghz < 1.99);  // the card's top clock is 1.98
    }
  }
}

TEST_CASE("the run nearest to a problem has its head size, mask and lane options") {
  const ChipTimelines file = shipped();
  Problem p;
  p.schedule = ScheduleKind::FlashV3;
  p.shape.d = 128;
  p.shape.n_q = p.shape.n_kv = 16384;
  p.shape.mask.kind = MaskKind::Causal;
  const ChipRun* run = file.nearest(p);
  REQUIRE(run);
  CHECK(run->d == 128);
  CHECK(run->n == 8192);
  CHECK(run->causal);
  CHECK(run->name == "128x128");
  p.lanes.overlap = false;
  p.shape.n_q = p.shape.n_kv = 16;
  p.shape.mask.kind = MaskKind::None;
  run = file.nearest(p);
  REQUIRE(run);
  CHECK(run->name == "128x128, no overlap");
  CHECK(run->n == 2048);
  p.lanes.warp_specialised = p.lanes.ping_pong = false;
  CHECK(file.nearest(p) == nullptr);  // no build leaves all three out
}

// Two constants of the model come from the build with turns and without overlap (core/problem/device_model): its phases
// are compared closely. The visits of the builds are not fitted: at d 128 the recorded ones are 1.14 to 1.21 times as
// long in all six, so between builds the model is within 4 % of the GPU.
TEST_CASE("recorded visits are longer than modelled ones by a similar factor in every build with a producer") {
  const ChipTimelines file = shipped();
  int compared = 0;
  for (const ChipRun& run : file.runs) {
    const std::optional<Problem> p = recorded_problem(run);
    if (run.rows() != 128 || run.n != 8192 || run.causal || !run.specialised()) continue;
    INFO(run.name << " d " << run.d);
    GroupCycles cycles(*p, memory_share(*p, *device_named(p->machine.device)));
    const double visit = (cycles(48) - cycles(24)) / 24, seen = run.cycles_per_visit(kChipMultiprocessors);
    CHECK(seen >= visit * (run.d == 128 ? 1.14 : 1.38));
    CHECK(seen <= visit * (run.d == 128 ? 1.21 : 1.40));
    ++compared;
    if (run.overlap() || !run.ping_pong()) continue;
    // With turns and without overlap each phase has its unit almost to itself.
    const ChipPhases chip = phases_of(run.blocks.front());
    double softmax = 0, scores = 0;
    const Timeline t = build_timeline(*make_schedule(*p));
    for (const Segment& s : t.segments) {
      if (s.lane != 1 || s.kv_tile != 10) continue;
      if (s.doing == Doing::RowMax || s.doing == Doing::Exponentiate || s.doing == Doing::RowSum)
        softmax += s.end - s.start;
      if (s.doing == Doing::Scores) scores += s.end - s.start;
    }
    const double late = device_named(p->machine.device)->product_seen_cycles;
    CHECK(chip.scores == Approx(scores / t.stretch + late).epsilon(0.02));
    CHECK(chip.softmax == Approx(softmax / t.stretch).epsilon(0.08));
  }
  CHECK(compared == 7);  // d = 128: six builds with a producer; d = 64: the one with two consumers
}

TEST_CASE("a recorded run and its model have the same lanes and rows a consumer") {
  const ChipTimelines file = shipped();
  int threes = 0;
  for (const ChipRun& run : file.runs) {
    if (run.blocks.empty() || run.n != 2048) continue;
    INFO(run.name << " d " << run.d);
    const Timeline chip = timeline_of(run, run.blocks.front()),
                   model = build_timeline(*make_schedule(recorded_problem(run)));
    CHECK_FALSE(model.deadlock);
    REQUIRE(chip.lanes.size() == model.lanes.size());
    for (std::size_t i = 0; i < chip.lanes.size(); ++i) CHECK(chip.lanes[i].name == model.lanes[i].name);
    threes += model.lanes.size() == 4;
  }
  CHECK(threes > 0);
}

TEST_CASE("a run with too many Q tiles and invisible characters are refused") {
  const std::string heads =
      "run,variant,name,d,heads,batch,n,causal,ms_plain,ms_silent,ghz_silent,ms_traced\n"
      "lane,variant,d,n,causal,block,sm,ghz,block_cycles,role,stamps\n";
  const auto refusal = [&](const std::string& lines) {
    const Result<ChipTimelines> read = parse_chip_timelines(heads + lines, "s.csv");
    return read ? "accepted" : text_of(read.issues());
  };
  CHECK(refusal("run,0,128x128,128,1,1,1073741824,0,1,1,1,1\n").find("line 3") != std::string::npos);
  CHECK(refusal("run,0,1x128,128,1,1,65536,0,1,1,1,1\n") == "accepted");
  CHECK(refusal("run,0,128x128\x07,128,1,1,4096,0,1,1,1,1\n").find("not printable") != std::string::npos);
}

TEST_CASE("what an optimisation gains comes from builds of one run, not from stamps at several clocks") {
  const ChipTimelines chip = shipped();
  const auto longer = [&](const char* without) {
    const ChipRun *on = nullptr, *off = nullptr;
    for (const ChipRun& run : chip.runs)
      if (run.d == 128 && run.n == 2048 && !run.causal) {
        if (run.name == "128x128") on = &run;
        if (run.name == std::string("128x128, ") + without) off = &run;
      }
    REQUIRE(on);
    REQUIRE(off);
    REQUIRE(on->ms_beside > 0);
    return off->ms_beside / on->ms_beside - 1;
  };
  // kernels/NOTES.md: 671 TFLOP/s with and without ping-pong, 574 without overlap, 470 without a producer.
  CHECK(std::fabs(longer("no ping-pong")) < 0.005);
  CHECK(longer("no overlap") == Approx(671.0 / 574 - 1).margin(0.01));
  CHECK(longer("no warp specialisation") == Approx(671.0 / 470 - 1).margin(0.01));
}

TEST_CASE("a damaged time of builds beside each other is refused with its line") {
  ChipTimelines chip = shipped();
  const std::string head = "pass,contender,dtype,d,heads,batch,n,causal,sample,ms\n";
  CHECK(add_times_beside(head + "forward,flash_v3 128x128,bf16,128,16,8,2048,0,0,0.41\n", "t.csv", chip).ok());
  const Result<Done> bad =
      add_times_beside(head + "forward,flash_v3 128x128,bf16,128,16,8,2048,0,0,nan\n", "t.csv", chip);
  REQUIRE_FALSE(bad.ok());
  CHECK(text_of(bad.issues()).find("line 2") != std::string::npos);
}
