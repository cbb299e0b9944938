// One model of time: every page that gives the model's time of a recorded call agrees with predict.
#include <map>

#include "base/units.h"
#include "core/chip/visit_pace.h"
#include "core/predict/dram_bytes.h"
#include "core/schedules/registry.h"
#include "measured/recorded_race.h"
#include "pages/compare/blocks/waves_model.h"
#include "pages/compare/compare_model.h"
#include "pages/compare/compare_page.h"
#include "pages/compare/lanes_model.h"
#include "pages/race/race_model.h"
#include "pages/roofline/roof_words.h"
#include "pages/roofline/roofline_page.h"
#include "pages/which/which_page.h"
#include "session/document/session_file.h"
#include "session/lesson/facts.h"
#include "session/resources.h"
#include "session/session.h"
#include "tests/support/catch.h"
#include "tests/support/shipped_setup.h"
#include "view/walk/traffic_model.h"
#include "view/words/naive_win.h"

using namespace tilewalk;

namespace {

constexpr double kSame = 0.01;

struct Cell {
  AttentionCall call;
  const AttentionMethod* method = nullptr;
  double predicted_ms = 0;
};

const RaceTimes& recorded(const std::string& device) {
  static std::map<std::string, RaceTimes> read;
  auto at = read.find(device);
  if (at == read.end()) {
    Result<RaceTimes> times = load_race_times(TILEWALK_SOURCE_DIR, device);
    REQUIRE(times);
    at = read.emplace(device, std::move(*times)).first;
  }
  return at->second;
}

// Every recorded cell of a contender with a walk tile by tile.
std::vector<Cell> cells_of(const std::string& device) {
  std::vector<Cell> out;
  for (const RaceTime& time : recorded(device).times) {
    const AttentionMethod* const method = time.pass == "forward" ? method_named(time.rung) : nullptr;
    if (!method || !method->tiled()) continue;
    const Prediction p = predict(*method, call_of(time), device_of(device));
    if (p.predicted_ms) out.push_back({call_of(time), method, *p.predicted_ms});
  }
  return out;
}

Problem walked(const Cell& cell, const std::string& device) {
  const DeviceModel& on = device_of(device);
  Problem p = walked_by(*cell.method, cell.call, on);
  p.machine.sram_bytes = std::max(p.machine.sram_bytes, on.sram_per_block_bytes);  // as a click on it does
  return p;
}

// "5.75 ms", "43.5 µs", "1.20 s".
double ms_in(const std::string& text) {
  const std::string unit = text.substr(text.rfind(' ') + 1);
  return std::stod(text) * (unit == "µs" ? 1e-3 : unit == "s" ? 1e3 : 1);
}

}  // namespace

TEST_CASE("comparison and waves agree with predict, at every recorded cell", "[unit]") {
  for (const char* device : {"h200", "h100"}) {
    const std::vector<Cell> cells = cells_of(device);
    CHECK(cells.size() > 150);
    for (const Cell& cell : cells) {
      const Problem p = walked(cell, device);
      INFO(device << ": " << cell.method->id << ", " << call_title(cell.call));
      REQUIRE(contender_of(p, device_of(device)) == cell.method);
      const auto schedule = make_schedule(p);
      const RunTime run = run_time(*schedule);
      CHECK(run.seconds * 1e3 == Approx(cell.predicted_ms).epsilon(kSame));
      const WavesModel waves = build_waves_model(p, run, 300, 100);
      const std::string with_launch = waves.time.substr(waves.time.find(", ") + 2);
      CHECK(ms_in(with_launch.substr(0, with_launch.find(" with"))) == Approx(cell.predicted_ms).epsilon(kSame));
      const Comparison c = build_comparison(*schedule, *schedule, run, run);
      CHECK(c.right_run.ms() == Approx(cell.predicted_ms).epsilon(kSame));
      const CompareModel m = build_compare_model(c, words_with_times(c, &recorded(device)), &recorded(device));
      for (const CompareLine& line : m.lines) {
        if (line.id == "modelled-time" || (line.id == "time" && line.modelled))
          CHECK(ms_in(line.right) == Approx(cell.predicted_ms).epsilon(kSame));
        if (line.id == "recorded-error")
          CHECK(line.right ==
                error_text(cell.predicted_ms / *recorded(device).ms_of(cell.method->who, cell_of(cell.call)) - 1));
      }
    }
  }
}

