#include "view/walk/traffic_model.h"

#include "core/schedules/registry.h"
#include "core/witness/formulas.h"
#include "tests/unit/view/view_fixture.h"

using namespace tilewalk;
using tilewalk::test::picture;
using tilewalk::test::Walk;

TEST_CASE("the bars are the schedules' own totals, and their parts add up to them") {
  for (const ScheduleKind kind : all_schedules()) {
    Walk walk(picture(kind));
    const WholeRuns runs = whole_runs(*walk.schedule);
    const std::int64_t end = walk.schedule->step_count();
    const TrafficModel m = build_traffic_model(*walk.schedule, runs, end);
    REQUIRE(m.bars.size() == 3);
    for (const TrafficBar& bar : m.bars) {
      std::int64_t bytes = 0;
      for (const TrafficPart& part : bar.parts) bytes += part.read_bytes + part.write_bytes;
      CHECK(bytes == bar.bytes);
    }
    const Traffic own = walk.schedule->totals_before(end).cost.hbm_total();
    CHECK(m.bars[2].bytes == own.read_bytes + own.write_bytes);
    CHECK(m.bars[kind == schedule_row(kind).family.naive ? 0 : 1].bytes == m.bars[2].bytes);
  }
}

TEST_CASE("both schedules show the same two whole runs") {
  Walk naive(picture(ScheduleKind::Standard)), flash(picture(ScheduleKind::FlashV2));
  const auto a = build_traffic_model(*naive.schedule, whole_runs(*naive.schedule), 0),
             b = build_traffic_model(*flash.schedule, whole_runs(*flash.schedule), 0);
  for (int i : {0, 1}) CHECK(a.bars[std::size_t(i)].bytes == b.bars[std::size_t(i)].bytes);
}

TEST_CASE("where both move nearly as many bytes, a percentage says the difference") {
  Problem p = picture();  // a decode step: K and V once on each side, and naive's one row of scores
  p.shape.n_q = 1;
  p.shape.n_kv = 8192;
  p.shape.d = p.tiling.br = p.tiling.bc = 64;
  p.machine.sram_bytes = 232448;
  p.shape.mask = {};
  Walk walk(p);
  const TrafficModel m = build_traffic_model(*walk.schedule, whole_runs(*walk.schedule), 0);
  REQUIRE(m.bars[0].bytes > m.bars[1].bytes);
  CHECK(m.bars[1].text.find("×") == std::string::npos);
  CHECK(m.bars[1].text.ends_with(" % less"));
}

TEST_CASE("where the tiled walk moves more, the text says so") {
  Problem p = picture();
  p.shape.n_q = p.shape.n_kv = 8;
  p.shape.d = 64;
  p.tiling.br = p.tiling.bc = 1;
  p.shape.mask = {};
  p.machine.sram_bytes = 1 << 16;
  Walk walk(p);
  const TrafficModel m = build_traffic_model(*walk.schedule, whole_runs(*walk.schedule), 0);
  CHECK((m.bars[1].bytes > m.bars[0].bytes) == (m.bars[1].text.find("more") != std::string::npos));
}

TEST_CASE("at the start the counter is zero") {
  Walk walk(picture());
  CHECK(build_traffic_model(*walk.schedule, whole_runs(*walk.schedule), 0).bars[2].text == "0 B");
}

TEST_CASE("the total of naive attention says its tiles and the types of S and P") {
  for (const ScheduleKind kind : all_schedules()) {
    Walk walk(picture(kind));
    const TrafficModel m = build_traffic_model(*walk.schedule, whole_runs(*walk.schedule), 0);
    CHECK(m.bars[0].basis == "tiles 4×4, S and P in fp32");
    CHECK(m.bars[1].basis == "tiles 4×4");
    CHECK(m.bars[2].basis.empty());
  }
  Problem p = picture();
  p.numerics.dtype = DType::Bf16;
  CHECK(basis_of_naive(p) == "tiles 4×4, S in fp32, P in bf16");
  Problem timed = p, tiled = p;
  timed.numerics.narrow_scores = true;
  CHECK(basis_of_naive(timed) == "tiles 4×4, S and P in bf16");
  tiled.schedule = ScheduleKind::FlashV2;
  CHECK(basis_of(tiled) == "tiles 4×4");
}

TEST_CASE("a ratio of bytes is rounded as one of times: no digit after the point from 10 on") {
  CHECK(bytes_against(1148, 100) == "11× less");
  CHECK(bytes_against(281, 100) == "2.8× less");
  CHECK(bytes_against(100, 1148) == "11× more");
}
