#include "session/session.h"

#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

Document document_of(std::int64_t n = 16, std::int64_t tile = 4) {
  Document d;
  d.problem.shape.n_q = d.problem.shape.n_kv = n;
  d.problem.tiling.br = d.problem.tiling.bc = tile;
  d.problem.shape.mask.kind = MaskKind::Causal;
  d.problem.machine.sram_bytes = 1 << 20;
  return d;
}

std::unique_ptr<Session> open(const Document& d = document_of(), SessionSetup setup = {}) {
  auto session = Session::open(d, std::move(setup));
  REQUIRE(session.ok());
  return std::move(*session);
}

void send(Session& s, const Command& c) { s.dispatch(c); }

}  // namespace

TEST_CASE("a single worker replays a few visits at a time, so that a frame need not wait for it") {
  Document d = document_of();
  d.problem.shape.n_q = d.problem.shape.n_kv = 4096;
  d.problem.shape.d = 64;
  d.problem.tiling.br = d.problem.tiling.bc = 64;
  const auto s = open(d);
  CHECK(s->walk().visits_at_once() == 4);
}

TEST_CASE("a step forward and back gives the same state, bit for bit, from every cursor") {
  const auto s = open();
  for (std::int64_t k = 0; k < s->schedule().step_count(); k += 5) {
    s->dispatch(GoToStep{k});
    const State before = s->state();
    send(*s, Action::StepForward);
    CHECK(s->cursor() == k + 1);
    CHECK(s->state().cursor == k + 1);
    send(*s, Action::StepBack);
    REQUIRE(s->state() == before);
  }
}

TEST_CASE("a cursor out of range is clamped") {
  const auto s = open();
  s->dispatch(GoToStep{1ll << 60});
  CHECK(s->cursor() == s->schedule().step_count());
  s->dispatch(GoToStep{-5});
  CHECK(s->cursor() == 0);
}

TEST_CASE("an edit that breaks a rule keeps the last good problem on screen and says why") {
  const auto s = open();
  s->dispatch(GoToStep{28});
  const State before = s->state();
  send(*s, Action::EditProblem);
  s->dispatch(EditField{"d", "300"});
  REQUIRE(s->editing().draft_issues().size() == 1);
  CHECK(s->editing().draft_issues()[0].field == "d");
  send(*s, ApplyEdit{});
  CHECK(s->problem().shape.d == 4);
  CHECK(s->view().dialog() == Dialog::Problem);
  CHECK(s->editing().draft().at("d") == "300");
  CHECK(s->state() == before);
  s->dispatch(EditField{"d", "8"});
  CHECK(s->editing().draft_issues().empty());
  send(*s, ApplyEdit{});
  CHECK(s->problem().shape.d == 8);
  CHECK(s->view().dialog() == Dialog::None);
  CHECK(s->cursor() == 0);
}

TEST_CASE("S in 16 bits is naive's: under another schedule it is off, in a tab and in the editor") {
  Document d = document_of();
  d.problem.schedule = ScheduleKind::Standard;
  d.problem.numerics.dtype = DType::Bf16;
  d.problem.numerics.narrow_scores = true;
  const auto tab = open(d);
  tab->dispatch(SetSchedule{ScheduleKind::FlashV2});
  CHECK(tab->problem().schedule == ScheduleKind::FlashV2);
  CHECK_FALSE(tab->problem().numerics.narrow_scores);
  const auto editor = open(d);
  send(*editor, Action::EditProblem);
  editor->dispatch(EditField{"schedule", "flash_v1"});
  CHECK(editor->editing().draft_issues().empty());
  editor->dispatch(EditField{"schedule", "standard"});
  editor->dispatch(EditField{"narrow-scores", "on"});
  CHECK(editor->editing().draft_issues().empty());
  editor->dispatch(EditField{"dtype", "fp32"});
  REQUIRE(editor->editing().draft_issues().size() == 1);
  CHECK(editor->editing().draft_issues()[0].field == "narrow-scores");
}

TEST_CASE("text that is not a number is an issue of its own field") {
  const auto s = open();
  for (const char* text : {"", "x", "-1x", "1.5", "99999999999999999999"}) {
    s->dispatch(EditField{"n-q", text});
    REQUIRE(s->editing().draft_issues().size() == 1);
    CHECK(concerns(s->editing().draft_issues()[0], "n-q"));
  }
}

TEST_CASE("a draft of a problem is parsed to that problem") {
  Problem p;
  p.numerics.scale = 0.123456789;
  p.shape.mask = {MaskKind::Window, 3, 1};
  p.machine.sram_bytes = 1 << 20;
  p.fault = Fault::TileMax;
  const auto back = problem_of(draft_of(p));
  REQUIRE(back.ok());
  CHECK(*back == p);
}

