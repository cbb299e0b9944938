#include "view/walk/o_tile_model.h"

#include <cmath>

#include "tests/unit/view/view_fixture.h"

using namespace tilewalk;
using tilewalk::test::picture;
using tilewalk::test::Walk;

TEST_CASE("the O tile shows the state's values and says whether they were divided") {
  Walk walk(picture());
  const State& state = walk.after(Phase::Accumulate);
  const OTileModel m = build_o_tile_model(*walk.schedule, state, 16, 16);
  CHECK(m.title == "O tile 2 so far, not yet divided by ℓ");
  CHECK(m.numbers);
  CHECK(m.values == state.o);
  CHECK(m.title_on_way.empty());
  const OTileModel divided = build_o_tile_model(*walk.schedule, walk.after(Phase::Normalise), 16, 16);
  CHECK(divided.title == "O tile 2, divided by ℓ");
  CHECK(divided.title_on_way == "O tile 2, being divided by ℓ");
}

TEST_CASE("a split's O is divided by the split's own sum before it goes to HBM") {
  Problem p = picture(ScheduleKind::SplitKv);
  p.tiling.splits = 4;
  Walk walk(p);
  for (const Phase phase : {Phase::Normalise, Phase::StorePartial})
    CHECK(build_o_tile_model(*walk.schedule, walk.after(phase), 16, 16).title == "O tile 2, divided by ℓ");
}

TEST_CASE("a large tile is sampled to the available room, with the scale of the whole tile") {
  Problem p = picture();
  p.shape.n_q = p.shape.n_kv = 256;
  p.shape.d = 128;
  p.tiling.br = p.tiling.bc = 64;
  p.machine.sram_bytes = 1 << 20;
  Walk walk(p);
  const State& state = walk.after(Phase::Accumulate, 2, 1);
  const OTileModel m = build_o_tile_model(*walk.schedule, state, 16, 32);
  CHECK(m.rows <= 16);
  CHECK(m.cols <= 32);
  CHECK(m.values.size() == std::size_t(m.rows * m.cols));
  CHECK_FALSE(m.numbers);
  float largest = 0;
  for (const float v : state.o) largest = std::max(largest, std::fabs(v));
  CHECK(m.largest == largest);
}

TEST_CASE("before the first step the rows of the first O tile are to come, and no value is there") {
  Walk walk(picture());
  const OTileModel m = build_o_tile_model(*walk.schedule, walk.at(0), 16, 16);
  CHECK(m.title == "O tile 0, to come");
  CHECK(m.rows_to_come == 4);
  CHECK(m.rows == 0);
  CHECK(m.values.empty());
  CHECK(build_o_tile_model(*walk.schedule, walk.at(1), 16, 16).rows_to_come == 0);
}

TEST_CASE("without an O tile there is a reason instead") {
  Walk walk(picture(ScheduleKind::Standard));
  CHECK(build_o_tile_model(*walk.schedule, walk.at(0), 16, 16).note == "Nothing has been summed yet.");
  CHECK(build_o_tile_model(*walk.schedule, walk.after(Phase::Scores), 16, 16).note == "O is made in the third pass.");
}
