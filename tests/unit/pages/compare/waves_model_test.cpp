#include "pages/compare/blocks/waves_model.h"

#include "base/units.h"
#include "pages/compare/blocks/warps_model.h"
#include "tests/support/catch.h"
#include "tests/support/h100_problem.h"

using namespace tilewalk;

namespace {

Problem hopper_picture(ScheduleKind kind) {
  Problem p = test::h100_problem(128);
  p.schedule = kind;
  p.machine.sram_bytes = 1 << 20;
  return p;
}

}  // namespace

TEST_CASE("each SM has a square in a grid of the panel's shape, lit where it has work", "[unit]") {
  const Problem p = hopper_picture(ScheduleKind::FlashV1);
  const WavesModel m = build_waves_model(p, run_time(*make_schedule(p)), 440, 120);
  REQUIRE(m.squares.size() == 132);  // an SM without a thread block keeps its place
  CHECK(m.squares[100].tip == "SM 100: nothing to do");
  REQUIRE(m.columns == 22);
  REQUIRE(m.rows == 6);
  int busy = 0;
  for (const SmSquare& s : m.squares) {
    busy += s.busy;
    REQUIRE(s.x < m.columns);
    REQUIRE(s.y < m.rows);
  }
  REQUIRE(busy == 32);
  Problem nearly = hopper_picture(ScheduleKind::FlashV1);
  nearly.shape.batch = 8;
  const WavesModel all = build_waves_model(nearly, run_time(*make_schedule(nearly)), 440, 120);
  REQUIRE(all.squares.size() == 132);
  CHECK(all.squares[130].tip == "SM 130: nothing to do");
  REQUIRE(m.sentence.find("100 SMs have nothing to do.") != std::string::npos);
  REQUIRE(m.title == "FA-1 · thread block = head");
}

TEST_CASE("the sentence below the squares counts thread blocks, waves and what is left of the last", "[unit]") {
  const auto sentence = [](const Problem& p) {
    return build_waves_model(p, run_time(*make_schedule(p)), 440, 120).sentence;
  };
  Problem few = hopper_picture(ScheduleKind::FlashV1);
  few.tiling.br = few.tiling.bc = 64;
  CHECK(sentence(few) == "batch 2 × heads 16 = 32 thread blocks on 132 SMs: 100 SMs have nothing to do.");
  CHECK(sentence(hopper_picture(ScheduleKind::FlashV3))
            .starts_with("batch 2 × heads 16 × 10 Q tiles = 320 thread blocks on 132 SMs: three waves, the last 42 % "
                         "full"));
  Problem split = hopper_picture(ScheduleKind::SplitKv);
  split.shape.batch = 1;
  split.shape.heads = split.shape.kv_heads = 8;
  split.shape.n_q = 1;
  split.shape.n_kv = 65536;
  split.tiling.br = 16;
  split.tiling.bc = 64;
  split.tiling.splits = 16;
  CHECK(sentence(split) ==
        "batch 1 × heads 8 × 1 Q tile × 16 splits = 128 thread blocks on 132 SMs: 4 SMs have nothing to do.");
  Problem none = hopper_picture(ScheduleKind::FlashV2);
  none.numerics.dtype = DType::Fp32;
  none.tiling.br = none.tiling.bc = 512;
  CHECK(sentence(none).find("none fits") != std::string::npos);
  const auto plain = [](const Problem& p) { return build_waves_model(p, run_time(*make_schedule(p)), 440, 120).plain; };
  CHECK(plain(few) == "32 thread blocks for 132 SMs: 100 have nothing to do.");
  CHECK(plain(none) == "No thread block fits on an SM.");
  CHECK(plain(hopper_picture(ScheduleKind::FlashV3)) == "320 thread blocks, one on each of 132 SMs: 3 waves.");
  const auto names_a_launch = [](const std::string& words) { return words.ends_with(" a launch"); };
  const auto model = [](const Problem& p) { return build_waves_model(p, run_time(*make_schedule(p)), 440, 120); };
  const WavesModel three = model(hopper_picture(ScheduleKind::FlashV3)), idle = model(few);
  CHECK(three.figure == "3 waves");
  CHECK(three.figure_words == "a wave: 132 thread blocks at once; 320 in all");
  CHECK(three.waits.starts_with("The last is 42 % full: SMs wait "));
  CHECK(idle.figure == "32 of 132 SMs");
  CHECK(names_a_launch(model(hopper_picture(ScheduleKind::Standard)).figure_words));
  CHECK_FALSE(names_a_launch(three.figure_words));
  CHECK(idle.waits == "The other 100 wait for the whole time: there are only 32 thread blocks.");
}