TEST_CASE("a thread block's lanes run at the pace of that time", "[unit]") {
  int checked = 0;
  for (const Cell& cell : cells_of("h200")) {
    const Problem p = walked(cell, "h200");
    if (++checked % 9 != 0 || latency_decides(p, device_of("h200"))) continue;
    INFO(cell.method->id << ", " << call_title(cell.call));
    GroupCycles cycles(p, memory_share(p, device_of("h200")));
    CHECK((cycles(40) - cycles(20)) / 20 == Approx(VisitPace(p, device_of("h200")).visit(1)).epsilon(kSame));
  }
}

TEST_CASE("roofline and lessons agree with predict, at recorded cells", "[unit]") {
  const std::unique_ptr<Session> session = test::shipped_session();
  const std::vector<Cell> cells = cells_of("h200");
  RooflineCache cache;
  int checked = 0;
  for (std::size_t i = 0; i < cells.size(); i += 11) {
    const auto& [call, method, ms] = cells[i];
    INFO(method->id << ", " << call_title(call));
    session->dispatch(ChooseRoofline{.device = "h200",
                                     .n = call.n,
                                     .d = call.d,
                                     .heads = call.heads,
                                     .kv_heads = 0,
                                     .batch = call.batch,
                                     .causal = call.causal,
                                     .dtype = call.dtype});
    session->dispatch(Action::RevealWin);
    for (const RooflineRow& row : build_roofline_page(session->roofline(), cache).rows)
      if (row.walk && row.walk->method == method->id) {
        CHECK(ms_in(row.cells[5]) == Approx(ms).epsilon(kSame));
        ++checked;
      }
    const Problem p = walked(cells[i], "h200");
    const auto text = [](std::int64_t number) { return std::to_string(number); };
    const Facts facts({session->document(), session->walk(), session->compare(), session->roofline(), session->which(),
                       session->tree()});
    const FactPath path{{{"n", text(call.n)},
                         {"d", text(call.d)},
                         {"heads", text(call.heads)},
                         {"kv-heads", text(call.heads)},
                         {"batch", text(call.batch)},
                         {"mask", call.causal ? "causal" : "none"},
                         {"device", "h200"},
                         {"dtype", "bf16"},
                         {"br", text(p.tiling.br)},
                         {"bc", text(p.tiling.bc)},
                         {"sram", text(1 << 20)}},  // so that a walk of it would fit: the call does not need it
                        {{"predicted", {}}, {method->id, {}}}};
    const Result<Figure> fact = facts.of(path);
    INFO((fact ? "" : text_of(fact.issues())));
    REQUIRE(fact);
    CHECK(*fact->number() == Approx(ms).epsilon(kSame));
  }
  CHECK(checked > 20);
}

