// Beside a walk of a call stands the naive attention of the other pages: S in the call's type, whole rows on chip. A
// small problem of 16 bits keeps S in fp32.
#include "core/predict/attention_method.h"
#include "core/schedules/registry.h"
#include "pages/walk/last_card_model.h"
#include "session/document/compared_problems.h"
#include "tests/support/catch.h"
#include "tests/unit/view/view_fixture.h"
#include "trace/accuracy.h"
#include "view/scores/working.h"
#include "view/sentence/sentence.h"
#include "view/walk/accuracy_model.h"
#include "view/walk/traffic_model.h"
#include "view/words/call_times.h"

using namespace tilewalk;

namespace {

std::unique_ptr<Session> of_call(std::int64_t n) {
  SessionSetup setup;
  setup.of<WhichController>().load_rules = [] { return load_rule_tables(TILEWALK_SOURCE_DIR); };
  auto session = Session::open({}, std::move(setup));
  REQUIRE(session.ok());
  (*session)->dispatch(ChooseRoofline{.n = n, .heads = 4, .batch = 1});
  return std::move(*session);
}

std::int64_t bytes_of(const Problem& p) { return whole_run_cost(p).hbm_total().bytes(); }

}  // namespace

TEST_CASE("the last card of a walked call has the bytes and the ratio of roofline and comparison") {
  const Command walks[] = {Action::WalkCall, WalkMethod{"flash_v2"}, WalkMethod{"naive"}};
  for (const std::int64_t n : {1024, 8192, 16384})
    for (const Command& walk : walks) {
      auto session = of_call(n);
      session->dispatch(walk);
      session->dispatch(Action::Last);
      while (session->busy()) session->dispatch(Work{64});
      const Problem& p = session->problem();
      CAPTURE(n, name_of(p.schedule));
      const AttentionCall call = session->roofline().call();
      const DeviceModel& device = device_of(p.machine);
      const std::int64_t asked = bytes_of(walked_by(method_of(Contender::Naive), call, device));  // as roofline says
      LastCardCache cache;
      WalkTimesCache times;
      const auto card = build_last_card(*session, cache, times);
      REQUIRE(card);
      REQUIRE(card->bars.size() == 2);
      const bool naive = p.schedule == row_of(p).family.naive;
      Problem compared = p;
      compared.schedule = ScheduleKind::Standard;
      CHECK(bytes_of(at_call(compared, call, device)) == asked);
      CHECK(bytes_of(compared_under(p, ScheduleKind::Standard)) == asked);
      CHECK(card->bars[naive ? 0 : 1].bytes == asked);
      compared.schedule = naive ? ScheduleKind::FlashV2 : p.schedule;
      if (walked_call(p))  // which PyTorch's kernel, whose tiles are others, is not
        CHECK(card->bars[naive ? 1 : 0].bytes == bytes_of(at_call(compared, call, device)));
      CHECK(whole_runs(session->schedule()).naive_basis == "tiles 64×64, S and P in bf16");
      CHECK(whole_runs(session->schedule()).naive_note.empty());
      if (times.comparison)
        if (const auto pair = call_times(*times.comparison, nullptr)) CHECK(pair->variant().empty());
      CHECK(card->times.title.find("S in") == std::string::npos);
    }
}

TEST_CASE("the last card of a walked call has the recorded times, whatever page was open before") {
  SessionSetup setup;
  setup.of<WhichController>().load_rules = [] { return load_rule_tables(TILEWALK_SOURCE_DIR); };
  setup.of<RooflineController>().load_times = [](const std::string& device) {
    return load_race_times(TILEWALK_SOURCE_DIR, device);
  };
  const auto session = Session::open({}, std::move(setup));
  REQUIRE(session.ok());
  for (const Command& command : {Command(Action::WalkCall), Command(Action::Last)}) (*session)->dispatch(command);
  while ((*session)->busy()) (*session)->dispatch(Work{64});
  LastCardCache cache;
  WalkTimesCache times;
  const auto card = build_last_card(**session, cache, times);
  REQUIRE(card);
  CHECK(card->times.title == "Time on an H200, recorded");
}

