// The page of the roofline on a processor: its own roofs, recorded points under them, and the page's text.
#include "pages/roofline/processor_page.h"

#include <cmath>

#include "session/session.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

KnownProcessor raced_on(double naive_ms, double tiled_ms) {
  KnownProcessor out{.name = "cpu-4",
                     .processor = {.name = "Maker(R) Chip(R) Processor, model 9, AVX2",
                                   .threads = 4,
                                   .read_gb_per_s = 40,
                                   .fp32_tflops = 0.4,
                                   .bf16_tflops = 0.8,
                                   .cache_bytes = std::int64_t(32) << 20},
                     .date = "2026-11-23",
                     .rows = {}};
  for (const auto& [rung, ms] : {std::pair{"cpu_naive", naive_ms}, std::pair{"cpu_tiled", tiled_ms}}) {
    RaceRow row;
    row.dtype = "fp32";
    row.n = 8192, row.d = 64, row.heads = 2, row.batch = 1;
    row.rung = rung;
    row.ms = {ms, ms, ms};
    out.rows.push_back(row);
  }
  out.rows.back().peaks_at_clock = {0.3, 0.3, 0.3};
  return out;
}

struct OnProcessor {
  std::unique_ptr<Session> session;
  RooflineCache cache;
  explicit OnProcessor(KnownProcessor processor = raced_on(700, 120)) {
    SessionSetup setup;
    setup.of<RooflineController>().load_processors = [processor] {
      return Result<std::vector<KnownProcessor>>(std::vector{processor});
    };
    setup.of<RooflineController>().machine.date = "2026-11-22";
    setup.of<RooflineController>().machine.processor =
        Processor{.name = "Mine", .threads = 2, .read_gb_per_s = 20, .fp32_tflops = 0.1};
    setup.of<RooflineController>().machine.no_card = "No GPU was found";
    session = std::move(*Session::open({}, std::move(setup)));
    session->dispatch(ShowPage{Page::Roofline});
    session->dispatch(ChooseRoofline{.device = "cpu"});
    session->dispatch(Action::RevealWin);  // guesses come first
  }
  RooflinePage page() { return build_roofline_page(session->roofline(), cache); }
  RooflinePage revealed() {
    if (!session->roofline().revealed()) session->dispatch(Action::RevealWin);
    return page();
  }
};

const RooflinePoint* point_named(const RooflinePage& page, const std::string& name) {
  for (const RooflinePoint& point : page.points)
    if (point.label.starts_with(name)) return &point;
  return nullptr;
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a processor's page has its two roofs, the clock under load, and hides cpu_tiled until it is guessed",
          "[unit]") {
  OnProcessor on;
  const RooflinePage before = on.page();
  CHECK(before.y_title == "GFLOP/s");
  CHECK(before.title == "N 8,192 · d 64 · 2 heads · no mask · fp32");
  REQUIRE(before.roofs.size() == 3);
  CHECK(before.roofs[0].label == "memory 40 GB/s");
  CHECK(before.roofs[1].label == "fp32 multiply-adds 400 GFLOP/s");
  CHECK(before.roofs[0].to_x == before.roofs[1].from_x);
  CHECK(before.roofs[0].to_y == before.roofs[1].from_y);
  CHECK(before.roofs[2].lower);
  CHECK(before.roofs[2].label == "at the clock under load: 300");
  CHECK(before.roofs[2].from_y < before.roofs[1].from_y);
  CHECK(point_named(before, "cpu_naive"));
  CHECK_FALSE(point_named(before, "cpu_tiled"));
  REQUIRE(before.rows.size() == 2);
  CHECK(before.rows[0].cells[0] != "?");
  for (const std::string& cell : before.rows[1].cells) CHECK(cell == "?");
  CHECK(before.wins.empty());
  CHECK(before.sentence.empty());
  CHECK(before.guesses.size() > 3);
  on.session->dispatch(GuessWin{3});
  const RooflinePage guessed = on.page();
  const RooflinePoint* const ring = point_named(guessed, "your guess");
  REQUIRE(ring);
  CHECK(says(on.revealed().answer, "Recorded: cpu_tiled takes "));
}