TEST_CASE("the race's page agrees with predict", "[unit]") {
  Result<Race> race = load_shipped_race(TILEWALK_SOURCE_DIR);
  REQUIRE(race);
  Races controller;
  controller.recorded = std::make_shared<const Race>(std::move(*race));
  int checked = 0;
  for (const std::int64_t d : {64, 128})
    for (const bool causal : {false, true})
      for (const std::int64_t n : {1024, 4096, 16384}) {
        controller.choice = {.source = RaceSource::Recorded, .n = n, .d = d, .causal = causal, .all = true};
        const RaceModel model = build_race_model(controller, false);
        const auto predicted = std::find(model.table_heads.begin(), model.table_heads.end(), "predicted");
        REQUIRE(predicted != model.table_heads.end());
        for (const RaceLine& row : model.table)
          for (const auto& [title, id] :
               {std::pair{"FA-1 by Tilewalk", "flash_v1"}, std::pair{"FA-2 by Tilewalk", "flash_v2"},
                std::pair{"FA-3 by Tilewalk", "flash_v3"}, std::pair{"Naive, cuBLAS", "naive"}}) {
            if (row.title != title) continue;
            const AttentionCall call{.n = n, .d = d, .heads = 2048 / d, .batch = 16384 / n, .causal = causal};
            CHECK(ms_in(row.cells[std::size_t(predicted - model.table_heads.begin())]) ==
                  Approx(*predict(*method_named(id), call, device_of("h200")).predicted_ms).epsilon(kSame));
            ++checked;
          }
      }
  CHECK(checked == 48);
}

TEST_CASE("one call has one naive walk: ledger, pipes, table of differences and roofline give its bytes", "[unit]") {
  const DeviceModel& device = device_of("h200");
  for (const AttentionCall& call : {AttentionCall{.n = 8192, .d = 64, .heads = 32, .batch = 2},
                                    AttentionCall{.n = 4096, .d = 128, .heads = 16, .causal = true}}) {
    const Prediction raced = predict(method_of(Contender::Naive), call, device);
    const Problem naive = walked_by(*raced.method, call, device);
    const std::int64_t asked = whole_run_cost(naive).hbm_total().bytes();
    for (const char* id : {"naive", "flash_v1", "flash_v2", "flash_v3"}) {
      Document document;
      document.problem = walked({call, method_named(id), 0}, "h200");
      auto session = Session::open(document, {});
      REQUIRE(session);
      const Schedule& walk = (*session)->schedule();
      const WholeRuns runs = whole_runs(walk);
      CHECK(runs.naive.hbm_total().bytes() == asked);
      CHECK(runs.naive_basis == basis_of_naive(naive));
      const std::string ledger = build_traffic_model(walk, runs, 0).bars[0].text;
      CHECK(ledger == format_bytes(asked));
      const std::string basis = naive_basis_sentence(raced, device), here = big_bytes(double(asked));
      const std::string masked = call.causal ? "; " + big_bytes(double(modelled_dram_bytes(*make_schedule(naive)))) +
                                                   " reach DRAM, since its softmax reads masked scores too"
                                             : "";
      CHECK(basis.ends_with(" asks for " + here + (here == ledger ? "" : ": " + ledger + " in its own ledger") +
                            masked + "."));
      if (walk.problem().schedule == ScheduleKind::Standard) continue;
      (*session)->dispatch(PinSchedule{ScheduleKind::Standard});
      (*session)->dispatch(Action::ShowPipes);
      ComparePageCache cache;
      const ComparePage page = build_compare_page(**session, 1200, 300, 120, cache);
      REQUIRE(page.pipes);
      CHECK(page.of_walk);
      CHECK(page.pipes->sides[0].of_bytes == asked);
      CHECK(page.pipes->sides[0].of.find(ledger) != std::string::npos);
      CHECK(cache.comparison->left_run.hbm_bytes == asked);
    }
  }
}

