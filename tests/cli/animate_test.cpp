// render --animate: the frames are the pictures that render --step draws.
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/run_program.h"

using namespace tilewalk;
using test::tilewalk_says;

namespace {

// Drivers leak.
test::Said draws(const std::string& words) { return tilewalk_says(words, "ASAN_OPTIONS=detect_leaks=0"); }

}  // namespace

TEST_CASE("the first and last frames of a walk equal render's pictures of those steps") {
  test::TemporaryFolder folder;
  const std::string render = "render --preset paper --size 480x360 --out ";
  const test::Said walk = draws(render + folder.file("%02d.png") + " --animate 3:6 --json");
  if (walk.exit == 2 && walk.err.find("EGL") != std::string::npos) return test::skip("no picture can be drawn here");
  CAPTURE(walk.err);
  REQUIRE(walk.exit == 0);
  CHECK(nlohmann::json::parse(walk.out)["frames"] == 4);
  for (const auto& [frame, step] : {std::pair{"01.png", "3"}, std::pair{"04.png", "6"}}) {
    REQUIRE(draws(render + folder.file("step.png") + " --step " + step).exit == 0);
    CHECK(test::read_text(folder.file("step.png")) == test::read_text(folder.file(frame)));
  }
  const test::Said tiles = draws(render + folder.file("walk.gif") + " --animate 0:19 --every tile --json");
  REQUIRE(tiles.exit == 0);
  // The start, a visit, the next, the end of the Q tile; between two of them 15 pictures of a motion.
  CHECK(nlohmann::json::parse(tiles.out)["frames"] == 4 + 3 * 15);
  CHECK(test::read_text(folder.file("walk.gif")).starts_with("GIF89a"));
}

TEST_CASE("a film with an end begins with what it shows, and closes on the finished walk") {
  test::TemporaryFolder folder;
  const std::string render = "render --preset paper --size 480x360 --out ";
  const test::Said walk = draws(render + folder.file("%02d.png") + " --animate 3:4:end --json");
  if (walk.exit == 2 && walk.err.find("EGL") != std::string::npos) return test::skip("no picture can be drawn here");
  CAPTURE(walk.err);
  REQUIRE(walk.exit == 0);
  CHECK(nlohmann::json::parse(walk.out)["frames"] == 4);
  REQUIRE(draws(render + folder.file("first.png") + " --step 3").exit == 0);
  CHECK(test::read_text(folder.file("first.png")) == test::read_text(folder.file("02.png")));
  CHECK(test::read_text(folder.file("first.png")) != test::read_text(folder.file("01.png")));
  REQUIRE(draws(render + folder.file("last.png") + " --step 30").exit == 0);
  CHECK(test::read_text(folder.file("last.png")) == test::read_text(folder.file("04.png")));
  CHECK(draws(render + folder.file("zoom.gif") + " --animate zoom:end").exit == 2);
}

TEST_CASE("between two stills a film has the pictures of the step's motion, as many a second as asked") {
  test::TemporaryFolder folder;
  const std::string render = "render --preset paper --size 1280x720 --out ";
  const test::Said walk = draws(render + folder.file("%02d.png") + " --animate 3:4 --fps 5 --json");
  if (walk.exit == 2 && walk.err.find("EGL") != std::string::npos) return test::skip("no picture can be drawn here");
  REQUIRE(walk.exit == 0);
  CHECK(nlohmann::json::parse(walk.out)["frames"] == 2 + 5);
  REQUIRE(draws(render + folder.file("half.png") + " --step 4 --then 'hold-motion 0.5'").exit == 0);
  CHECK(test::read_text(folder.file("half.png")) == test::read_text(folder.file("04.png")));
  REQUIRE(draws(render + folder.file("step.png") + " --step 4").exit == 0);
  CHECK(test::read_text(folder.file("step.png")) == test::read_text(folder.file("07.png")));
  CHECK(test::read_text(folder.file("step.png")) != test::read_text(folder.file("04.png")));
}

TEST_CASE("the zoom out of one tile is filmed from one score to the largest square") {
  test::TemporaryFolder folder;
  const std::string render = "render --preset paper --size 640x480 --out ";
  const test::Said zoom = draws(render + folder.file("%02d.png") + " --animate zoom --json");
  if (zoom.exit == 2 && zoom.err.find("EGL") != std::string::npos) return test::skip("no picture can be drawn here");
  CAPTURE(zoom.err);
  REQUIRE(zoom.exit == 0);
  const int frames = nlohmann::json::parse(zoom.out)["frames"];
  CHECK(frames == 10);  // a picture a frame: one of each square
  REQUIRE(draws(render + folder.file("end.png") + " --then 'hold-zoom 1'").exit == 0);
  CHECK(test::read_text(folder.file("end.png")) == test::read_text(folder.file("10.png")));
  CHECK(test::read_text(folder.file("end.png")) != test::read_text(folder.file("09.png")));
}

TEST_CASE("the tour of the first minute is filmed as it plays: its scenes, one after the other, at its pace") {
  test::TemporaryFolder folder;
  const test::Said watch =
      draws("render --size 1280x720 --animate watch --fps 1 --json --out " + folder.file("%02d.png"));
  if (watch.exit == 2 && watch.err.find("EGL") != std::string::npos) return test::skip("no picture can be drawn here");
  CAPTURE(watch.err);
  REQUIRE(watch.exit == 0);
  const int frames = nlohmann::json::parse(watch.out)["frames"];
  CHECK(frames >= 44);
  CHECK(frames <= 48);
  std::set<std::string> scenes;  // a row, a Q tile, two walks, the zoom, what it wins
  for (const char* const frame : {"08.png", "26.png", "36.png", "41.png", "44.png"})
    scenes.insert(test::read_text(folder.file(frame)));
  CHECK(scenes.size() == 5);
}

TEST_CASE("a walk that cannot be drawn is refused with its rule") {
  test::TemporaryFolder folder;
  const std::pair<const char*, const char*> wrong[] = {{"--animate 5:2", "animate = 5:2"},
                                                       {"--animate 1", "animate = 1:"},
                                                       {"--animate 0:9999", "92 steps"},
                                                       {"--animate 1:3 --every row", "every = row"},
                                                       {"--animate 1:3 --ms 5", "ms = 5"},
                                                       {"--animate 1:3 --step 2", "step = 2"},
                                                       {"--every tile", "--animate FROM:TO"},
                                                       {"--preset large --animate 0:1136", "4000 frames"},
                                                       {"--animate 1:3 --fps 51", "fps = 51"},
                                                       {"--fps 5", "--animate FROM:TO"},
                                                       {"--animate zoom --every tile", "every = tile"},
                                                       {"--animate watch --every tile", "every = tile"},
                                                       {"--animate watch", "size = 320x320"},
                                                       {"--animate watch --ms 500", "ms = 500"},
                                                       {"--animate watch --fps 0", "fps = 0"},
                                                       {"--animate watch --panel scores", "panel = scores"},
                                                       {"--animate watch --picture post", "picture = post"},
                                                       {"--animate watch:end", "animate = watch:end"}};
  for (const auto& [words, part] : wrong) {
    CAPTURE(words);
    const test::Said said = draws(std::string("render --size 320x320 ") + words + " --out " + folder.file("x.gif"));
    CHECK(said.exit == 2);
    CHECK(said.err.find(part) != std::string::npos);
  }
  CHECK(std::filesystem::is_empty(folder.path()));
}
