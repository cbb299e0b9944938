#include "base/units.h"
#include "core/schedules/registry.h"
#include "measured/win_pair.h"
#include "pages/walk/card_results.h"
#include "pages/walk/last_card_model.h"
#include "pages/walk/walk_page.h"
#include "tests/support/catch.h"
#include "view/walk/quick_replay.h"
#include "view/walk/wrong_and_right.h"
#include "view/words/predict_words.h"

using namespace tilewalk;

namespace {

Document document_of(ScheduleKind kind = ScheduleKind::FlashV2) {
  Document document;
  document.problem.schedule = kind;
  document.problem.shape.mask.kind = MaskKind::Causal;
  document.problem.machine.sram_bytes = 1 << 16;
  return document;
}

std::unique_ptr<Session> open(const Document& document) {
  auto session = Session::open(document, {});
  REQUIRE(session.ok());
  return std::move(*session);
}

std::unique_ptr<Session> finished(const Document& document) {
  auto session = open(document);
  session->dispatch(Action::Last);
  while (session->busy()) session->dispatch(Work{64});
  return session;
}

LastCard card_of(const Session& session) {
  LastCardCache cache;
  WalkTimesCache times;
  const auto card = build_last_card(session, cache, times);
  REQUIRE(card);
  return *card;
}

CheckReport report_of(Verdict verdict, CheckAgainst against) {
  CheckReport report;
  report.verdict = verdict;
  report.against = against;
  report.provenance.gpu = "NVIDIA H200";
  report.provenance.date = "2026-11-21";
  report.tile_visits = 10;
  report.values = 680;
  return report;
}

std::int64_t moved_by(const Cost& cost) { return cost.hbm_total().read_bytes + cost.hbm_total().write_bytes; }

}  // namespace

TEST_CASE("the last card opens at the end alone, closes by its command, and opens again when the end is reached anew") {
  auto session = open(document_of());
  CHECK_FALSE(session->shows_last_card());
  session->dispatch(Action::Last);
  CHECK(session->shows_last_card());
  session->dispatch(Action::CloseLastCard);
  CHECK_FALSE(session->shows_last_card());
  CHECK(session->cursor() == session->schedule().step_count());
  session->dispatch(Action::LastCard);
  CHECK(session->shows_last_card());
  session->dispatch(Action::LastCard);  // given twice, it stays open
  CHECK(session->shows_last_card());
  session->dispatch(Action::CloseLastCard);
  session->dispatch(Action::CloseLastCard);
  CHECK_FALSE(session->shows_last_card());
  session->dispatch(Action::StepBack);
  CHECK_FALSE(session->shows_last_card());
  session->dispatch(Action::Last);
  CHECK(session->shows_last_card());
  session->dispatch(GoToStep{20});
  session->dispatch(Action::LastCard);  // from elsewhere: to the end
  CHECK(session->cursor() == session->schedule().step_count());
  CHECK(session->shows_last_card());
}

TEST_CASE("the last card waits for the motion of the last step") {
  auto session = open(document_of());
  session->dispatch(GoToStep{session->schedule().step_count() - 1});
  session->dispatch(Tick{1});
  session->dispatch(Action::StepForward);
  CHECK(session->walk().at_end());
  CHECK_FALSE(session->shows_last_card());
  session->dispatch(Tick{1.01});
  CHECK_FALSE(session->shows_last_card());
  const std::uint64_t before = session->revision();
  session->dispatch(Tick{9});
  CHECK(session->shows_last_card());
  CHECK(session->revision() > before);  // so that the window draws it
  session->dispatch(HoldMotion{0.5});
  CHECK_FALSE(session->shows_last_card());
}

TEST_CASE("the last card is absent while presenting, on other pages and while numbers are worked by hand") {
  auto session = finished(document_of());
  session->dispatch(Action::Present);
  CHECK_FALSE(session->shows_last_card());
  session->dispatch(Action::Present);
  CHECK(session->shows_last_card());
  session->dispatch(ShowPage{Page::Compare});
  CHECK_FALSE(session->shows_last_card());
  session->dispatch(ShowPage{Page::Walk});
  session->dispatch(Action::WorkByHand);
  CHECK_FALSE(session->shows_last_card());
}

