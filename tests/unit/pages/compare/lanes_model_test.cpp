#include "pages/compare/lanes_model.h"

#include <algorithm>
#include <cmath>

#include "tests/support/catch.h"
#include "tests/support/h100_problem.h"

using namespace tilewalk;

namespace {

Problem fa3_problem() {
  Problem p = test::h100_problem(128);
  p.schedule = ScheduleKind::FlashV3;
  p.lanes.overlap = false;
  return p;
}

struct Lanes {
  Problem problem;
  std::unique_ptr<const Schedule> schedule;
  Timeline timeline;
  explicit Lanes(const Problem& p) : problem(p), schedule(make_schedule(p)), timeline(build_timeline(*schedule)) {}
  LanesSource source() const { return {&problem, &timeline}; }
};

}  // namespace

TEST_CASE("a lane's boxes are in order inside the strip, softmax pieces joined, waiting hatched", "[unit]") {
  const Lanes now(fa3_problem());
  const LanesModel m = build_lanes_model(now.source(), std::nullopt, {}, 0, 100000);
  REQUIRE(m.pictures.size() == 1);
  REQUIRE(m.pictures[0].rows.size() == 3);
  REQUIRE(m.pictures[0].rows[1].name == "consumer 0");
  int exps = 0, waits = 0;
  for (const LaneRow& row : m.pictures[0].rows) {
    double reached = 0;
    for (const LaneBox& box : row.boxes) {
      REQUIRE(box.x0 >= reached - 1e-9);
      REQUIRE(box.x1 <= 1 + 1e-9);
      REQUIRE(box.hatched == (box.kind == LaneBoxKind::Waiting));
      reached = box.x1;
      exps += box.kind == LaneBoxKind::Softmax;
      waits += box.hatched;
    }
  }
  REQUIRE(exps == 2 * 10);  // row max, rescale, exp and row sum of a tile are one box
  REQUIRE(waits > 0);
  REQUIRE(m.pictures[0].rows[1].boxes[1].label == "QKᵀ 0");
  REQUIRE(m.pictures[0].rows[1].boxes[2].hatched);  // until the product is seen
  REQUIRE(m.pictures[0].rows[1].boxes[2].tip ==
          "waiting for a product to finish: " + std::to_string(std::lround(190 * now.timeline.stretch)) + " cycles");
  REQUIRE(m.pictures[0].rows[1].boxes[3].label == "exp 0");
}

TEST_CASE("boxes are folded into columns, so that their number depends on pixels", "[unit]") {
  Problem p = fa3_problem();
  p.shape.n_q = p.shape.n_kv = 128 * 600;
  const Lanes now(p);
  for (const double width : {60.0, 300.0, 900.0}) {
    const LanesModel m = build_lanes_model(now.source(), std::nullopt, {}, 0, width);
    for (const LaneRow& row : m.pictures[0].rows) {
      REQUIRE(row.boxes.size() <= std::size_t(width / 3 * 2) + 2);
      REQUIRE(row.boxes.size() > 10);
    }
  }
}

TEST_CASE("pinned and current lanes share one scale; the sentence says why one is shorter, and the table by how much",
          "[unit]") {
  Problem on = fa3_problem();
  on.lanes.overlap = true;
  const Lanes pinned(fa3_problem()), now(on);
  const LanesModel m = build_lanes_model(now.source(), pinned.source(), what_it_removes(now.problem), 0, 1400);
  REQUIRE(m.pictures.size() == 2);
  REQUIRE(m.pictures[0].title == "Pinned: warp specialisation, ping-pong · 4 stages");
  REQUIRE(m.pictures[1].title == "Now: warp specialisation, ping-pong, overlap inside a warpgroup · 4 stages");
  REQUIRE(m.pictures[0].rows[2].boxes.back().x1 == Approx(1).epsilon(0.02));
  REQUIRE(m.pictures[1].rows[1].boxes.back().x1 < 0.9);
  const std::string fewer = std::to_string(std::lround(100 * (1 - now.timeline.cycles / pinned.timeline.cycles)));
  REQUIRE(m.sentence.find("Inside each consumer P·V of one tile runs beside the softmax of the next. ") == 0);
  REQUIRE(m.sentence.find("fewer") == std::string::npos);
  REQUIRE(m.switches.size() == 4);
  REQUIRE(m.switches[1].name == "ping-pong");
  REQUIRE(m.switches[2].saves == "saves " + fewer + " %");
  REQUIRE(m.switches[1].saves == "saves nothing here");
}

TEST_CASE("the box of the cursor's step is marked, and the cursor is at its end", "[unit]") {
  const Lanes now(fa3_problem());
  const std::int64_t step = now.schedule->end_step_of_visit(0, {.q_tile = 0, .kv_tile = 3});  // after PV of KV tile 3
  const LanesModel m = build_lanes_model(now.source(), std::nullopt, {}, step, 5000);
  int marked = 0;
  double end = 0;
  for (const LaneRow& row : m.pictures[0].rows)
    for (const LaneBox& box : row.boxes)
      if (box.now) {
        ++marked;
        REQUIRE(box.kind == LaneBoxKind::Accumulate);
        end = std::max(end, box.x1);
      }
  REQUIRE(marked == 2);  // in both consumers
  REQUIRE(m.pictures[0].cursor == Approx(end));
  REQUIRE(build_lanes_model(now.source(), std::nullopt, {}, 0, 5000).pictures[0].cursor == -1);
}

