// The recorded lanes above the modelled ones, and the page's text about them.
#include "pages/compare/chip_lanes_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "base/units.h"
#include "core/walk/schedule.h"
#include "pages/compare/chip_comparison.h"
#include "pages/compare/compare_controller.h"
#include "tests/support/catch.h"
#include "view/words/predict_words.h"

using namespace tilewalk;

namespace {

Problem like_the_recorded() {
  Problem p;
  p.schedule = ScheduleKind::FlashV3;
  p.shape.batch = 8, p.shape.heads = p.shape.kv_heads = 16;
  p.shape.n_q = p.shape.n_kv = 2048;
  p.shape.d = p.tiling.br = p.tiling.bc = 128;
  p.numerics.dtype = DType::Bf16;
  p.machine.device = "h200";
  p.machine.sram_bytes = 232448;
  p.shape.mask.kind = MaskKind::None;
  return p;
}

struct LanesOnScreen {
  ChipLanes chip;
  LanesModel model;
};

const ChipTimelines& shipped_stamps() {
  static const Result<ChipTimelines> file =
      load_chip_timelines(std::string(TILEWALK_SOURCE_DIR) + "/" + kChipTimelineFile);
  REQUIRE(file.ok());
  return *file;
}

LanesOnScreen page_of(const Problem& p) {
  LanesOnScreen page{chip_lanes_for(shipped_stamps(), p), {}};
  TimelineOptions options;
  options.most_visits = 16;
  const Timeline modelled = build_timeline(*make_schedule(p), options);
  std::optional<LanesSource> pinned;
  if (page.chip.run) pinned = LanesSource{&p, &page.chip.timeline};
  page.model = build_lanes_model({&p, &modelled}, pinned, {}, 0, 1200);
  describe_chip(page.chip, p, modelled, page.model);
  return page;
}

Segment segment(int lane, Doing doing, double start, double end, std::int64_t tile = 0) {
  Segment s;
  s.lane = lane, s.doing = doing, s.start = start, s.end = end, s.kv_tile = tile;
  return s;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the recorded lanes are above the model's, with card, run and clock") {
  const LanesOnScreen page = page_of(like_the_recorded());
  REQUIRE(page.model.pictures.size() == 2);
  const LanesPicture& chip = page.model.pictures[0];
  CHECK(has(chip.title, "Recorded on an NVIDIA H200: tiles 128×128 · SM "));
  CHECK(has(chip.title, "GHz"));
  CHECK(has(page.model.pictures[1].title, "Modelled: warp specialisation, ping-pong, overlap"));
  REQUIRE(chip.rows.size() == page.model.pictures[1].rows.size());
  for (std::size_t i = 0; i < chip.rows.size(); ++i) {
    CHECK(chip.rows[i].name == page.model.pictures[1].rows[i].name);
    CHECK_FALSE(chip.rows[i].boxes.empty());
  }
  for (const LaneRow& row : chip.rows)
    for (const LaneBox& box : row.boxes) CHECK(box.first_step == box.end_step);  // a click leads nowhere
}

TEST_CASE("where the recorded problem is another one, the page says so") {
  Problem p = like_the_recorded();
  p.shape.n_q = p.shape.n_kv = 1280;
  p.shape.heads = p.shape.kv_heads = 2;
  p.numerics.dtype = DType::Fp16;
  p.machine.device = "h100";
  const std::string text = differences_from(*chip_lanes_for(shipped_stamps(), p).run, p);
  for (const char* part : {"N 2,048, not 1,280", "16 heads, not 8 × 2", "bf16", "an H200"}) {
    INFO(part << " in: " << text);
    CHECK(has(text, part));
    // As many heads in all, in other batches, and heads that share K and V, are another problem.
    const ChipRun& run = *chip_lanes_for(shipped_stamps(), p).run;
    Problem same = recorded_problem(run);
    CHECK(differences_from(run, same).find("heads") == std::string::npos);
    std::swap(same.shape.batch, same.shape.heads);
    same.shape.kv_heads = same.shape.heads;
    CHECK(differences_from(run, same).find("heads, not") != std::string::npos);
    same = recorded_problem(run);
    same.shape.kv_heads = 1;
    CHECK(differences_from(run, same).find("a KV head for each head") != std::string::npos);
  }
}

TEST_CASE("lane options that no build turned off together are reported") {
  Problem p = like_the_recorded();
  p.lanes.warp_specialised = p.lanes.ping_pong = false;
  const LanesOnScreen page = page_of(p);
  CHECK(page.chip.run == nullptr);
  REQUIRE(page.model.pictures.size() == 1);
  CHECK(has(page.model.sentence, "was not recorded with just these switches"));
}

TEST_CASE("the model's lanes visit the recorded Q tile's KV tiles in the recorded order, of every run") {
  int whole = 0;
  for (const ChipRun& run : shipped_stamps().runs) {
    if (run.blocks.empty()) continue;
    const Problem there = recorded_problem(run);
    const ChipLanes chip = chip_lanes_for(shipped_stamps(), there);
    if (chip.run != &run) continue;  // another build has the same lane options
    INFO(run.name << ", d " << run.d << ", N " << run.n << (run.causal ? ", causal" : ""));
    TimelineOptions options;
    options.group = chip.q_tile, options.most_visits = chip.timeline.visits;
    const Timeline modelled = build_timeline(*make_schedule(there), options);
    const auto tiles = [](const Timeline& t, int lane) {
      std::vector<std::int64_t> out;
      for (const Segment& s : t.segments)
        if (s.lane == lane && s.doing == Doing::Scores) out.push_back(s.kv_tile);
      return out;
    };
    REQUIRE(chip.timeline.lanes.size() == modelled.lanes.size());
    for (int lane = 1; lane < int(modelled.lanes.size()); ++lane) {
      std::vector<std::int64_t> model = tiles(modelled, lane);
      const std::vector<std::int64_t> seen = tiles(chip.timeline, lane);
      if (seen.empty()) {  // a short Q tile
        CHECK(has(chip.skipped, (modelled.lanes[std::size_t(lane)].name + " has no rows").c_str()));
        continue;
      }
      CHECK(model.front() == chip.first_kv_tile);
      // A consumer skips the first tile if its rows see no key of it.
      const std::int64_t missed = model.front() - seen.front();
      CHECK(missed >= 0);
      CHECK(missed <= (run.causal ? 1 : 0));
      REQUIRE(std::find(model.begin(), model.end(), seen.front()) != model.end());
      model.erase(model.begin(), std::find(model.begin(), model.end(), seen.front()));
      model.resize(std::min(model.size(), seen.size()));
      CHECK(model == std::vector<std::int64_t>(seen.begin(), seen.begin() + std::ptrdiff_t(model.size())));
    }
    whole += chip.whole;
    if (chip.whole) CHECK(modelled.visits == chip.timeline.visits);
    if (chip.whole) CHECK(chip.last_kv_tile == 0);
    CHECK(lane_means(chip.timeline).first > 0);
    CHECK(lane_means(chip.timeline).first < 9000);  // the wait for the Q tile's number is before it
  }
  CHECK(whole >= 10);
}

TEST_CASE("a recorded Q tile ends where its last consumer stored, and not in the next one") {
  const ChipLanes chip = chip_lanes_for(shipped_stamps(), like_the_recorded());
  REQUIRE(chip.whole);
  std::set<int> stores;
  double last = 0;
  for (const Segment& s : chip.timeline.segments) {
    if (s.doing == Doing::Store) stores.insert(s.lane), last = std::max(last, s.end);
    if (s.doing != Doing::Waiting) CHECK(s.end <= chip.timeline.cycles);
  }
  CHECK(stores.size() == chip.timeline.lanes.size() - 1);
  CHECK(last == chip.timeline.cycles);
  CHECK(chip.timeline.visits == 16);
}

TEST_CASE("mean cycles of a visit are counted a consumer, and waiting between its first and last product") {
  Timeline t;
  t.lanes = {{"producer", false, 0, 0}, {"consumer 0", true, 0, 0}, {"consumer 1", true, 0, 0}};
  t.visits = t.simulated_visits = 2;
  for (const int lane : {1, 2}) {
    const double at = lane == 1 ? 0 : 50;
    t.segments.push_back(segment(lane, Doing::Waiting, 0, 100 + at));
    t.segments.push_back(segment(lane, Doing::Scores, 100 + at, 130 + at));
    t.segments.push_back(segment(lane, Doing::RowMax, 130 + at, 140 + at));
    t.segments.push_back(segment(lane, Doing::Rescale, 140 + at, 144 + at));
    t.segments.push_back(segment(lane, Doing::Exponentiate, 144 + at, 200 + at));
    t.segments.push_back(segment(lane, Doing::Accumulate, 200 + at, 240 + at));
    t.segments.push_back(segment(lane, Doing::Waiting, 240 + at, 260 + at));
    t.segments.push_back(segment(lane, Doing::Scores, 260 + at, 290 + at, 1));
    t.segments.push_back(segment(lane, Doing::Accumulate, 290 + at, 330 + at, 1));
    t.segments.push_back(segment(lane, Doing::Waiting, 330 + at, 400 + at));
  }
  const LaneMeans means = lane_means(t);
  CHECK(means.first == 100);
  CHECK(means.scores == 30);
  CHECK(means.softmax == 33);
  CHECK(means.rescale == 2);
  CHECK(means.accumulate == 40);
  CHECK(means.waiting == 10);
  CHECK(means.visit == 160);
  CHECK(lane_means(Timeline{}).visit == 0);
}

TEST_CASE("the conclusion has the figures of the pictures and of the bars") {
  const Problem p = like_the_recorded();
  const ChipLanes chip = chip_lanes_for(shipped_stamps(), p);
  TimelineOptions options;
  options.group = chip.q_tile;
  const Timeline modelled = build_timeline(*make_schedule(recorded_problem(*chip.run)), options);
  const ChipComparison m = compare_with_chip(chip, modelled, 0.3, p, "N 8,192");
  const double off = 100 * (1 - modelled.simulated_cycles / chip.timeline.simulated_cycles);
  const double of_call = 100 * (0.3 / chip.run->ms_plain - 1);
  const std::int64_t recorded = std::llround(chip.timeline.simulated_cycles),
                     said = std::llround(modelled.simulated_cycles);
  CHECK(m.figure == format_count(recorded - said));
  CHECK(m.conclusion == fmt::format("The chip takes {} cycles, the model says {}: where are the {}?",
                                    format_count(recorded), format_count(said), m.figure));
  std::int64_t sum = 0;
  for (const LackingCycles& part : m.parts) sum += part.cycles;
  CHECK(sum == recorded - said);
  REQUIRE(m.parts.size() == 3);
  CHECK(m.parts[0].cycles >= m.parts[1].cycles);
  CHECK(
      std::count(m.notes.begin(), m.notes.end(),
                 fmt::format("For the whole call the model is {:.0f} % {}, 0.300 ms where the chip takes {}; for this "
                             "Q tile its lanes are {:.0f} % short, {} cycles for {}.",
                             std::fabs(of_call), of_call < 0 ? "short" : "in excess", ms_text(chip.run->ms_plain), off,
                             format_count(said), format_count(recorded))) == 1);
  REQUIRE(m.kinds.size() == 7);
  for (const KindCycles& each : m.kinds) {
    INFO(each.name);
    CHECK(each.chip > 0);
    CHECK(each.chip <= m.most);
    CHECK(each.model <= m.most);
  }
  CHECK(has(m.call, "N 2,048, no mask, batch 8 × 16 heads, d 128, bf16 · your call has N 8,192"));
}

TEST_CASE("the cycles that the model lacks add up, of every run") {
  const auto numbers_in = [](const std::string& text) {  // all whole numbers; commas separate thousands
    std::vector<long long> out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (!std::isdigit(static_cast<unsigned char>(text[i]))) continue;
      long long value = 0;
      for (; i < text.size() && (std::isdigit(static_cast<unsigned char>(text[i])) ||
                                 (text[i] == ',' && i + 1 < text.size() && text[i + 1] != ' '));
           ++i)
        if (text[i] != ',') value = value * 10 + (text[i] - '0');
      out.push_back(value);
    }
    return out;
  };
  int told = 0;
  for (const ChipRun& run : shipped_stamps().runs) {
    if (run.blocks.empty()) continue;
    const Problem there = recorded_problem(run);
    const ChipLanes chip = chip_lanes_for(shipped_stamps(), there);
    if (!chip.run) continue;
    TimelineOptions options;
    options.group = chip.q_tile, options.most_visits = chip.timeline.visits;
    const Timeline modelled = build_timeline(*make_schedule(there), options);
    const std::string lacks = compare_with_chip(chip, modelled, 1, there, "").lacks;
    if (lacks.empty()) continue;
    INFO(lacks);
    const std::vector<long long> parts = numbers_in(lacks);
    REQUIRE(parts.size() >= 3);
    const bool excess = has(lacks, "the model has");
    const long long rest = parts.size() == 3 ? 0 : excess ? -parts[3] : parts[3];
    CHECK(parts[0] == parts[1] + parts[2] + rest);
    CHECK(parts[0] == std::llround(chip.timeline.simulated_cycles) - std::llround(modelled.simulated_cycles));
    CHECK(std::is_sorted(parts.begin() + 1, parts.end() - (excess ? 1 : 0), std::greater<>()));  // most first
    ++told;
  }
  CHECK(told > 0);
}

TEST_CASE("presented, each step is one kind of work: its error, its cycles, and its boxes alone") {
  const Problem p = like_the_recorded();
  const LanesOnScreen page = page_of(p);
  TimelineOptions options;
  options.most_visits = 16;
  const ChipComparison all =
      compare_with_chip(page.chip, build_timeline(*make_schedule(p), options), page.chip.run->ms_plain, p, "");
  REQUIRE(all.kinds.size() == std::size_t(kStepsOfChip));
  for (int step = 0; step <= kStepsOfChip; ++step) {
    ChipComparison shown = all;
    LanesModel lanes = page.model;
    show_kind(step, shown, lanes);
    if (step == 0) {
      CHECK(shown.conclusion == all.conclusion);
      CHECK_FALSE(lanes.only);
      continue;
    }
    const KindCycles& kind = all.kinds[std::size_t(step) - 1];
    INFO(kind.name);
    CHECK(shown.conclusion.starts_with(kind.name + ": "));
    CHECK(shown.figure == error_text(kind.model / kind.chip - 1));
    CHECK(lanes.only.has_value() == (kind.kind != LaneBoxKind::Mixed && !kind.once));
  }
}