TEST_CASE("an issue about a product of fields concerns each of them") {
  const Issue issue{"br x bc", "64 x 64", "does not fit", ""};
  CHECK(concerns(issue, "br"));
  CHECK(concerns(issue, "bc"));
  CHECK_FALSE(concerns(issue, "b"));
  CHECK(concerns({"window left", "-1", "", ""}, "mask"));
}

TEST_CASE("an edited value changes the replay, and dropping the edit restores the seed's value") {
  const auto s = open();
  send(*s, Action::Last);
  const State before = s->state();
  s->dispatch(EditValue{TensorId::K, 0, 0, "2.5"});
  CHECK(s->inputs().at({TensorId::K}, 0, 0) == 2.5f);
  CHECK_FALSE(s->state() == before);
  s->dispatch(EditValue{TensorId::K, 0, 0, "3"});
  CHECK(s->document().edits.size() == 1);
  send(*s, Action::ClearValues);
  CHECK(s->document().edits.empty());
  CHECK(s->state() == before);
}

TEST_CASE("a value that is not a finite number is refused in words") {
  const auto s = open();
  for (const char* text : {"nan", "inf", "", "1,5", "1e99"}) {
    s->dispatch(EditValue{TensorId::Q, 0, 0, text});
    REQUIRE(s->message());
    CHECK(s->message()->error);
    CHECK(s->document().edits.empty());
  }
}

TEST_CASE("playing moves by the unit and stops at the end; a step pauses it") {
  const auto s = open();
  s->dispatch(SetUnit{StepUnit::Tile});
  send(*s, Action::PlayPause);
  s->dispatch(Tick{10});
  CHECK(s->cursor() == 0);
  s->dispatch(Tick{11});
  CHECK(s->cursor() == next_stop(s->schedule(), StepUnit::Tile, 0));
  send(*s, Action::StepForward);
  CHECK_FALSE(s->walk().playback().playing);
  send(*s, Action::PlayPause);
  for (int i = 0; i < 100; ++i) s->dispatch(Tick{20.0 + i});
  CHECK(s->cursor() == s->schedule().step_count());
  CHECK_FALSE(s->walk().playback().playing);
}

TEST_CASE("playing by phase starts at once, and pauses at each phase for its reading time") {
  SessionSetup setup;
  setup.reading_time = [](const Schedule&, const State& state) { return state.cursor == 1 ? 5.0 : 2.0; };
  const auto s = open(document_of(), std::move(setup));
  s->dispatch(SetUnit{StepUnit::Phase});
  send(*s, Action::PlayPause);
  s->dispatch(Tick{10});
  s->dispatch(Tick{10.01});
  CHECK(s->cursor() == 1);
  CHECK(s->seconds_to_change(10.01).value() <= kMotionFrame);  // the step is seen on its way
  s->dispatch(Tick{14.9});
  CHECK(s->cursor() == 1);
  s->dispatch(Tick{15.1});
  CHECK(s->cursor() == 2);
  s->dispatch(SetSpeed{4});
  s->dispatch(Tick{15.7});
  CHECK(s->cursor() == 3);
}

TEST_CASE("run-to plays to the end of the selected tile, in either direction") {
  const auto s = open();
  s->dispatch(SelectCell{9, 5});
  const std::int64_t end = s->schedule().end_step_of_visit(0, {.q_tile = 2, .kv_tile = 1});
  for (const std::int64_t from : {std::int64_t(0), s->schedule().step_count()}) {
    s->dispatch(GoToStep{from});
    send(*s, Action::RunToSelection);
    REQUIRE(s->walk().playback().playing);
    for (int i = 0; i < 100; ++i) s->dispatch(Tick{double(i)});
    CHECK(s->cursor() == end);
    CHECK_FALSE(s->walk().playback().playing);
  }
}

TEST_CASE("a run to a skipped tile is refused with a message") {
  const auto s = open();
  s->dispatch(SelectCell{0, 15});
  send(*s, Action::RunToSelection);
  CHECK_FALSE(s->walk().playback().playing);
  REQUIRE(s->message());
  CHECK(s->message()->error);
}

TEST_CASE("heavy replay runs in slices, and the last ready state stays until it is done") {
  Document document = document_of(8192, 64);
  document.problem.shape.d = 64;
  const auto s = open(document);
  const State before = s->state();
  s->dispatch(GoToStep{s->schedule().step_count() - 1});
  REQUIRE(s->busy());
  CHECK(s->state() == before);
  int slices = 0;
  while (s->busy() && slices < 1000) {
    s->dispatch(Work{1});
    ++slices;
  }
  CHECK(slices > 5);
  CHECK(s->state().cursor == s->cursor());
}