TEST_CASE("roofline, race and Which say in one form what is how many times as fast as naive", "[unit]") {
  Result<Race> race = load_shipped_race(TILEWALK_SOURCE_DIR);
  REQUIRE(race);
  Races races;
  races.recorded = std::make_shared<const Race>(std::move(*race));
  races.choice = {.source = RaceSource::Recorded, .n = 8192, .d = 64};
  const RaceModel raced = build_race_model(races, false);
  const AttentionCall call{.n = 8192, .d = 64, .heads = 32, .batch = 2};
  const std::vector<PredictionRow> rows = prediction_rows(call, device_of("h200"), &recorded("h200"));
  const NaiveWin win = win_over_naive(*find_row(rows, Contender::FlashV3), rows);
  CHECK(win.words().starts_with("as fast as naive, recorded: the fastest here, FA-3 by Tilewalk, takes "));
  CHECK(win.words().ends_with(" PyTorch cuDNN: " + times_text_of(win.naive_ms / win.other_ms) + "."));
  CHECK(raced.figure == win.figure());
  const auto head = std::find(raced.table_heads.begin(), raced.table_heads.end(), "vs naive");
  REQUIRE(head != raced.table_heads.end());
  std::size_t same = 0;  // the table has the same rounding as the figure
  for (const RaceLine& line : raced.table)
    same += line.cells.at(std::size_t(head - raced.table_heads.begin())) == raced.figure;
  CHECK(same == 1);
  CHECK(raced.table_note.find("allocates beside Q, K, V, O and L, not the bytes that it moves") != std::string::npos);
  CHECK(raced.figure_words == win.words());
  WhichModel which;
  which.runs_as = Contender::TorchCudnn;
  which.recorded_ms = {{.who = Contender::TorchCudnn, .title = "cuDNN", .ms = win.other_ms}};
  const std::optional<NaiveWin> runs = shown_win(which, rows);
  REQUIRE(runs);
  CHECK(runs->figure() == times_text_of(win.naive_ms / win.other_ms));
  CHECK(runs->words().starts_with("as fast as naive, recorded: PyTorch's default, cuDNN, takes " +
                                  ms_text(win.other_ms)));
  CHECK(runs->words().ends_with(" The fastest here, FA-3 by Tilewalk: " + raced.figure + "."));
  which.without_mask = true;
  CHECK(shown_win(which, rows)->words().starts_with("as fast as naive, recorded without the mask: "));
  which.runs_as = Contender::TorchEfficient;  // an older kind
  which.recorded_ms = {{.who = Contender::TorchEfficient, .title = "EFFICIENT", .ms = win.naive_ms / 1.5}};
  CHECK(shown_win(which, rows)->figure() == "1.5×");
  CHECK(shown_win(which, rows)->words().ends_with(" FA-3 by Tilewalk: " + raced.figure + "."));
  which.runs_as = Contender::TorchCudnn;  // faster than all here
  which.recorded_ms = {{.who = Contender::TorchCudnn, .title = "cuDNN", .ms = win.fast_ms / 2}};
  CHECK(shown_win(which, rows)->words().ends_with(" FA-3 by Tilewalk: " + raced.figure + "."));
  which.recorded_ms.clear(), which.runs_as = std::nullopt;
  CHECK_FALSE(shown_win(which, rows));  // nothing is known of what runs
  const std::vector<PredictionRow> modelled = prediction_rows(call, device_of("a100"), nullptr);
  CHECK(win_over_naive(*find_row(modelled, Contender::FlashV2), modelled)
            .words()
            .starts_with("as fast as naive, predicted: the fastest here, FA-2 by Tilewalk, takes "));
}

TEST_CASE("where a kernel has other tiles, its time has no error", "[unit]") {
  const AttentionCall call{.n = 16384, .d = 128, .heads = 16};
  Problem p = walked({call, method_named("flash_v2"), 0}, "h200");
  CHECK(walk_prediction(p, 6, recorded("h200")).error);
  p.tiling.bc = 32;
  const WalkPrediction other = walk_prediction(p, 6, recorded("h200"));
  CHECK_FALSE(other.error);
  CHECK(other.ran == "128×64");
  Problem three = walked({call, method_named("flash_v3"), 0}, "h200");
  three.lanes.overlap = false;
  CHECK(walk_prediction(three, 6, recorded("h200")).ran == "all options on");
  Problem standard = under_schedule(p, ScheduleKind::Standard);
  CHECK_FALSE(walk_prediction(standard, 6, recorded("h200")).recorded_ms);
}
