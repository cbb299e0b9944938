// The page of the roofline: a guess before the answers, and no figure that contradicts another.
#include "pages/roofline/roofline_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "base/words.h"
#include "core/fields/validate.h"
#include "core/schedules/ledger.h"
#include "core/schedules/registry.h"
#include "measured/prediction_error.h"
#include "pages/roofline/win_plot.h"
#include "tests/support/catch.h"
#include "tests/unit/pages/roofline/asked_roofline.h"

using namespace tilewalk;
using test::Asked;
using test::place_of;
using test::recorded_once;

namespace {

bool shows(const RooflinePage& page, RooflineHue hue) {
  for (const RooflinePoint& point : page.points)
    if (point.hue == hue) return true;
  return false;
}

}  // namespace

TEST_CASE("the curves say which heads each N has; an N that was not raced says that as raced is off", "[unit]") {
  Asked asked;
  WindowCall window;
  RooflineController shown{asked.document, asked.messages, asked, window, {.load_times = recorded_once}};
  RooflineCache cache;
  shown.read_times();
  CHECK(build_roofline_page(shown, cache).over_n == "each N with the heads raced at it");
  shown.carry_out(ChooseRoofline{.n = 3000});
  const auto has_short_rule = [](const RooflinePage& page) {
    for (const std::string& note : page.notes)
      if (note.find("rule for short calls") != std::string::npos) return true;
    return false;
  };
  const RooflinePage page = build_roofline_page(shown, cache);
  CHECK(page.over_n == "each N with 2×32 heads · as raced is off: N 3,000 was not raced");
  CHECK_FALSE(has_short_rule(page));  // a third time of naive, beside paper and prediction
  CHECK(has_short_rule(build_roofline_page(shown, cache, {}, true)));
  shown.carry_out(ChooseRoofline{.n = 4096});
  CHECK(build_roofline_page(shown, cache).over_n == "each N with 2×32 heads");
}

TEST_CASE("the answers are shown; where guesses come first they stay hidden until they are requested", "[unit]") {
  Asked asked;
  {
    WindowCall window;
    RooflineController shown{asked.document, asked.messages, asked, window, {.load_times = recorded_once}};
    RooflineCache cache;
    shown.read_times();
    const RooflinePage page = build_roofline_page(shown, cache);
    CHECK(page.revealed);
    CHECK(page.figure == times_text_of(*win_of(shown.rows())));
    CHECK(page.answer.starts_with(
        capitalized(win_over_naive(*find_row(shown.rows(), Contender::FlashV3), shown.rows()).times())));
    CHECK(page.answer.find(" FA-3 against eager: ") != std::string::npos);
    CHECK(page.question.empty());
    shown.carry_out(ChooseRoofline{.n = 4096});
    CHECK(shown.revealed());
  }
  const RooflinePage before = asked.page();
  CHECK(shows(before, RooflineHue::Naive));
  CHECK_FALSE(shows(before, RooflineHue::Tiled2));
  CHECK_FALSE(shows(before, RooflineHue::Tiled3));
  CHECK(before.wins.empty());
  REQUIRE(before.rows.size() == 5);
  for (const RooflineRow& row : before.rows) {
    CAPTURE(row.title);
    const bool known = row.title.find("FA") == std::string::npos;
    for (const std::string& cell : row.cells) CHECK((cell == "?") != known);
    CHECK(row.reason.empty());
  }
  CHECK(before.notes.empty());
  REQUIRE(before.even_at);
  CHECK(*before.even_at == Approx(1 / 16.0));
  CHECK_FALSE(before.guess_at);
  CHECK(before.answer.empty());
  CHECK(before.figure.empty());
  CHECK(before.sentence.empty());
  asked.controller.carry_out(GuessWin{3});
  CHECK(shows(asked.page(), RooflineHue::Guess));
  REQUIRE(asked.page().guess_at);
  CHECK(asked.page().guess_at->y == Approx(3 / 16.0));
  CHECK(asked.page().guess_at->x == asked.page().n_at);
  asked.controller.reveal();
  const RooflinePage after = asked.page();
  CHECK(shows(after, RooflineHue::Tiled3));
  CHECK(after.wins.size() == 2);
  CHECK_FALSE(after.even_at);
  for (const RooflineRow& row : after.rows) {
    for (const std::string& cell : row.cells) CHECK(cell != "?");
    const bool shown = row.title != "eager";
    CHECK(row.reason.starts_with("The limit of " + row.title + " is ") == shown);
  }
  CHECK(after.figure.ends_with("×"));
  CHECK(after.sentence.empty());  // the modelled speed-up would be a second figure beside the recorded one
  CHECK(after.source.find(" Naive here is the one that races: S in bf16, ") != std::string::npos);
  CHECK(after.rows.size() == 5);
  CHECK(after.answer.find("Your 3×") != std::string::npos);
  asked.controller.carry_out(ChooseRoofline{.n = 4096});  // another question
  CHECK_FALSE(asked.controller.revealed());
  CHECK_FALSE(asked.controller.guess());
}

