// The curves of the race's page, and the looks by which its kernels are told apart.
#include <algorithm>
#include <cmath>

#include "core/problem/contender.h"
#include "pages/race/race_model.h"
#include "tests/support/catch.h"
#include "tests/unit/pages/race/small_race.h"

using namespace tilewalk;
using test::race_row;
using test::races_with;
using test::small_race;

TEST_CASE("curves join only neighbouring N and mark points without a figure") {
  const RaceModel m = build_race_model(races_with(small_race()), false);
  REQUIRE(m.curves.size() == 2);
  CHECK(m.curves[0].points.size() == 1);
  CHECK(m.curves[0].no_memory.size() == 1);
  CHECK(m.curves[0].missing.size() == 1);
  CHECK((m.marks_no_memory && m.marks_missing));
  REQUIRE(m.curves[1].points.size() == 3);
  CHECK_FALSE(m.curves[1].points[0].joined);
  CHECK(m.curves[1].points[2].joined);
  CHECK(m.curves[1].points[0].x == 0);
  CHECK(m.curves[1].points[1].x == Approx(0.5));
  CHECK(m.curves[1].points[2].x == 1);
  for (const RaceCurve& curve : m.curves)
    for (const RacePoint& point : curve.points) {
      CHECK(point.y >= 0);
      CHECK(point.y <= 1);
    }
  REQUIRE(m.peak_y);
  CHECK(*m.peak_y > m.curves[1].points[0].y);
  // On the logarithmic axis equal ratios are equal distances.
  const auto& rows = small_race().rows;
  const double per_log = (*m.peak_y - m.curves[1].points[0].y) / std::log(0.5 / rows[1].tflops());
  CHECK((m.curves[1].points[0].y - m.curves[0].points[0].y) / per_log == Approx(std::log(2.0)));

  Race gap = small_race();
  gap.rows[3].ms = {10, 99, 50};
  const RaceModel broken = build_race_model(races_with(gap), false);
  REQUIRE(broken.curves[1].points.size() == 2);
  CHECK_FALSE(broken.curves[1].points[1].joined);
}

TEST_CASE("no two contenders of one race look alike without colour") {
  for (const auto& race : {std::vector<std::string>{"naive", "flash_v1", "flash_v2", "flash_v3", "torch_efficient",
                                                    "torch_flash", "torch_cudnn"},
                           std::vector<std::string>{"cpu_naive", "cpu_tiled"}})
    for (std::size_t i = 0; i < race.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const RaceLook a = look_of(race[i]), b = look_of(race[j]);
        INFO(race[i] << " and " << race[j]);
        CHECK((a.shape != b.shape || a.hollow != b.hollow));
      }
}

TEST_CASE("a curve that ends before the others says why") {
  Races races;
  Result<Race> race = load_shipped_race(TILEWALK_SOURCE_DIR);
  REQUIRE(race.ok());
  races.recorded = std::make_shared<const Race>(std::move(*race));
  races.choice = {.source = RaceSource::Recorded, .n = 8192, .d = 64, .all = true};
  int ended = 0;
  for (const RaceCurve& curve : build_race_model(races, false).curves) {
    INFO(curve.title);
    ended += !curve.end.empty();
    if (curve.title.starts_with("FA-1")) CHECK(curve.end == "not raced beyond 16k: one thread block a head");
    if (curve.title.starts_with("Naive")) CHECK(curve.end.empty());  // raced at 64k, and out of memory
  }
  CHECK(ended == 1);
}
