// How the compared call moves, what its lanes leave out, and which tiles and times its two sides have.
#include <algorithm>

#include "base/units.h"
#include "core/predict/dram_bytes.h"
#include "core/predict/predict.h"
#include "core/schedules/registry.h"
#include "session/document/compared_problems.h"
#include "tests/unit/pages/compare/compare_session.h"
#include "view/pages.h"
#include "view/walk/traffic_model.h"
#include "view/words/in_step_model.h"
#include "view/words/predict_words.h"
#include "view/words/units.h"

using namespace tilewalk;
using test::Compare;
using test::names;

namespace {

const RaceTimes& recorded() {
  static const Result<RaceTimes> times = load_race_times(TILEWALK_SOURCE_DIR, "h200");
  REQUIRE(times);
  return *times;
}

}  // namespace

TEST_CASE("in step by tile, the label says which numbers of visits of two tile sizes are level") {
  Problem small, large;
  small.tiling.br = small.tiling.bc = 64;
  large.tiling.br = 128, large.tiling.bc = 64;
  small.schedule = ScheduleKind::Standard;
  CHECK(pace_text(Pace::Tile, small, small) == "in step by tile");
  CHECK(pace_text(Pace::Tile, small, large) == "in step by tile: 2 of Naive, 1 of FA-2");
  CHECK(pace_text(Pace::Tile, large, small) == "in step by tile: 1 of FA-2, 2 of Naive");
  CHECK(pace_text(Pace::Byte, small, large) == "in step by byte");
  CHECK(pace_tip(Pace::Tile, small, large)
            .starts_with(
                "The pinned side, in tiles of 64×64, has visited as many scores as this one, in tiles of 128×64. Each "
                "tile counts once: in Naive's first pass, not in those that read it back."));
  small.schedule = ScheduleKind::FlashV1;
  CHECK_FALSE(names(pace_tip(Pace::Tile, small, large), "first pass"));
}

TEST_CASE("the call is as far as the walk is, by tile visits") {
  Compare on;
  on.open_lanes();
  on.send(GoToStep{1});
  CHECK(names(on.page().lanes.pictures[1].so_far, "0 of 524,288 tile visits"));
  on.send(Action::Last);
  CHECK(names(on.page().lanes.pictures[1].so_far, "524,288 of 524,288 tile visits"));
}

TEST_CASE("beside a walk that has not begun, lanes and SMs open in the middle of the call, where all are at work") {
  for (const ScheduleKind kind : {ScheduleKind::FlashV1, ScheduleKind::FlashV2, ScheduleKind::FlashV3}) {
    Compare on(kind);
    on.open_lanes();
    const ComparePage page = on.page();
    CHECK(double(page.cursor) == Approx(double(page.steps) / 2).epsilon(0.02));
    const LanesPicture& now = page.lanes.pictures[1];
    CHECK(now.cursor > 0);  // in the drawn visits of its thread block
    REQUIRE(page.right);
    CHECK(std::all_of(page.right->squares.begin(), page.right->squares.end(), [](const SmSquare& each) {
      return each.tip.ends_with("nothing to do") || (each.busy && each.share > 0.3 && each.share < 0.7);
    }));
    CHECK(names(page.right->at_cursor, "At the cursor"));
  }
}

TEST_CASE("buttons and keys move the compared call, and leave the walk") {
  Compare on;
  on.open_lanes();
  on.send(Action::First);
  const std::int64_t steps = on.page().steps;
  REQUIRE(steps > 4'000'000);
  CHECK(on.page().steps_text == "N 8,192: step 0 of " + format_count(steps));
  on.send(Action::TileForward);
  const std::int64_t visit = on.page().cursor;
  CHECK(names(on.page().lanes.pictures[1].so_far, "1 of 524,288 tile visits"));
  CHECK(names(on.page().steps_text, "Q tile 0, KV tile 0"));
  on.send(Action::StepBack);
  CHECK(on.page().cursor == visit - 1);
  on.send(GoToCallStep{steps / 2});
  CHECK(on.page().cursor == steps / 2);
  on.send(Action::Last);
  CHECK(on.page().cursor == steps);
  CHECK(on.session->cursor() == 0);
  on.send(Action::First);
  CHECK(on.page().cursor == 0);
  on.send(ChooseCompared{Compared::Walk});
  on.send(Action::TileForward);
  CHECK(on.session->cursor() > 0);
  on.send(GoToCallStep{5});
  CHECK(names(on.session->message()->text, "The walk itself is compared"));
}

