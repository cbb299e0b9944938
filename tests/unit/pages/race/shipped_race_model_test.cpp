// The page of the race with the race that is shipped: its labels, and which of its kernels are shown.
#include <algorithm>

#include "measured/recorded_race.h"
#include "pages/race/race_model.h"
#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("the shipped race is labelled as recorded, with card, driver and date") {
  Races races;
  Result<Race> race = load_shipped_race(TILEWALK_SOURCE_DIR);
  REQUIRE(race.ok());
  races.recorded = std::make_shared<const Race>(std::move(*race));
  const RaceModel m = build_race_model(races, false);
  CHECK(m.badge == "RECORDED");
  for (const char* part : {"NVIDIA H200", "580.159.04", "2026-11-28", "PyTorch"})
    CHECK(m.heading.find(part) != std::string::npos);
  CHECK(m.bars.size() == 3);
  CHECK(races.choice.metric == RaceMetric::Time);  // who is done first
  races.choice.n = 65536;
  const RaceModel longest = build_race_model(races, false);
  CHECK(longest.figure == "256 GiB");  // 2 bytes of each of 32 x 65,536 x 65,536 scores
  CHECK(longest.figure_words.find("naive runs out of memory at N 65,536. FA-3 by Tilewalk takes 68.1") !=
        std::string::npos);
  races.choice.n = 0;
  CHECK(m.curves.size() == m.bars.size());
  races.choice.all = true;
  const RaceModel all = build_race_model(races, false);
  CHECK(all.bars.size() >= 6);
  CHECK(all.curves.size() >= all.bars.size());
  CHECK(m.sources.size() == 2);  // no GPU here
  CHECK(build_race_model(races, true).sources.size() == 3);
}

TEST_CASE("of many kernels the winner, the best of PyTorch and naive are shown, until all are asked for") {
  Races races;
  Result<Race> race = load_shipped_race(TILEWALK_SOURCE_DIR);
  REQUIRE(race.ok());
  races.recorded = std::make_shared<const Race>(std::move(*race));
  races.choice = {.source = RaceSource::Recorded, .metric = RaceMetric::Rate, .n = 8192, .d = 64};
  const RaceModel few = build_race_model(races, false);
  races.choice.all = true;
  const RaceModel all = build_race_model(races, false);
  REQUIRE(all.bars.size() > 4);
  CHECK(few.kernels.label == "all " + std::to_string(all.bars.size()) + " kernels");
  CHECK(few.kernels.choice == ChooseRace{.all = true});
  CHECK(all.kernels.choice == ChooseRace{.all = false});
  REQUIRE(few.bars.size() == 3);
  CHECK(few.table.size() == 3);
  CHECK(few.curves.size() == 3);
  const auto best = [](const RaceModel& m) {
    return std::find_if(m.bars.begin(), m.bars.end(), [](const RaceBar& bar) { return bar.best; })->title;
  };
  CHECK(best(few) == best(all));
  CHECK(few.figure == all.figure);
  CHECK(few.figure_words == all.figure_words);  // names the best of PyTorch too
  CHECK(few.bars[0].title.starts_with("Naive"));
  CHECK(few.bars[2].title.starts_with("PyTorch"));
  for (const RaceBar& bar : all.bars)
    if (bar.title.starts_with("PyTorch"))
      CHECK(bar.share <= few.bars[2].share / few.bars[0].share * all.bars[0].share + 1e-9);
}