TEST_CASE("a schedule without lanes says so, and a single one says what limits it", "[unit]") {
  Problem p = fa3_problem();
  p.schedule = ScheduleKind::Standard;
  const Lanes none(p);
  REQUIRE_FALSE(build_lanes_model(none.source(), std::nullopt, {}, 0, 500).empty_note.empty());
  const Lanes now(fa3_problem());
  const std::string text = build_lanes_model(now.source(), std::nullopt, {}, 0, 500).sentence;
  INFO(text);
  const long share = std::lround(100 * 10 * 2048 / now.timeline.cycles);  // 10 tiles
  REQUIRE(text.find("At the tensor cores' peak rate all products would take " + std::to_string(share) + " %.") !=
          std::string::npos);
  REQUIRE(text.find("of a consumer's lane, softmax ") != std::string::npos);
}

TEST_CASE("the limit of FA-2 is counted from the boxes of its lanes; loads that wait are idle") {
  Problem p = fa3_problem();
  p.schedule = ScheduleKind::FlashV2;
  const Lanes now(p);
  const LanesModel m = build_lanes_model(now.source(), std::nullopt, {}, 0, 100000);
  double products = 0, softmax = 0, loads = 0;
  std::size_t idle = 0;
  for (const LaneRow& row : m.pictures[0].rows)
    for (const LaneBox& box : row.boxes) {
      if (box.kind == LaneBoxKind::Scores || box.kind == LaneBoxKind::Accumulate) products += box.x1 - box.x0;
      if (box.kind == LaneBoxKind::Softmax) softmax += box.x1 - box.x0;
      if (box.kind == LaneBoxKind::Load) loads += box.x1 - box.x0;
      if (box.hatched) CHECK(row.name == "compute");
      if (box.kind != LaneBoxKind::Idle) continue;
      ++idle;
      CHECK(row.name == "loads");
      CHECK_FALSE(box.hatched);
      CHECK(box.tip.find("waiting for ") == 0);
    }
  CHECK(idle > 4);
  CHECK(std::none_of(m.legend.begin(), m.legend.end(),
                     [](const auto& entry) { return entry.first == LaneBoxKind::Idle; }));
  const auto percent = [](double share) { return std::to_string(std::lround(100 * share)) + " %"; };
  INFO(m.sentence);
  CHECK(m.sentence.find("products take " + percent(products) + " of compute, softmax " + percent(softmax)) !=
        std::string::npos);
  CHECK(m.sentence.find("; loads take " + percent(loads) +
                        " of their lane. At the tensor cores' peak rate products would take ") != std::string::npos);
  CHECK(m.sentence.ends_with(": mma.sync does not reach it."));
}

TEST_CASE("the legend lists what happens, at any width", "[unit]") {
  const Lanes now(fa3_problem());
  const auto wide = build_lanes_model(now.source(), std::nullopt, {}, 0, 20000).legend;
  for (const double width : {60.0, 300.0, 1400.0})
    REQUIRE(build_lanes_model(now.source(), std::nullopt, {}, 0, width).legend == wide);
}

TEST_CASE("the division by l after the last visit is no rescale of O", "[unit]") {
  const Lanes now(fa3_problem());
  const LanesModel m = build_lanes_model(now.source(), std::nullopt, {}, 0, 20000);
  std::size_t divisions = 0;
  for (const LaneRow& row : m.pictures[0].rows)
    for (const LaneBox& box : row.boxes)
      if (box.label == "normalise") {
        ++divisions;
        CHECK(box.kind == LaneBoxKind::Normalise);
      }
  CHECK(divisions == 2);  // one a consumer
  const auto listed = [&](LaneBoxKind kind) {
    return std::any_of(m.legend.begin(), m.legend.end(), [&](const auto& entry) { return entry.first == kind; });
  };
  CHECK(listed(LaneBoxKind::Normalise));
  CHECK_FALSE(listed(LaneBoxKind::Rescale));  // each rescale is part of a softmax box
}

TEST_CASE("boxes are distinguished by the changing tile: for FA-1 the Q tile", "[unit]") {
  Problem p;
  p.schedule = ScheduleKind::FlashV1;
  const Lanes now(p);
  const LanesModel m = build_lanes_model(now.source(), std::nullopt, {}, 0, 100000);
  std::vector<std::string> products;
  for (const LaneRow& row : m.pictures[0].rows)
    for (const LaneBox& box : row.boxes)
      if (box.kind == LaneBoxKind::Scores) products.push_back(box.label);
  REQUIRE(products.size() >= 4);
  for (std::size_t i = 0; i < 4; ++i) REQUIRE(products[i] == "QKᵀ " + std::to_string(i));
}

TEST_CASE("the sentence counts all simulated cycles, however many are drawn") {
  Problem p = fa3_problem();
  p.schedule = ScheduleKind::FlashV2;
  p.shape.n_q = p.shape.n_kv = 65536;
  const std::unique_ptr<const Schedule> schedule = make_schedule(p);
  TimelineOptions options;
  options.most_visits = 8;
  const Timeline timeline = build_timeline(*schedule, options);
  std::string said;
  for (const double cycles : {5000.0, 2000.0}) {
    const LanesModel m = build_lanes_model({&p, &timeline}, std::nullopt, {}, 0, cycles);
    INFO(m.pictures[0].note << "; " << m.sentence);
    CHECK(m.pictures[0].note.starts_with("drawn to cycle "));
    CHECK(m.sentence.find("In the first ") != std::string::npos);
    if (!said.empty()) CHECK(m.sentence == said);
    said = m.sentence;
  }
}