TEST_CASE("playing runs through the whole call in 20 seconds, and stops when the page is left") {
  Compare on;
  on.open_lanes();
  const std::int64_t steps = on.page().steps;
  on.send(Action::First);
  on.send(Action::PlayPause);
  CHECK(on.session->seconds_to_change(0).has_value());
  for (double now = 0; now <= 5; now += 0.25) on.send(Tick{now});
  CHECK(double(on.page().cursor) == Approx(double(steps) / 4).epsilon(0.01));
  CHECK(on.session->cursor() == 0);
  on.send(ShowPage{Page::Walk});
  CHECK_FALSE(on.session->compare().call_walk().plays());
  on.open_lanes();
  on.send(Action::First);
  on.send(Action::PlayPause);
  for (double now = 100; now <= 121; now += 0.25) on.send(Tick{now});
  CHECK(on.page().cursor == steps);
  CHECK_FALSE(on.session->compare().call_walk().plays());
}

TEST_CASE("the pipes of a call that nobody has moved open at its end, with shared memory beside what is on chip") {
  Compare on;
  on.send(GoToStep{40});
  on.open();
  const ComparePage page = on.page();
  REQUIRE(page.pipes);
  CHECK(page.cursor == page.steps);
  const PipeSide &naive = page.pipes->sides[0], &tiled = page.pipes->sides[1];
  CHECK(tiled.bytes == tiled.of_bytes);
  CHECK(naive.bytes < naive.of_bytes);  // in step by byte
  CHECK(names(tiled.sram_text, "At most 97.0 KiB in the walk's SRAM: Q, K, V, S, O, m and ℓ."));
  CHECK(names(tiled.sram_text, "has S and O in registers and 48.0 KiB in shared memory"));
  REQUIRE(page.right);
  const std::string blocks = page.right->limit.substr(0, page.right->limit.find(" an SM"));
  CHECK(names(tiled.sram_text, ": " + blocks + " an SM"));  // one figure on the whole page
  CHECK_FALSE(names(naive.sram_text, "registers"));
  on.send(Action::StepBack);
  CHECK(on.page().cursor == page.steps - 1);
}

TEST_CASE("the pipes say what a fast kernel does not have in shared memory") {
  for (const auto& [kind, words] : {std::pair{ScheduleKind::FlashV1, "has S in registers and 86.5 KiB in shared"},
                                    {ScheduleKind::FlashV3, "has S and O in registers and 137 KiB in shared"},
                                    {ScheduleKind::FlashV4, "has S and O in tensor memory and "}}) {
    Compare on(kind);
    on.open();
    const ComparePage page = on.page();
    REQUIRE(page.pipes);
    const std::string& said = page.pipes->sides[1].sram_text;
    INFO(said);
    CHECK(names(said, words));
  }
}

TEST_CASE("beside a side that moves fewer bytes, the pipes of a call open where that side ends") {
  Compare on(ScheduleKind::Standard);
  on.send(PinSchedule{ScheduleKind::FlashV2});
  on.open();
  const ComparePage page = on.page();
  REQUIRE(page.pipes);
  const PipeSide &tiled = page.pipes->sides[0], &naive = page.pipes->sides[1];
  CHECK(tiled.bytes == tiled.of_bytes);
  CHECK(naive.bytes >= tiled.of_bytes);
  CHECK(double(naive.bytes) == Approx(double(tiled.of_bytes)).epsilon(0.01));
  on.send(Action::StepForward);
  CHECK(on.page().cursor == page.cursor + 1);
}