TEST_CASE("a guess is compared with the recording where there is one", "[unit]") {
  Asked asked;
  const AttentionCall call = asked.controller.call();
  const double right = *asked.controller.times()->ms_of(Contender::Naive, cell_of(call)) /
                       *asked.controller.times()->ms_of(Contender::FlashV3, cell_of(call));
  CHECK(*win_of(prediction_rows(call, device_of("h200"), asked.controller.times())) == Approx(right));
  asked.controller.carry_out(GuessWin{right});
  asked.controller.reveal();
  REQUIRE(asked.controller.misses().size() == 1);
  CHECK(asked.controller.misses()[0] == Approx(0).margin(1e-12));
  asked.controller.carry_out(ChooseRoofline{.device = "a100"});  // FA-3 does not run there
  const Prediction naive = predict(*method_named("naive"), asked.controller.call(), device_of("a100"));
  const Prediction two = predict(*method_named("flash_v2"), asked.controller.call(), device_of("a100"));
  CHECK(*win_of(prediction_rows(asked.controller.call(), device_of("a100"), asked.controller.times())) ==
        Approx(*naive.predicted_ms / *two.predicted_ms));
}

TEST_CASE("where naive is not recorded, the win is the model's on both sides", "[unit]") {
  Asked asked;
  asked.controller.carry_out(ChooseRoofline{.n = 32768});
  const std::vector<PredictionRow> rows =
      prediction_rows(asked.controller.call(), device_of("h200"), asked.controller.times());
  const PredictionRow *const naive = find_row(rows, Contender::Naive), *const fast = find_row(rows, Contender::FlashV3);
  REQUIRE((naive && fast && !naive->recorded_ms && fast->recorded_ms));
  CHECK(*win_of(rows) == Approx(*naive->predicted.predicted_ms / *fast->predicted.predicted_ms));
}

TEST_CASE("a predicted win says how far the model was off at recorded calls", "[unit]") {
  Asked asked;
  WindowCall window;
  RooflineController shown{asked.document, asked.messages, asked, window, {.load_times = recorded_once}};
  shown.read_times();
  RooflineCache cache;
  const auto answer_at = [&](std::int64_t n) {
    shown.carry_out(ChooseRoofline{.n = n});
    return build_roofline_page(shown, cache).answer;
  };
  const RaceTimes& times = *shown.times();
  const Spread error =
      prediction_errors(times, device_of("h200")).of_sample("").of_speed_up(Contender::FlashV3, Contender::Naive);
  REQUIRE(error.points > 20);
  const std::string words = fmt::format(" At {} recorded calls the model's speed-up is {:.0f} % off in the median.",
                                        error.points, 100 * error.median);
  CHECK(answer_at(3000).ends_with(words));
  CHECK(answer_at(3008).ends_with(words));  // the page keeps it
  for (const std::int64_t n : {8192, 600}) CHECK(answer_at(n).find(" off in the median") == std::string::npos);
  shown.carry_out(EditOwnCard{"bandwidth", "900"});  // no recording is of that card
  CHECK(answer_at(3000).find(" off in the median") == std::string::npos);
}