TEST_CASE("a check report about an earlier problem is dropped") {
  const auto s = open();
  CheckReport report;
  report.verdict = Verdict::Equal;
  const std::uint64_t earlier = s->problem_revision();
  send(*s, Action::EditProblem);
  s->dispatch(EditField{"seed", "8"});
  send(*s, ApplyEdit{});
  s->dispatch(ReportCheck{report, earlier});
  CHECK(s->check().verdict == Verdict::NotChecked);
  s->dispatch(ReportCheck{report, s->problem_revision()});
  CHECK(s->check().verdict == Verdict::Equal);
}

TEST_CASE("a live check without a GPU is refused with a message, not requested") {
  SessionSetup setup;
  setup.gpu_reason = "No NVIDIA driver was found.";
  const auto s = open(document_of(), std::move(setup));
  send(*s, Action::CheckLive);
  CHECK(s->checks().live_check_serial() == 0);
  REQUIRE(s->message());
  CHECK(s->message()->text == "No NVIDIA driver was found.");
}

TEST_CASE("zoom is limited to the range from the whole matrix to a single cell") {
  const auto s = open();
  for (int i = 0; i < 60; ++i) send(*s, Action::ZoomIn);
  CHECK(s->walk().grid_view().zoom == 16);
  for (int i = 0; i < 60; ++i) send(*s, Action::ZoomOut);
  CHECK(s->walk().grid_view() == GridView{});
}

TEST_CASE("a session with the recorded lanes pinned says so where they cannot be read") {
  Document d = document_of();
  d.problem.schedule = ScheduleKind::FlashV3;
  d.view.page = Page::Compare;
  d.pinned.chip = true;
  const auto s = open(d);
  CHECK(s->compare().chip() == nullptr);
  CHECK_FALSE(s->document().pinned.chip);
  REQUIRE(s->message());
  CHECK(s->message()->error);
}

TEST_CASE("a preset changes the problem but neither the page nor the pinned problem") {
  SessionSetup setup;
  setup.presets.push_back({"one", document_of(32)});
  const auto s = open(document_of(), std::move(setup));
  s->dispatch(PinSchedule{ScheduleKind::Standard});
  send(*s, Action::ShowWarps);
  s->dispatch(LoadPreset{"one"});
  CHECK(s->problem().shape.n_q == 32);
  CHECK(s->page() == Page::Compare);
  CHECK(s->compare().filling() == Filling::Warps);
  CHECK(s->baseline().schedule == ScheduleKind::Standard);
}

TEST_CASE("a lane option keeps badge, accuracy and cursor; other tiles drop them") {
  Document d = document_of();
  d.problem.schedule = ScheduleKind::FlashV3;
  const auto s = open(d);
  s->dispatch(GoToStep{28});
  CheckReport equal;
  equal.against = CheckAgainst::Recording;
  equal.verdict = Verdict::Equal;
  s->dispatch(ReportCheck{equal, s->problem_revision()});
  s->dispatch(ReportAccuracy{{}, s->problem_revision()});
  s->dispatch(ReportAccuracy{{}, s->compare().baseline_revision(), true});
  const State state = s->state();
  const std::uint64_t problem_revision = s->problem_revision(), baseline_revision = s->compare().baseline_revision();
  const auto kept = [&] {
    return s->check() == equal && s->checks().accuracy() && s->baseline_accuracy() && s->cursor() == 28 &&
           s->state() == state && s->problem_revision() == problem_revision &&
           s->compare().baseline_revision() == baseline_revision;
  };
  REQUIRE(kept());
  const std::uint64_t revision = s->revision();
  s->dispatch(SetLaneOption{LaneOption::PingPong, 0});
  CHECK_FALSE(s->problem().lanes.ping_pong);
  CHECK_FALSE(s->schedule().problem().lanes.ping_pong);
  CHECK(s->revision() > revision);
  CHECK(kept());
  s->dispatch(SetLaneOption{LaneOption::Stages, 2});
  CHECK(s->schedule().problem().tiling.stages == 2);
  CHECK(kept());
  for (const auto& [field, text] : {std::pair("overlap", "off"), std::pair("device", "a100")}) {
    s->dispatch(EditField{field, text});
    send(*s, ApplyEdit{});
  }
  CHECK_FALSE(s->problem().lanes.overlap);
  CHECK(s->problem().machine.device == "a100");
  CHECK(kept());
  send(*s, Action::StepForward);
  send(*s, Action::StepBack);
  CHECK(s->state() == state);

  s->dispatch(EditField{"br", "2"});
  send(*s, ApplyEdit{});
  CHECK(s->check().verdict == Verdict::NotChecked);
  CHECK_FALSE(s->checks().accuracy());
  CHECK_FALSE(s->baseline_accuracy());
  CHECK(s->cursor() == 0);
  CHECK(s->problem_revision() > problem_revision);
}
