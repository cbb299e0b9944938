// The pencil method of lessons 14 and 15, compared with every pair that it may ask; and how five of them are sampled.
#include "session/wins/win_shapes.h"

#include <algorithm>
#include <set>

#include "core/predict/pencil_method.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

const RaceTimes& times() {
  static const RaceTimes kTimes = *load_race_times(std::string(TILEWALK_SOURCE_DIR));
  return kTimes;
}

std::vector<WinShape> asked_on(const char* device) { return win_shapes(times(), device_of(device)); }

std::vector<std::string> names_of(const std::vector<WinShape>& shapes) {
  std::vector<std::string> out;
  for (const WinShape& s : shapes)
    out.push_back(std::string(s.method->id) + " " + std::to_string(s.call.n) + " " + std::to_string(s.call.d) + " " +
                  std::to_string(s.call.heads) + " " + std::to_string(s.call.batch) + (s.call.causal ? " causal" : ""));
  return out;
}

}  // namespace

TEST_CASE("the pencil method predicts the speed-up of every pair that may be asked within 20 % in the median") {
  const DeviceModel& h200 = device_of("h200");
  std::vector<double> errors;
  for (const WinShape& shape : asked_on("h200")) {
    const WinAnswer answer = answer_of(shape, h200, &times());
    CHECK(answer.recorded);
    CHECK(answer.win() > 1);
    errors.push_back(answer.error());
  }
  const Spread spread = spread_of(errors);
  CHECK(spread.points > 50);
  CHECK(spread.median < 0.20);
  CHECK(spread.worst < 0.40);
}

TEST_CASE("a seed samples five shapes, none twice, of as many kinds as there are") {
  const std::vector<WinShape> all = asked_on("h200");
  std::set<std::vector<std::string>> sets;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<WinShape> five = sampled_by(seed, 5, all);
    const std::vector<std::string> names = names_of(five);
    CHECK(names == names_of(sampled_by(seed, 5, all)));
    CHECK(std::set<std::string>(names.begin(), names.end()).size() == 5);
    std::set<std::string> kinds;
    for (const WinShape& s : five)
      kinds.insert(std::string(s.method->id) + std::to_string(s.call.d) + (s.call.causal ? "c" : ""));
    CHECK(kinds.size() == 5);
    sets.insert(names);
  }
  CHECK(sets.size() > 15);
}

TEST_CASE("a card is asked only what it can run, and a card without recordings is answered by the model") {
  for (const WinShape& shape : asked_on("a100")) CHECK(shape.method->id == std::string("flash_v2"));
  const std::vector<WinShape> h100 = asked_on("h100");
  REQUIRE_FALSE(h100.empty());
  CHECK_FALSE(answer_of(h100.front(), device_of("h100"), &times()).recorded);
  CHECK(asked_on("t4").empty());
}