TEST_CASE(
    "below the SMs stand thread blocks and waves in one sentence, and the time of the call's bar where it is another") {
  Compare on(ScheduleKind::FlashV2, 16, &recorded());
  on.open_lanes();
  while (on.session->busy()) on.send(Work{64});
  const ComparePage page = on.page();
  REQUIRE((page.left && page.right));
  const CallTimes& times = *on.cache.call_times;
  REQUIRE(times.recorded);
  CHECK(page.left->other_time ==
        "Modelled with tiles 64×64; the call's bar has " + ms_text(times.ms[0]) + ", recorded.");
  if (page.right->other_time.empty())  // the two times are one at the digits shown
    CHECK(names(page.right->time, ms_text(times.ms[1])));
  else
    CHECK(page.right->other_time == "Modelled; the call's bar has " + ms_text(times.ms[1]) + ", recorded.");
  for (const auto& [side, run] : {std::pair{&*page.left, &*on.cache.pinned_run}, {&*page.right, &*on.cache.run}})
    CHECK(side->plain == format_count(run->waves.blocks) + " thread blocks, " +
                             std::to_string(run->waves.occupancy.blocks_per_sm) +
                             " at once on each of 132 SMs: " + format_count(run->waves.waves) + " waves.");
  on.send(PinSchedule{ScheduleKind::SplitKv});
  const ComparePage modelled = on.page();
  if (on.cache.call_times->of_walks) CHECK(modelled.left->other_time.empty());
}

TEST_CASE("of a masked call no byte is called L2's that no kernel asks for") {
  Problem p = test::picture(ScheduleKind::Standard);
  p.shape.n_q = p.shape.n_kv = 3000, p.shape.d = 128, p.shape.heads = 8;
  p.shape.mask = {.kind = MaskKind::Causal};
  p.tiling.br = p.tiling.bc = 64;
  p.machine.sram_bytes = device_of("h200").sram_per_block_bytes;
  p.machine.device = "h200";
  p.numerics.dtype = DType::Bf16, p.numerics.narrow_scores = true;
  const auto dram = [&] { return modelled_dram_bytes(*make_schedule(p)); };
  const std::int64_t masked = dram();
  p.shape.mask = {};
  CHECK(masked == dram());  // both walks read and write all of S and P
}

TEST_CASE("of a call naive has the bytes of the kernel that its time is of") {
  for (const Filling filling : {Filling::Sms, Filling::Pipes}) {
    Compare on(ScheduleKind::FlashV2, 16, &recorded());
    for (const Command& command : on.session->opening_comparison(filling)) on.send(command);
    while (on.session->busy()) on.send(Work{64});
    on.send(SetPace{Pace::Time});
    const ComparePage page = on.page();
    std::vector<std::string> texts = {page.compare.left_title, page.compare.headline, page.compare.detail,
                                      page.lanes.pictures[0].whole->text};
    for (const CompareLine& each : page.compare.lines) texts.insert(texts.end(), {each.title, each.left_variant});
    if (page.left) texts.insert(texts.end(), {page.left->title, page.left->other_time});
    if (page.pipes) texts.insert(texts.end(), {page.pipes->sides[0].of, page.pipes->sides[0].counted});
    for (const std::string& each : texts) CHECK_FALSE(names(each, "S in"));
    const Comparison& c = *on.cache.comparison;
    const auto scores =
        std::find_if(c.rows.begin(), c.rows.end(), [](const CompareRow& row) { return row.id == "sp"; });
    const AttentionCall call = *call_of(c.left);
    CHECK(scores->left == 4 * call.scores() * call.element_bytes());  // S written and read, P written and read
    const Prediction naive = predict(method_of(Contender::Naive), call, device_of(c.left.machine));
    CHECK(c.left_run.dram_bytes == std::llround(naive.dram_bytes));  // of the roofline too
    if (page.pipes)
      CHECK(names(page.pipes->sides[0].counted, format_bytes(std::llround(naive.dram_bytes)) + " of them reach DRAM"));
    if (page.pipes) CHECK(names(page.pipes->sides[0].of, "tiles 64×64, S and P in bf16"));
    for (const CompareLine& each : page.compare.lines)  // the table has the bytes of one naive kernel
      CHECK(each.id != "timed-bytes");
    REQUIRE(page.lanes.pictures[0].launches.size() == 3);
    CHECK(page.lanes.pictures[0].launches[1].share / page.lanes.pictures[0].whole->share ==
          Approx(naive.operations[1].seconds /
                 (naive.operations[0].seconds + naive.operations[1].seconds + naive.operations[2].seconds)));
  }
}