TEST_CASE("the axis of speed-ups has at most nine ticks, in equal steps from 0, however large they are") {
  for (const double most : {0.6, 4.9, 11.0, 97.0, 450.0}) {
    INFO(most);
    RooflinePage page;
    const WinScale scale(page, {1024, 8192}, most, 1024);
    REQUIRE(page.win_ticks.size() >= 3);
    CHECK(page.win_ticks.size() <= 9);
    CHECK(page.win_ticks.front().text == "0×");
    for (std::size_t i = 1; i < page.win_ticks.size(); ++i) {
      CHECK(page.win_ticks[i].at == Approx(double(i) * page.win_ticks[1].at));
      CHECK(scale.place(1024, std::stod(page.win_ticks[i].text)).y == Approx(page.win_ticks[i].at));
    }
  }
}

TEST_CASE("the speed-up over N follows card, d and mask", "[unit]") {
  Asked kept;
  for (const ChooseRoofline& choice : {ChooseRoofline{}, ChooseRoofline{.device = "a100"}, ChooseRoofline{.d = 128},
                                       ChooseRoofline{.causal = true}, ChooseRoofline{.n = 2048}}) {
    kept.controller.carry_out(choice);
    kept.controller.reveal();
    RooflineCache none;
    const RooflinePage seen = kept.page(), afresh = build_roofline_page(kept.controller, none);
    CAPTURE(kept.controller.device(), kept.controller.call().d);
    REQUIRE_FALSE(afresh.wins.empty());
    REQUIRE(seen.wins.size() == afresh.wins.size());
    for (std::size_t i = 0; i < seen.wins.size(); ++i) {
      REQUIRE(seen.wins[i].modelled.size() == afresh.wins[i].modelled.size());
      for (std::size_t k = 0; k < seen.wins[i].modelled.size(); ++k)
        CHECK(seen.wins[i].modelled[k].y == afresh.wins[i].modelled[k].y);
      CHECK(seen.wins[i].recorded.size() == afresh.wins[i].recorded.size());
    }
    const bool ends_early = seen.wins.front().modelled.back().x < 0.999;
    CHECK((seen.jumps.find("naive's scores do not fit") != std::string::npos) == ends_early);
  }
}

TEST_CASE("an impossible choice is refused and changes nothing", "[unit]") {
  Asked asked;
  asked.controller.carry_out(ChooseRoofline{.device = "h300"});
  asked.controller.carry_out(ChooseRoofline{.n = 0});
  asked.controller.carry_out(ChooseRoofline{.d = -64});
  asked.controller.carry_out(ChooseRoofline{.kv_heads = 5});
  asked.controller.carry_out(ChooseRoofline{.n = 1 << 23, .heads = 1 << 22});
  asked.controller.carry_out(GuessWin{-1});
  CHECK(asked.controller.device() == "h200");
  CHECK(asked.controller.call() == AttentionCall{.n = 8192, .d = 64, .heads = 32, .batch = 2});
  CHECK_FALSE(asked.controller.guess());
  CHECK(asked.messages.message());
}

TEST_CASE("the page offers no GPU but the one of the header's call", "[unit]") {
  Asked asked;
  asked.controller.carry_out(ChooseRoofline{.device = "h100"});
  for (const RooflineTags& row : asked.page().choices) {
    if (row.title != "GPU") continue;
    REQUIRE(row.tags.size() == 1);
    CHECK(row.tags[0].label.starts_with("H100"));
    CHECK(row.tags[0].active);
  }
}