TEST_CASE("a processor's points are below its roofs, and the table says by how much", "[unit]") {
  OnProcessor on;
  const RooflinePage page = on.revealed();
  for (const char* name : {"cpu_naive", "cpu_tiled"}) {
    const RooflinePoint* const point = point_named(page, name);
    REQUIRE(point);
    REQUIRE((point->predicted && point->recorded));
    CHECK(point->recorded->x == point->predicted->x);
    CHECK(point->recorded->y < point->predicted->y);
    CHECK_FALSE(point->walk);
  }
  CHECK(point_named(page, "cpu_tiled")->label == "cpu_tiled 286");  // 34.4 GFLOP in 120 ms
  REQUIRE(page.rows.size() == 2);
  const auto cells = [&](std::size_t row) { return page.rows[row].cells; };
  CHECK(page.heads.size() == cells(0).size());
  CHECK(cells(0) == std::vector<std::string>{"2.02 GiB", "54.1 ms", "85.9 ms", "85.9 ms", "700 ms", "12 %"});
  CHECK(cells(1) == std::vector<std::string>{"16.0 MiB", "0.419 ms", "85.9 ms", "85.9 ms", "120 ms", "72 %"});
  REQUIRE(page.wins.size() == 1);
  REQUIRE(page.wins[0].recorded.size() == 1);
  CHECK(page.wins[0].recorded[0].x == page.n_at);
  for (const PlotPoint& point : page.wins[0].modelled) CHECK((point.y > 0 && point.y <= 1));
  CHECK(page.absent.size() >= 3);
  CHECK(says(page.source, "Maker(R) Chip(R) Processor, model 9, AVX2, 4 threads"));
  CHECK(says(page.source, "measured on 2026-11-23"));
}

TEST_CASE("the sentence says which roof is the limit and why, or that none is", "[unit]") {
  OnProcessor on;
  const std::string said = on.revealed().sentence;
  CHECK(says(said, "Recorded: cpu_tiled takes 120 ms where cpu_naive takes 700 ms: 5.8 times as fast."));
  CHECK(says(said, "The roofline allows both the same time"));
  CHECK(says(said,
             "The limit of cpu_tiled is the products: 34.4 GFLOP at 400 GFLOP/s take 85.9 ms; it took 120 ms, 72 %"));
  CHECK(says(said, "The nearest roof of cpu_naive is that of the products"));
  CHECK(says(said, "so something else limits it"));
  CHECK(says(said, "Its scores, 256 MiB a head, go to memory four times."));
  on.session->dispatch(ChooseRoofline{.n = 2048});
  const RooflinePage shorter = on.page();  // no guess without a recording
  CHECK(shorter.guesses.empty());
  CHECK(says(shorter.question, "was not recorded"));
  CHECK(says(shorter.sentence, "fit in the last-level cache of 32.0 MiB"));
  CHECK(says(shorter.sentence, "at least."));
  REQUIRE(shorter.points.size() == 1);  // the roofs give the same floor for both
  CHECK(shorter.points[0].label == "cpu_naive and cpu_tiled 400 allowed");
  CHECK_FALSE(shorter.points[0].recorded);

  KnownProcessor slow = raced_on(700, 120);
  slow.processor.read_gb_per_s = 4;
  OnProcessor narrow(slow);
  const std::string bytes = narrow.revealed().sentence;
  CHECK(says(bytes,
             "The limit of cpu_naive is the bytes: 2.02 GiB of memory at 4 GB/s take 541 ms; it took 700 ms, 77 %"));
  CHECK(says(bytes, "The roofs explain 6.3 of it") == false);  // more than the speed-up
}