TEST_CASE("the card's bytes are the schedules' counters, and its words say which way moves fewer") {
  for (const ScheduleKind kind : all_schedules()) {
    INFO(name_of(kind));
    auto session = finished(document_of(kind));
    const LastCard card = card_of(*session);
    const Schedule& schedule = session->schedule();
    const std::int64_t own = moved_by(schedule.totals_before(schedule.step_count()).cost);
    REQUIRE(card.bars.size() == 2);
    CHECK(card.bars[0].bytes == own);
    CHECK(card.bars[0].label == title_of(kind));
    CHECK(card.moved == format_bytes(own) + " moved");
    Problem other = session->problem();
    const ScheduleFamily family = schedule_row(kind).family;
    other.schedule = kind == family.naive ? family.tiled : family.naive;
    const auto walked = make_schedule(other);
    const std::int64_t others = moved_by(walked->totals_before(walked->step_count()).cost);
    CHECK(card.bars[1].bytes == others);
    CHECK(card.bars[1].label == title_of(other.schedule));
    CHECK(card.fewer == (own < others));
    CHECK(card.ratio_word == (own < others ? "less" : own > others ? "more" : "as much"));
    CHECK(card.against.starts_with(own < others ? "not " : title_of(other.schedule)));
    CHECK(card.scores.existed == schedule_row(kind).memory.scores_in_hbm);
    CHECK((card.scores.title.find("never existed") != std::string::npos) == !card.scores.existed);
  }
}

TEST_CASE("the card of the picture says what its design says") {
  Document document = document_of();
  document.problem.machine.sram_bytes = 1024;
  auto session = finished(document);
  session->dispatch(ReportCheck{report_of(Verdict::Equal, CheckAgainst::Recording), session->problem_revision()});
  const LastCard card = card_of(*session);
  CHECK(card.heading == "Finished · 92 steps, 10 tile visits, 6 skipped");
  CHECK(card.shorter_headings == std::vector<std::string>{"Finished · 10 tile visits, 6 skipped", "Finished"});
  CHECK(card.moved == "1.81 KiB moved");
  CHECK(card.against == "not 6.50 KiB");
  CHECK(card.ratio == "3.6×");
  CHECK(card.check.title == "Every value equals the H200's, bit for bit");
  CHECK(card.check.text == "10 tile visits, 680 values: 0 ULP, no bit differs. Recorded 2026-11-21.");
  REQUIRE(card.next.front().id == "lesson");
  CHECK(card.next.front().title == "Compute one row yourself");
  CHECK(card.next.front().words == "Lesson 7: max, α, ℓ and O, tile by tile");
  CHECK(card.scores.title == "S, the 16×16 matrix, never existed");
  CHECK(card.scores.text ==
        "Only 4×4 tiles of it were on chip, 64 B each. Naive attention writes S and P to HBM and reads them back: 4.00 "
        "of its 6.50 KiB. Of the 4.69 KiB less, 3.94 because L is stored instead of S and P, and 0.75 because 6 masked "
        "tiles "
        "are skipped: naive computes all of S. At N 131,072 in fp32, S alone would be 64.0 GiB.");
  CHECK(card.result_title == "O, whole");
}

TEST_CASE("the card claims equality only where every value was compared and equal") {
  auto session = finished(document_of());
  for (const Verdict verdict : {Verdict::NotChecked, Verdict::Running, Verdict::Equal, Verdict::WithinRule,
                                Verdict::Diverged, Verdict::NotFinite})
    for (const CheckAgainst against :
         {CheckAgainst::Nothing, CheckAgainst::LiveGpu, CheckAgainst::Recording, CheckAgainst::EmulatedKernel}) {
      INFO(name_of(verdict) << ", " << int(against));
      session->dispatch(ReportCheck{report_of(verdict, against), session->problem_revision()});
      const CardCheck check = card_of(*session).check;
      CHECK((check.title.find("equals") != std::string::npos) == (verdict == Verdict::Equal));
      CHECK(check.good == (verdict == Verdict::Equal || verdict == Verdict::WithinRule));
    }
  CheckReport wrong = report_of(Verdict::Diverged, CheckAgainst::Recording);
  wrong.first = Divergence{};
  wrong.first->step = 46;
  session->dispatch(ReportCheck{wrong, session->problem_revision()});
  CHECK(card_of(*session).check.title == "Wrong from step 47 on");
}