TEST_CASE("beside the cycles of a thread block alone on its SM stand those of all waves, which are the modelled time") {
  Compare on(ScheduleKind::FlashV2, 16, &recorded());
  on.open_lanes();
  while (on.session->busy()) on.send(Work{64});
  const std::string text = on.page().lanes.pictures[1].cycles_text;
  const Waves& w = on.cache.run->waves;
  CHECK(names(text, " cycles alone on its SM · " + short_cycles(w.cycles / 11) +
                        " with 3 on it · 11 waves: " + short_cycles(w.cycles)));
  const double ms = 1e3 * w.cycles / device_of("h200").reached_clock_hz();
  CHECK(ms == Approx(on.cache.run->seconds * 1e3).epsilon(0.02));
  on.send(PinSchedule{ScheduleKind::FlashV1});  // one thread block a head: it shares no SM
  CHECK_FALSE(names(on.page().lanes.pictures[0].cycles_text, "alone"));
}

TEST_CASE("beside the warps of two schemes the page compares schedules that have them") {
  for (const ScheduleKind kind : {ScheduleKind::FlashV1, ScheduleKind::FlashV2, ScheduleKind::FlashV3}) {
    Compare on(kind, 16, &recorded());
    for (const Command& command : on.session->opening_comparison(Filling::Warps)) on.send(command);
    while (on.session->busy()) on.send(Work{64});
    const ComparePage page = on.page();
    REQUIRE(page.warps);
    const bool keys = kind == ScheduleKind::FlashV1;
    CHECK(page.baseline == (keys ? "FA-2" : "FA-1"));
    CHECK(names(page.compare.headline, page.baseline));
    for (const LanesPicture& picture : page.lanes.pictures) {  // a bar alone
      CHECK(picture.rows.empty());
      CHECK(picture.whole);
    }
  }
}

TEST_CASE("beside another baseline than naive, the call's speed-ups say that they are against naive") {
  for (const ScheduleKind pinned : {ScheduleKind::Standard, ScheduleKind::FlashV1, ScheduleKind::FlashV3}) {
    Compare on(ScheduleKind::FlashV2, 16, &recorded());
    on.open_lanes();
    on.send(PinSchedule{pinned});
    while (on.session->busy()) on.send(Work{64});
    const std::string detail = on.page().compare.detail;
    INFO(detail);
    CHECK(names(detail, " Against naive, the fastest here, FA-3 by Tilewalk: ") == (pinned != ScheduleKind::Standard));
    CHECK(names(detail, " The fastest here, FA-3 by Tilewalk: ") == (pinned == ScheduleKind::Standard));
  }
}

TEST_CASE("a modelled time that beats the fastest kernel says beside it that no kernel here has its schedule") {
  for (const ScheduleKind kind : {ScheduleKind::FlashV2, ScheduleKind::FlashV4}) {
    Compare on(kind, 16, nullptr);
    on.send(ChooseRoofline{.device = "b200", .d = 128});
    on.open_lanes();
    while (on.session->busy()) on.send(Work{64});
    const CompareModel m = on.page().compare;
    INFO(m.headline << " " << m.detail);
    const bool none = kind == ScheduleKind::FlashV4;
    CHECK(names(m.detail, "No kernel here has FA-4's schedule. The fastest here, FA-2 by Tilewalk: ") == none);
    CHECK(names(m.detail, "No kernel here") == none);
  }
}