TEST_CASE("on a processor tags choose machines, and the roofs follow the type", "[unit]") {
  OnProcessor on;
  const auto labels = [&](const std::string& title) {
    std::string out;
    for (const RooflineTags& row : on.page().choices)
      for (const RooflineTag& tag : row.tags)
        if (row.title == title) out += (out.empty() ? "" : ", ") + tag.label + (tag.active ? "*" : "");
    return out;
  };
  CHECK(labels("CPU") == "Maker Chip, model 9 · 4 threads*, this CPU");
  CHECK(labels("GPU").find('*') == std::string::npos);
  CHECK(on.page().machine == "Maker Chip, model 9 · 4 threads");
  CHECK(labels("heads × batch") == "as raced*");
  on.session->dispatch(ChooseRoofline{.dtype = DType::Bf16});
  CHECK(on.page().roofs[1].label == "bf16 dot products 800 GFLOP/s");
  on.session->dispatch(ChooseRoofline{.device = "your-cpu"});
  CHECK(labels("CPU") == "Maker Chip, model 9 · 4 threads, this CPU*");
  CHECK(says(on.page().source, "Your Mine, 2 threads"));
  CHECK(says(on.page().question, "tilewalk race --cpu"));
  on.session->dispatch(ChooseRoofline{.dtype = DType::Fp16});  // kernels for a CPU have no fp16
  CHECK(on.page().rows.empty());
  CHECK(says(on.page().question, "fp16"));
  on.session->dispatch(ChooseRoofline{.n = 1 << 23, .heads = 1, .batch = 1, .dtype = DType::Fp32});
  for (const RooflinePoint& point : on.page().points) {
    CHECK((point.predicted->x >= 0 && point.predicted->x <= 1));
    CHECK((point.predicted->y >= 0 && point.predicted->y <= 1));
  }
}

TEST_CASE("the button says what is being measured, what was measured, and why nothing can be", "[unit]") {
  OnProcessor on;
  CHECK(on.page().measure.can);
  CHECK(on.page().measure.words == "measured 2026-11-22 · no GPU");
  CHECK(says(on.page().measure.details, "CPU: Mine, 2 threads. No GPU: No GPU was found."));
  on.session->dispatch(Action::MeasureMachine);
  on.session->dispatch(ReportMeasure{{.running = true, .fraction = 0.5, .doing = "reading 1 GiB of memory"}});
  CHECK(on.page().measure.running);
  CHECK(on.page().measure.fraction == 0.5);
  CHECK(on.page().measure.words == "reading 1 GiB of memory");
  on.session->dispatch(Action::StopMeasuring);
  CHECK(on.page().measure.stopping);
  on.session->dispatch(ReportMeasure{{.failure = "It was stopped"}});
  CHECK(on.page().measure.failed);
  CHECK(on.page().measure.words == "It was stopped.");
}

TEST_CASE("the shipped processors have roofs above every time that was recorded on them", "[unit]") {
  const auto known = load_known_processors(TILEWALK_SOURCE_DIR);
  REQUIRE(known.ok());
  REQUIRE_FALSE(known->empty());
  int checked = 0;
  for (const KnownProcessor& each : *known) {
    CHECK(why_no_processor(each.processor).empty());
    CHECK(each.date.size() == 10);
    for (const RaceRow& row : each.rows) {
      if (!row.counts()) continue;
      AttentionCall call = call_of(row);
      call.dtype = row.dtype == "fp32" ? DType::Fp32 : DType::Bf16;
      const std::vector<PredictionRow> rows = prediction_rows(call, each);
      const PredictionRow* const found = find_row(rows, contender_named(row.rung)->who);
      REQUIRE(found);
      CAPTURE(each.name, row.rung, row.dtype, row.n, row.d, row.causal);
      REQUIRE(found->reached());
      CHECK(*found->reached() > 0);
      CHECK(*found->reached() < 1);
      ++checked;
    }
  }
  CHECK(checked > 150);
}