TEST_CASE("the card says from which step on a walk is wrong and where the check finds it, and leads to the first") {
  Document document = document_of();
  document.problem.fault = Fault::ForgetRescaleO;
  auto session = finished(document);
  CheckReport report = report_of(Verdict::Diverged, CheckAgainst::Recording);
  report.first.emplace().step = 46;
  session->dispatch(ReportCheck{report, session->problem_revision()});
  LastCard card = card_of(*session);
  CHECK(card.check.title == "Wrong from step 44 on, found by the check at step 47");
  REQUIRE(card.next.front().id == "where");
  CHECK(card.next.front().words == "Step 44; the check finds it at step 47");
  CHECK(card.next.front().commands == std::vector<Command>{GoToStep{44}});
  document.problem.fault = Fault::ForgetRescaleL;  // the step that forgets it is the one that the check names
  session = finished(document);
  report.first->step = 45;
  session->dispatch(ReportCheck{report, session->problem_revision()});
  card = card_of(*session);
  CHECK(card.check.title == "Wrong from step 46 on");
  CHECK(card.next.front().words == "Step 46, where the check finds it");
}

TEST_CASE("O on the card equals the tiles that the walk stores, also where the last one is smaller") {
  for (const std::int64_t n : {16, 13}) {
    Document document = document_of();
    document.problem.shape.n_q = document.problem.shape.n_kv = n;
    const CardResult o = card_of(*finished(document)).results.front();
    CHECK(o.rows == n);
    CHECK(std::int64_t(o.values.size()) == n * o.cols);
    Replay replay(make_schedule(document.problem), Inputs(document.problem));
    std::size_t compared = 0;
    for (std::int64_t k = 1; k <= replay.schedule().step_count(); ++k) {
      if (replay.schedule().step(k - 1).phase != Phase::Store) continue;
      const State& state = replay.at(k);
      for (std::size_t i = 0; i < state.o.size(); ++i, ++compared)
        REQUIRE(o.values[std::size_t(state.step.row_begin * o.cols) + i] == state.o[i]);
    }
    CHECK(compared == o.values.size());
  }
}

TEST_CASE("a backward pass shows dQ, dK and dV whole: the same by every schedule, to the last digits of fp32") {
  std::vector<CardResult> first;
  for (const ScheduleKind kind : all_schedules()) {
    if (!is_backward(kind)) continue;
    INFO(name_of(kind));
    const std::vector<CardResult> results = card_of(*finished(document_of(kind))).results;
    REQUIRE(results.size() == 3);
    if (first.empty()) first = results;
    for (std::size_t r = 0; r < 3; ++r) {
      CHECK(results[r].tensor == first[r].tensor);
      CHECK(results[r].least < results[r].most);
      REQUIRE(results[r].values.size() == first[r].values.size());
      for (std::size_t i = 0; i < first[r].values.size(); ++i)
        CHECK(results[r].values[i] == Approx(first[r].values[i]).margin(1e-5));
    }
  }
}

TEST_CASE("O of every forward schedule is the same on the card, to the last digits of fp32") {
  std::vector<float> first;
  for (const ScheduleKind kind : all_schedules()) {
    if (is_backward(kind)) continue;
    INFO(name_of(kind));
    const LastCard card = card_of(*finished(document_of(kind)));
    if (first.empty()) first = card.results.front().values;
    REQUIRE(card.results.front().values.size() == first.size());
    for (std::size_t i = 0; i < first.size(); ++i)
      CHECK(card.results.front().values[i] == Approx(first[i]).margin(2e-6));
  }
}

TEST_CASE("a head too long to replay for a frame shows the last tile alone and says so") {
  Document document = document_of();
  Problem& p = document.problem;
  p.shape.n_q = p.shape.n_kv = 2048;
  p.shape.d = 64;
  p.tiling.br = p.tiling.bc = 64;
  p.machine.sram_bytes = 1 << 20;
  REQUIRE_FALSE(is_quick_to_replay(p));
  auto session = finished(document);
  const LastCard card = card_of(*session);
  CHECK(card.result_title == "O, the last tile");
  REQUIRE(card.results.size() == 1);
  CHECK(card.results.front().row_begin == 2048 - 64);
  CHECK(card.results.front().values == session->state().o);
  CHECK(card.result_note == "All 2,048 rows take too long to compute at once.");
}