TEST_CASE("of a schedule whose kernel does not run on the card, the headline says so before any figure") {
  for (const ScheduleKind kind : {ScheduleKind::FlashV2, ScheduleKind::FlashV3, ScheduleKind::FlashV4}) {
    Compare on(kind, 16, &recorded());
    on.open_lanes();
    while (on.session->busy()) on.send(Work{64});
    const CompareModel m = on.page().compare;
    INFO(m.headline);
    const bool none = kind == ScheduleKind::FlashV4;  // written for Blackwell
    CHECK(m.headline.starts_with(
              "No kernel with FA-4's schedule runs on the H200, so its time is modelled. FA-4 takes ") == none);
    CHECK(names(m.headline, " schedule runs on ") == none);
    CHECK(m.figure.empty() == none);
  }
}

TEST_CASE("the drawn lanes of a call follow the cursor, forwards and back") {
  for (const ScheduleKind kind : {ScheduleKind::FlashV1, ScheduleKind::FlashV2, ScheduleKind::FlashV3}) {
    Compare on(kind);
    on.open_lanes();
    const std::int64_t first = on.page().cursor;
    const LanesPicture opened = on.page().lanes.pictures[1];
    const auto is_drawn = [&](const ComparePage& page) {
      const LanesPicture& now = page.lanes.pictures[1];
      bool marked = false;
      for (const LaneRow& row : now.rows)
        for (const LaneBox& box : row.boxes) marked = marked || box.now;
      CHECK(now.cycles_text == opened.cycles_text);
      return marked && now.cursor > 0 && now.cursor <= 1;
    };
    for (int visit = 0; visit < 60; ++visit) {
      on.send(Action::TileForward);
      const ComparePage page = on.page();
      INFO(title_of(kind) << ", " << page.steps_text);
      CHECK(is_drawn(page));
    }
    on.send(GoToCallStep{first});
    CHECK(on.page().lanes.pictures[1].cursor == opened.cursor);
    CHECK(on.page().lanes.pictures[1].note == opened.note);
    const std::uint64_t models = on.cache.models;
    on.page();
    CHECK(on.cache.models == models);
  }
  Compare on;
  on.open_lanes();
  on.send(Action::Present);
  for (int click = 0; click < 4; ++click) {
    on.send(Action::StepForward);
    const ComparePage page = on.page();
    INFO(page.steps_text);
    CHECK(page.lanes.pictures[1].cursor > 0);
  }
}

TEST_CASE("a class is asked what limits the current schedule, or the pinned one where it alone has lanes") {
  Compare on(ScheduleKind::FlashV3, 16, &recorded());
  on.open_lanes();
  const auto question = [&] { return page_row(Page::Compare).for_room(*on.session).question; };
  on.send(PinSchedule{ScheduleKind::FlashV2});
  CHECK(question() == "Ask: what limits FA-3: the loads, the products or the softmax?");
  on.send(PinSchedule{ScheduleKind::Standard});
  CHECK(question() == "Ask: what limits FA-3: the loads, the products or the softmax?");
}

TEST_CASE("each scheme of warps divides the tiles of a schedule that works so, whichever is the other side") {
  std::vector<std::string> figures;
  for (const ScheduleKind kind : {ScheduleKind::FlashV1, ScheduleKind::FlashV2, ScheduleKind::FlashV3}) {
    Compare on(kind, 16, &recorded());
    on.send(ChooseCompared{Compared::Call});
    for (const Command& command : on.session->opening_comparison(Filling::Warps)) on.send(command);
    on.send(ChooseCompared{Compared::Call});
    const ComparedProblems call = on.session->compare().problems();
    REQUIRE_FALSE(call.of_walk);
    for (const bool naive : {false, true}) {  // with naive pinned, neither side divides keys
      if (naive) on.send(PinSchedule{ScheduleKind::Standard});
      const ComparePage page = on.page();
      REQUIRE(page.warps);
      const std::vector<WarpsSide>& sides = page.warps->sides;
      CHECK(sides[0].owns == "each warp: all 16 rows, 64 of 256 keys");
      figures.push_back(sides[0].figure + sides[0].whole_run);
      CHECK(figures.front() == figures.back());
      CHECK(names(page.warps->sentence, format_bytes(warp_visit(WarpScheme::SplitK, 16, 256, 64, 2).exchange.bytes())));
      const Problem& rows = kind == ScheduleKind::FlashV1 ? call.baseline : call.now;
      CHECK(names(sides[1].owns, fmt::format("of {} rows", rows.tiling.br)));
      CHECK(names(sides[1].owns, fmt::format("all {} keys", rows.tiling.bc)));
      CHECK(sides[0].now == (kind == ScheduleKind::FlashV1));
    }
  }
}