TEST_CASE("any call can be chosen; the page has tags for what the header has not", "[unit]") {
  Asked asked;
  const auto active = [&](const std::string& title) {
    std::string labels;
    for (const RooflineTags& row : asked.page().choices)
      for (const RooflineTag& tag : row.tags)
        if (row.title == title && tag.active) labels += (labels.empty() ? "" : ", ") + tag.label;
    return labels;
  };
  CHECK(active("heads × batch") == "as raced");
  asked.controller.carry_out(ChooseRoofline{.n = 4096, .d = 128});
  CHECK(asked.controller.call() == AttentionCall{.n = 4096, .d = 128, .heads = 16, .batch = 4});  // as raced
  asked.controller.carry_out(ChooseRoofline{.device = "t4",
                                            .n = 1000,
                                            .d = 80,
                                            .heads = 12,
                                            .kv_heads = 4,
                                            .batch = 3,
                                            .causal = true,
                                            .dtype = DType::Fp16});
  CHECK(
      asked.controller.call() ==
      AttentionCall{.n = 1000, .d = 80, .heads = 12, .kv_heads = 4, .batch = 3, .causal = true, .dtype = DType::Fp16});
  CHECK(active("GPU") == "T4");
  CHECK(asked.page().machine == "T4");
  CHECK(active("heads × batch").empty());  // the header has them
  for (const RooflineTags& row : asked.page().choices)
    for (const char* said_in_the_header : {"type", "d", "mask", "N"}) CHECK(row.title != said_in_the_header);
  for (const RooflineTags& row : asked.page().choices) {  // each tag's offer can be chosen
    for (const RooflineTag& tag : row.tags) {
      Asked other;
      other.controller.carry_out(*tag.choice.as<ChooseRoofline>());
      INFO(row.title << " " << tag.label);
      CHECK_FALSE(other.messages.message());
    }
  }
  asked.controller.carry_out(ChooseRoofline{.device = "h200", .n = 2048, .heads = 32, .batch = 8});
  CHECK(active("heads × batch").empty());
  asked.controller.carry_out(ChooseRoofline{.as_raced = true});
  CHECK(asked.controller.call().heads == 25);
  CHECK(asked.controller.call().batch == 8);
}

TEST_CASE("the notes of a forward call name the GPU that nothing ran on, and no backward pass", "[unit]") {
  Asked asked;
  asked.controller.carry_out(ChooseRoofline{.device = "a100"});
  asked.controller.reveal();
  const std::vector<std::string> notes = asked.page().notes;
  const auto has = [&](const char* words) {
    return std::any_of(notes.begin(), notes.end(),
                       [&](const std::string& note) { return note.find(words) != std::string::npos; });
  };
  CHECK(has("its kernel was never run on A100 80 GB SXM (sm_80)"));
  CHECK_FALSE(has("backward"));
}

TEST_CASE("the user's own card moves the roofs, and has no recordings", "[unit]") {
  Asked asked;
  asked.controller.carry_out(EditOwnCard{"bandwidth", "1000"});
  asked.controller.carry_out(EditOwnCard{"peak", "100"});
  asked.controller.reveal();
  const RooflinePage page = asked.page();
  CHECK(page.roofs[0].label == "HBM 1.00 TB/s");
  CHECK(page.roofs[1].label == "tensor cores 100 TFLOP/s");
  CHECK_FALSE(asked.controller.times());
  for (const RooflinePoint& point : page.points) CHECK_FALSE(point.recorded);
  for (const RooflineTag& tag : page.choices[0].tags) CHECK_FALSE(tag.active);
  CHECK(page.machine == "your own GPU");
  asked.controller.carry_out(EditOwnCard{"bandwidth", ""});
  CHECK(asked.page().roofs[0].label == "HBM 4.28 TB/s reached, 4.8 by the data sheet");
  CHECK(asked.controller.own_card());
  asked.controller.carry_out(ChooseRoofline{.device = "h200"});
  CHECK_FALSE(asked.controller.own_card());
  CHECK(asked.controller.times());
}