TEST_CASE("where warpgroups multiply, split-Q divides the rows among these", "[unit]") {
  Problem p = hopper_picture(ScheduleKind::FlashV3);
  p.tiling = {.br = 192, .bc = 128};
  p.shape.n_q = p.shape.n_kv = 1024;
  const WarpsModel m = build_warps_model(*make_schedule(p));
  const WarpsSide& rows = m.sides[1];
  REQUIRE(rows.title == "FA-3 · rows divided: split-Q");
  REQUIRE(rows.rects.size() == 3);
  REQUIRE(rows.rects[1].label == "warpgroup 1");
  REQUIRE(rows.owns == "each warpgroup: 64 of 192 rows, all 128 keys");
  REQUIRE(rows.sentence.find("All 3 read K and V") != std::string::npos);
  REQUIRE(rows.now);
  REQUIRE(m.sides[0].rects.size() == 4);  // FA-1's warps, beside them
  // Each warpgroup reads all of K and V, and its rows of Q, in 16 bits.
  REQUIRE(warp_visit(WarpScheme::SplitQ, 192, 128, p.shape.d, 2, 3).operands.read_bytes ==
          2 * p.shape.d * (192 + 3 * 2 * 128));
}

TEST_CASE("warps are strips of columns in split-K and of rows in split-Q, covering the tile", "[unit]") {
  const auto schedule = make_schedule(hopper_picture(ScheduleKind::FlashV2));
  const WarpsModel m = build_warps_model(*schedule);
  REQUIRE(m.sides.size() == 2);
  for (const WarpsSide& side : m.sides) {
    double area = 0;
    for (const WarpRect& r : side.rects) area += (r.x1 - r.x0) * (r.y1 - r.y0);
    REQUIRE(area == Approx(1));
    REQUIRE(side.rects.size() == 4);
  }
  REQUIRE(m.sides[0].rects[1].x0 == Approx(0.25));
  REQUIRE(m.sides[1].rects[1].y0 == Approx(0.25));
  REQUIRE(m.sides[0].barriers == "4 barriers a visit");
  REQUIRE(m.sides[0].barrier_reasons.size() == 4);
  CHECK(m.sides[1].price == "0 B to add up O");
  REQUIRE(m.sides[1].exchange == "nothing passes between warps");
  REQUIRE(m.sides[1].figure == "0 B");  // the largest figure of a side
  REQUIRE(m.sides[1].whole_run == "between warps in the whole run, no barrier to add up O");
  REQUIRE(m.sides[0].figure == format_bytes(m.sides[0].totals.exchange.bytes()));
  REQUIRE(m.sides[0].whole_run.ends_with(" barriers to add up O"));
  REQUIRE(m.sides[0].owns == "each warp: all 128 rows, 32 of 128 keys");
  REQUIRE(m.sides[1].owns == "each warp: 32 of 128 rows, all 128 keys");
  REQUIRE(m.sides[0].rects[1].tip == "warp 1: rows 0 to 127, keys 32 to 63");
  REQUIRE(m.sides[1].rects[3].tip == "warp 3: rows 96 to 127, keys 0 to 127");
  REQUIRE((m.sides[0].reduces && !m.sides[1].reduces));
  REQUIRE((!m.sides[0].now && m.sides[1].now));
  REQUIRE(build_warps_model(*make_schedule(hopper_picture(ScheduleKind::FlashV1))).sides[0].now);
  REQUIRE(m.sentence.find("532 KiB") != std::string::npos);  // 128 rows x (4 x 130 + 4 x 136) x 4 B
}

TEST_CASE("FA-4's warps have its own roles: two softmax warpgroups divide the rows, and others multiply and correct") {
  const WarpsModel m = build_warps_model(*make_schedule(hopper_picture(ScheduleKind::FlashV4)), 4);
  const WarpsSide& own = m.sides[1];
  CHECK(own.now);
  CHECK(own.title.starts_with("FA-4"));
  REQUIRE(own.rects.size() == 2);
  CHECK(own.rects[0].label == "softmax 0");
  CHECK(own.rects[1].label == "softmax 1");
  CHECK(own.way == "in tensor memory");
  for (const char* role : {"MMA warp", "correction warpgroup", "load warp", "store warp", "Not modelled"})
    CHECK(own.sentence.find(role) != std::string::npos);
}

TEST_CASE(
    "the squares of SMs show the state at the cursor: nothing before the first step, after the last the whole run") {
  const Problem p = hopper_picture(ScheduleKind::FlashV2);
  const RunTime run = run_time(*make_schedule(p));
  const WavesModel whole = build_waves_model(p, run, 440, 120);
  const auto sum_at = [&](double share) {
    WavesModel m = whole;
    show_at_cursor(m, run.waves, share);
    double sum = 0;
    for (const SmSquare& square : m.squares) sum += square.share;
    CHECK(m.at_cursor.empty() == (share >= 1));
    return sum;
  };
  CHECK(sum_at(0) == 0);
  CHECK(sum_at(1) > 1);
  for (const double share : {0.25, 0.5}) CHECK(sum_at(share) == Approx(share * run.waves.sms).epsilon(0.01));
  WavesModel half = whole;
  show_at_cursor(half, run.waves, 0.5);
  CHECK(half.at_cursor.starts_with("At the cursor 50 % of its time is over: "));
}