TEST_CASE("of a walk, beside the time of naive attention stand the bytes of the variant that was timed") {
  Compare on(ScheduleKind::FlashV2, 16, &recorded());
  Document document = on.session->document();
  document.problem =
      walked_by(method_of(Contender::Naive), {.n = 8192, .d = 64, .heads = 32, .batch = 2}, device_of("h200"));
  document.problem.numerics.narrow_scores = false;  // another naive than the one that races
  document.problem.machine.sram_bytes = 1 << 20;
  document.pinned.schedule = ScheduleKind::FlashV2;
  on.session->dispatch(ShowPage{Page::Compare});
  auto walked = Session::open(document, [] {
    SessionSetup setup;
    setup.of<RooflineController>().load_times = [](const std::string&) -> Result<RaceTimes> { return recorded(); };
    return setup;
  }());
  REQUIRE(walked.ok());
  on.session = std::move(*walked);
  on.cache = {};
  on.send(ShowPage{Page::Compare});
  on.send(ChooseCompared{Compared::Walk});
  while (on.session->busy()) on.send(Work{64});
  const ComparePage page = on.page();
  const auto line = std::find_if(page.compare.lines.begin(), page.compare.lines.end(),
                                 [](const CompareLine& each) { return each.id == "timed-bytes"; });
  REQUIRE(line != page.compare.lines.end());
  const Prediction naive =
      predict(method_of(Contender::Naive), *call_of(*on.cache.now), device_of(on.cache.now->machine));
  CHECK(line->right == format_bytes(std::llround(naive.hbm_bytes)));
  CHECK(line->left == format_bytes(on.cache.comparison->left_run.hbm_bytes));
  CHECK(line->title.ends_with("S in bf16"));
  CHECK(line->modelled);
  on.send(SetSchedule{ScheduleKind::FlashV2});
  on.send(PinSchedule{ScheduleKind::Standard});  // the call's own naive
  while (on.session->busy()) on.send(Work{64});
  const ComparePage other = on.page();
  for (const CompareLine& each : other.compare.lines) CHECK(each.id != "timed-bytes");
}

TEST_CASE("a walk with the tiles of PyTorch's kernel has naive's own tiles under naive, in every place") {
  const AttentionCall call{.n = 8192, .d = 64, .heads = 32, .batch = 2};
  const DeviceModel& device = device_of("h200");
  Document document;
  document.problem = walked_by(method_of(Contender::FlashV3), call, device);
  document.problem.tiling.br = document.problem.tiling.bc = 128;  // as cuDNN's kernel
  document.problem.machine.sram_bytes = 1 << 20;
  REQUIRE_FALSE(walked_call(document.problem));
  const Problem naive = walked_by(method_of(Contender::Naive), call, device);
  auto opened = Session::open(document, {});
  REQUIRE(opened.ok());
  Session& session = **opened;
  const std::int64_t asked = whole_run_cost(naive).hbm_total().bytes();
  CHECK(whole_runs(session.schedule()).naive.hbm_total().bytes() == asked);
  CHECK(whole_run_cost(compared_under(session.problem(), ScheduleKind::Standard)).hbm_total().bytes() == asked);
  CHECK(compared_under(session.problem(), ScheduleKind::FlashV2).tiling.br == 128);  // its own tiles are the person's
  session.dispatch(SetSchedule{ScheduleKind::Standard});
  CHECK(session.problem().schedule == ScheduleKind::Standard);
  CHECK(session.problem().tiling.br == naive.tiling.br);
  CHECK(session.problem().tiling.bc == naive.tiling.bc);
  CHECK(whole_run_cost(session.problem()).hbm_total().bytes() == asked);
}