TEST_CASE("an invalid rate is refused in its field, and the card stays", "[unit]") {
  Asked asked;
  asked.controller.carry_out(EditOwnCard{"bandwidth", "900"});
  for (const char* bad : {"x", "-1", "0", "1e8", "inf", "nan", "900 GB/s", "1e999"}) {
    asked.controller.carry_out(EditOwnCard{"bandwidth", bad});
    const RooflineField field = asked.page().own[0];
    CAPTURE(bad, field.issue);
    CHECK(field.text == bad);
    CHECK(field.issue.find("must be a number above 0, at most 10,000,000") != std::string::npos);
    CHECK(asked.controller.bandwidth().value == 900.0);
  }
  asked.controller.carry_out(EditOwnCard{"bandwidth", "950"});
  CHECK(asked.page().own[0].issue.empty());
}

TEST_CASE("a recorded time that launches may have set is in the tooltip of its mark, and is no mark of the card") {
  const Result<RaceTimes> times = recorded_once("h200");
  REQUIRE(times);
  std::vector<RaceCell> raced;
  for (const RaceTime& time : times->times)
    if (time.pass == "forward" && std::find(raced.begin(), raced.end(), RaceCell(time)) == raced.end())
      raced.push_back(time);
  int short_calls = 0, long_calls = 0;
  for (const RaceCell& cell : raced) {
    if (short_calls > 3 && long_calls > 3) break;
    Asked asked;
    asked.controller.carry_out(
        ChooseRoofline{.n = cell.n, .d = cell.d, .heads = cell.heads, .batch = cell.batch, .causal = cell.causal});
    asked.controller.reveal();
    const RooflinePage page = asked.page();
    INFO("N " << cell.n << ", d " << cell.d << ", " << cell.heads << " heads, batch " << cell.batch);
    for (const PredictionRow& row : asked.controller.rows()) {
      const std::string start = std::string(row.predicted.method->title) + ": ";
      const auto at = std::find_if(page.points.begin(), page.points.end(),
                                   [&](const RooflinePoint& point) { return point.detail.starts_with(start); });
      if (at == page.points.end() || !row.recorded_ms) continue;
      INFO(start);
      CHECK(at->recorded.has_value() == !row.by_processor());
      CHECK(at->detail.find(", recorded ") != std::string::npos);
      ++(row.by_processor() ? short_calls : long_calls);
    }
  }
  CHECK(short_calls > 0);
  CHECK(long_calls > 0);
}

TEST_CASE("each row of the table and each point opens its schedule, with its kernel's tiles", "[unit]") {
  for (const std::string device : {"h200", "a100", "rtx4090", "b200"})
    for (const std::int64_t d : {64, 80, 128, 256}) {
      Asked asked;
      asked.controller.carry_out(
          ChooseRoofline{.device = device, .n = 4096, .d = d, .heads = 3, .batch = 2, .causal = true});
      asked.controller.reveal();
      const RooflinePage page = asked.page();
      INFO(device << " d " << d);
      for (const RooflineRow& row : page.rows) {
        if (row.title == "eager") {  // a walk of naive has neither its operations nor its time
          CHECK_FALSE(row.walk);
          continue;
        }
        REQUIRE(row.walk);
        const AttentionMethod& method = *method_named(row.walk->method);
        asked.walked.reset();
        asked.controller.carry_out(*row.walk);
        CAPTURE(row.title);
        REQUIRE(asked.walked);
        const Problem& p = asked.walked->problem;
        CHECK(p.schedule == *method.schedule);
        CHECK(p.machine.device == device);
        CHECK((p.shape.n_q == 4096 && p.shape.d == d && p.shape.heads == 3 && p.shape.batch == 2));
        CHECK(p.shape.mask.kind == MaskKind::Causal);
        CHECK(asked.walked->view.page == Page::Walk);
        const auto walk = make_schedule(p);  // after its first scores
        REQUIRE(asked.walked->cursor > 0);
        CHECK(made_by(row_of(p), walk->step(asked.walked->cursor - 1), Quantity::S));
        if (!method.tiled()) continue;
        CHECK(FastTile{p.tiling.br, p.tiling.bc} == tile_of(method, asked.controller.call(), device_of(device)));
      }
      for (const RooflinePoint& point : page.points)
        CHECK(point.walk.has_value() == (point.label.rfind("eager", 0) != 0));
    }
  Asked asked;
  asked.controller.carry_out(ChooseRoofline{.device = "a100"});
  asked.controller.carry_out(WalkMethod{"flash_v3"});  // does not run there
  CHECK_FALSE(asked.walked);
  CHECK(asked.messages.message());
}