TEST_CASE("the card of a call splits what moves less into S and P, taller Q tiles and skipped tiles") {
  const auto text_of = [](bool causal, const char* method) {
    SessionSetup setup;
    setup.of<WhichController>().load_rules = [] { return load_rule_tables(TILEWALK_SOURCE_DIR); };
    const auto session = Session::open({}, std::move(setup));
    REQUIRE(session.ok());
    (*session)->dispatch(ChooseRoofline{.n = 8192, .heads = 32, .batch = 2, .causal = causal});
    (*session)->dispatch(WalkMethod{method});
    (*session)->dispatch(Action::Last);
    while ((*session)->busy()) (*session)->dispatch(Work{64});
    LastCardCache cache;
    WalkTimesCache times;
    const auto card = build_last_card(**session, cache, times);
    REQUIRE(card);
    return card->scores.text;
  };
  const std::string all = text_of(false, "flash_v2"), causal = text_of(true, "flash_v2");
  CAPTURE(all, causal);
  CHECK(all.find("Of the 40.0 GiB less, 32 because L is stored instead of S and P, and 8 because Q tiles of 128 "
                 "rows, not 64, load K and V less often.") != std::string::npos);
  CHECK(causal.find("32 because L is stored instead of S and P, 8 because Q tiles of 128 rows, not 64, load K and "
                    "V less often, and 3.9") != std::string::npos);
}

TEST_CASE("a walked call under naive writes S in its type, and under FA-2 it has none") {
  auto session = of_call(8192);
  session->dispatch(Action::WalkCall);
  CHECK_FALSE(session->problem().numerics.narrow_scores);
  session->dispatch(SetSchedule{ScheduleKind::Standard});
  CHECK(session->problem().numerics.narrow_scores);
  session->dispatch(SetSchedule{ScheduleKind::FlashV2});
  CHECK(session->problem().schedule == ScheduleKind::FlashV2);
  CHECK_FALSE(session->problem().numerics.narrow_scores);
}

TEST_CASE("a small problem of 16 bits keeps naive's S in fp32, as recordings have it") {
  Problem p;
  p.numerics.dtype = DType::Bf16;
  p.machine.sram_bytes = 1 << 16;
  const WholeRuns runs = whole_runs(*make_schedule(p));
  CHECK(runs.naive_basis == "tiles 4×4, S in fp32, P in bf16");
  CHECK(runs.naive_note == "Naive attention that races keeps S in 16 bits.");
}

TEST_CASE("S is rounded where it is stored, and sentence, working and the line on float64 say so") {
  Problem p = test::picture(ScheduleKind::Standard);
  p.numerics.dtype = DType::Bf16;
  for (const bool narrow : {false, true}) {
    CAPTURE(narrow);
    p.numerics.narrow_scores = narrow;
    test::Walk walk(p);
    const auto rounded = [&](const State& state) {
      return std::all_of(state.s.begin(), state.s.end(), [](float s) { return s == round_to(DType::Bf16, s); });
    };
    const auto says = [&](const State& state, const std::string& words) {
      return step_sentence(*walk.schedule, state).find(words) != std::string::npos;
    };
    const State before = walk.after(Phase::Mask), stored = walk.after(Phase::StoreS), row = walk.after(Phase::LoadS);
    CHECK_FALSE(rounded(before));
    CHECK(rounded(stored) == narrow);
    CHECK(rounded(row) == narrow);
    CHECK(says(stored, "each score rounded to bf16") == narrow);
    const Working lines = working_of_cell(*walk.schedule, walk.replay.inputs(), stored, 9, 4, Quantity::S);
    REQUIRE_FALSE(lines.empty());
    CHECK(lines.back().ends_with(", in bf16") == narrow);
    const AccuracyModel distance = build_accuracy_model(p, measure_accuracy(walk.replay.inputs()));
    CHECK(distance.mark == AccuracyMark::Kept);
    CHECK((distance.text.find("with S in fp32") != std::string::npos) == narrow);
    CHECK((distance.text.find("at most twice that is allowed") != std::string::npos) != narrow);
  }
}