TEST_CASE("a walk with a mistake offers to make it right, and any other to break it") {
  Document document = document_of();
  const auto way = [](const LastCard& card) {
    for (const CardWay& each : card.next)
      if (each.id == "break") return each;
    FAIL("there is none");
    return CardWay{};
  };
  CHECK(way(card_of(*finished(document))).commands == std::vector<Command>{Action::ShowFaults});
  document.problem.fault = Fault::ForgetRescaleO;
  CHECK(way(card_of(*finished(document))).commands == std::vector<Command>{SetFault{Fault::None}});
}

TEST_CASE("with a mistake the card leads to its step, and marks each value that is wrong in print") {
  Document document = document_of();
  const LastCard right = card_of(*finished(document));
  for (const CardResult& result : right.results) CHECK(result.wrong.empty());
  document.problem.fault = Fault::ForgetRescaleO;
  const auto session = finished(document);
  CheckReport report = report_of(Verdict::Diverged, CheckAgainst::Recording);
  report.first = Divergence{};
  report.first->step = 46;
  session->dispatch(ReportCheck{report, session->problem_revision()});
  const LastCard card = card_of(*session);
  CHECK(card.next.front().id == "where");
  CHECK(card.next.front().commands == std::vector<Command>{GoToStep{44}});
  REQUIRE(card.results.size() == 1);
  const CardResult& o = card.results[0];
  REQUIRE(o.wrong.size() == o.values.size());
  for (std::size_t i = 0; i < o.values.size(); ++i)
    CHECK(o.wrong[i] == differs_in_print(o.values[i], right.results[0].values[i]));
  CHECK(std::count(o.wrong.begin(), o.wrong.end(), true) > 0);
}

TEST_CASE("a walk too short to time names the recorded times at the window's call, from the races' rows") {
  const Result<RaceTimes> races = load_race_times(TILEWALK_SOURCE_DIR, "h200");
  REQUIRE(races);
  SessionSetup setup;
  setup.of<RooflineController>().load_times = [&](const std::string&) { return races; };
  auto opened = Session::open(document_of(), std::move(setup));
  REQUIRE(opened.ok());
  Session& session = **opened;
  session.dispatch(Action::Last);
  while (session.busy()) session.dispatch(Work{64});
  const LastCard card = card_of(session);
  const std::optional<AttentionCall> call = modelled_call(session.call().call);
  REQUIRE(call);
  const std::vector<PredictionRow> rows = prediction_rows(*call, device_of("h200"), &*races);
  const std::optional<WinPair> pair = win_pair(rows);
  REQUIRE(pair);
  const PredictionRow* const own = find_row(rows, Contender::FlashV2);  // the walk's, beside the fastest
  REQUIRE((own && own->recorded_ms && pair->fast->predicted.method->who == Contender::FlashV3));
  CHECK(card.call_times == "At N 8,192 on an H200, recorded: naive " + ms_text(pair->naive_ms) + ", FA-2 " +
                               ms_text(*own->recorded_ms) + ", FA-3 " + ms_text(pair->fast_ms));
  CHECK(card_of(*finished(document_of())).call_times.empty());  // without races
}

TEST_CASE("a wrong result's card has the row that its words name, as it is and as it should be") {
  const auto card_with = [](Fault fault) {
    Document document = document_of();
    document.problem.fault = fault;
    const auto session = finished(document);
    CheckReport report = report_of(Verdict::Diverged, CheckAgainst::Recording);
    if (fault == Fault::None)
      report.verdict = Verdict::Equal;
    else
      report.first = Divergence{};
    session->dispatch(ReportCheck{report, session->problem_revision()});
    return card_of(*session);
  };
  const LastCard card = card_with(Fault::ForgetRescaleO);
  REQUIRE(card.wrong_row);
  CHECK(card.wrong_row_title == "Row 13 of O");
  CHECK(card.wrong_row->col == 2);
  REQUIRE(card.wrong_row->pairs.size() == 4);
  CHECK(card.wrong_row->pairs[2].is == "1.88");
  CHECK(card.wrong_row->pairs[2].should == "−0.15");
  CHECK(card.check.text.find("row 13, column 2 is 1.88, not −0.15") != std::string::npos);
  CHECK_FALSE(card_with(Fault::None).wrong_row);
}