TEST_CASE("eager's operations are listed before the answers, and their bytes add up", "[unit]") {
  Asked asked;
  for (const bool causal : {false, true}) {
    asked.controller.carry_out(ChooseRoofline{.causal = causal});
    const RooflinePage page = asked.page();
    const Prediction eager = predict(*method_named("eager"), asked.controller.call(), asked.controller.card());
    CHECK(page.eager.size() == (causal ? 5u : 4u));
    CHECK(page.eager.front().line == "s = q @ k.transpose(-1, -2)");
    double bytes = 0;
    for (const Operation& op : eager.operations) bytes += op.bytes;
    CHECK(page.trips.find(big_bytes(bytes)) != std::string::npos);
    CHECK(page.trips.find("FA-2") == std::string::npos);
    asked.controller.reveal();
    const RooflinePage answers = asked.page();
    const Prediction two = predict(method_of(Contender::FlashV2), asked.controller.call(), asked.controller.card());
    CHECK(answers.trips.find("FA-2 moves " + big_bytes(two.dram_bytes) + " through DRAM") != std::string::npos);
    asked.controller.reveal();
  }
  asked.controller.carry_out(ChooseRoofline{.n = 1 << 20});  // its scores do not fit
  CHECK(asked.page().eager.empty());
}

TEST_CASE("no mark, recorded or predicted, is above the roof of its head size", "[unit]") {
  for (const char* device : {"h200", "h100"})
    for (const auto& [n, d, heads] : {std::tuple{16384, 256, 8}, std::tuple{20000, 192, 8}, std::tuple{8192, 64, 32}}) {
      Asked asked;
      asked.controller.carry_out(ChooseRoofline{.device = device, .n = n, .d = d, .heads = heads, .batch = 1});
      asked.controller.reveal();
      const RooflinePage page = asked.page();
      double roof = 0;
      for (const RoofLine& line : page.roofs) roof = std::max({roof, line.from_y, line.to_y});
      CAPTURE(device, n, d, page.roofs.size());
      CHECK(page.points.size() >= 3);
      for (const RooflinePoint& point : page.points)
        for (const auto& at : {point.predicted, point.recorded})
          if (at) CHECK(at->y <= roof + 1e-9);
    }
}

TEST_CASE("where no speed-up is possible the question says why", "[unit]") {
  Asked asked;
  asked.controller.carry_out(ChooseRoofline{.dtype = DType::Fp32});
  CHECK(asked.page().guesses.empty());
  CHECK(asked.page().question.find("fp16 and bf16") != std::string::npos);
  asked.controller.carry_out(ChooseRoofline{.n = 1 << 20, .dtype = DType::Bf16});
  const RooflinePage page = asked.page();
  CHECK(page.question.find("do not fit") != std::string::npos);
  REQUIRE(page.unplotted.size() == 1);
  CHECK(page.unplotted[0] == "Naive has no mark here.");  // one reason, once
  for (const std::string& note : page.notes) CHECK_FALSE(note.starts_with("naive"));
  CHECK(page.jumps.find("do not fit") == std::string::npos);
}
