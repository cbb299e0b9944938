// The controller of the roofline on processors and on this machine: choices, measurements and refusals.
#include "session/session.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

KnownProcessor raced(int threads, const std::string& name) {
  KnownProcessor out{.name = name,
                     .processor = {.name = "Some CPU",
                                   .threads = threads,
                                   .read_gb_per_s = 10.0 * threads,
                                   .fp32_tflops = 0.1 * threads,
                                   .cache_bytes = 1 << 25},
                     .date = "2026-11-23",
                     .rows = {}};
  for (const auto& [rung, ms] : {std::pair{"cpu_naive", 30.0}, std::pair{"cpu_tiled", 10.0}}) {
    RaceRow row;
    row.dtype = "fp32";
    row.n = 8192, row.d = 64, row.heads = 2, row.batch = 1;
    row.rung = rung;
    row.ms = {ms, ms, ms};
    out.rows.push_back(row);
  }
  return out;
}

MeasuredMachine measured(bool card) {
  MeasuredMachine out;
  out.date = "2026-11-23";
  out.processor = Processor{.name = "This CPU", .threads = 4, .read_gb_per_s = 30, .fp32_tflops = 0.4};
  if (card)
    out.card = MeasuredCard{"NVIDIA A100-SXM4-80GB", 1650.5, 240.25};
  else
    out.no_card = "No NVIDIA GPU was found";
  return out;
}

struct Chosen {
  std::unique_ptr<Session> session;
  explicit Chosen(MeasuredMachine machine = {}, std::string no_measuring = {}) {
    SessionSetup setup;
    setup.of<RooflineController>().load_processors = [] {
      return Result<std::vector<KnownProcessor>>(std::vector{raced(16, "cpu-16"), raced(1, "cpu-1")});
    };
    setup.of<RooflineController>().machine = std::move(machine);
    setup.of<RooflineController>().no_measuring = std::move(no_measuring);
    auto opened = Session::open({}, std::move(setup));
    REQUIRE(opened.ok());
    session = std::move(*opened);
    session->dispatch(ShowPage{Page::Roofline});
  }
  const RooflineController& controller() const { return session->roofline(); }
  void choose(const std::string& device) { session->dispatch(ChooseRoofline{.device = device}); }
  bool refused(const std::string& part) const {
    return session->message() && session->message()->error && session->message()->text.find(part) != std::string::npos;
  }
};

}  // namespace

TEST_CASE("a processor is chosen by its name, and the call gets the raced shape") {
  Chosen here;
  here.choose("cpu");
  REQUIRE(here.controller().processor());
  CHECK(here.controller().processor()->processor.threads == 16);
  CHECK(here.controller().call() == AttentionCall{.n = 8192, .d = 64, .heads = 2, .batch = 1, .dtype = DType::Fp32});
  CHECK(*win_of(here.controller().rows()) == Approx(3));
  here.choose("cpu-1");
  CHECK(here.controller().processor()->processor.threads == 1);
  CHECK(here.controller().device() == "h200");  // the card behind it
  here.choose("a100");
  CHECK_FALSE(here.controller().processor());
  CHECK(here.controller().call() == AttentionCall{.n = 8192, .d = 64, .heads = 32, .batch = 2});
}

TEST_CASE("a GPU without figures of its own uses another's, and a message says whose") {
  Chosen here;
  here.choose("gb300");
  CHECK(here.controller().device() == "b300");
  REQUIRE(here.session->message());
  CHECK_FALSE(here.session->message()->error);
  CHECK(here.session->message()->text.starts_with("GB300 has no figures of its own"));
  here.choose("mi300x");
  CHECK(here.controller().device() == "b300");
  CHECK(here.session->message()->error);
  CHECK(here.session->message()->text.find("is a GPU of AMD") != std::string::npos);
}

TEST_CASE("a guess on a processor is compared with its recording") {
  Chosen here;
  here.choose("cpu");
  here.session->dispatch(GuessWin{4});  // the answers are shown: too late
  CHECK_FALSE(here.controller().guess());
  here.session->dispatch(Action::RevealWin);
  here.session->dispatch(GuessWin{4.5});
  here.session->dispatch(Action::RevealWin);
  REQUIRE(here.controller().misses().size() == 1);
  CHECK(here.controller().misses()[0] == Approx(0.5));
}

TEST_CASE("an unknown or unmeasured processor is refused and changes nothing") {
  Chosen here;
  here.choose("cpu-1");
  for (const char* other : {"cpu-2", "cpu-", "your-cpu", "your-gpu", "h300", ""}) {
    CAPTURE(other);
    here.choose(other);
    CHECK(here.refused(other));
    CHECK(here.controller().processor()->name == "cpu-1");
  }
  CHECK(here.refused("Try one of"));
  here.choose("your-cpu");
  CHECK(here.refused("was not measured yet"));
  here.session->dispatch(ChooseRoofline{.device = "h200", .n = 0});
  CHECK(here.controller().processor()->name == "cpu-1");
}

TEST_CASE("a typed rate belongs to a card, so the page returns to the card") {
  Chosen here;
  here.choose("cpu");
  here.session->dispatch(EditOwnCard{"bandwidth", "x"});
  CHECK(here.controller().processor());
  here.session->dispatch(EditOwnCard{"bandwidth", "900"});
  CHECK_FALSE(here.controller().processor());
  CHECK(here.controller().own_card());
  CHECK(here.controller().call().dtype == DType::Bf16);
}

TEST_CASE("this machine is measured once at a time, and the result becomes \"your\" machine") {
  Chosen here;
  const auto serials = [&] {
    return std::pair(here.controller().measuring().start_serial, here.controller().measuring().stop_serial);
  };
  here.session->dispatch(ShowPage{Page::Walk});
  here.session->dispatch(Action::MeasureMachine);
  CHECK(here.session->page() == Page::Roofline);
  CHECK(serials() == std::pair<std::uint64_t, std::uint64_t>(1, 0));
  here.session->dispatch(Action::MeasureMachine);
  CHECK(here.refused("being measured already"));
  CHECK(serials().first == 1);
  here.session->dispatch(ReportMeasure{{.running = true, .fraction = 0.5, .doing = "reading"}});
  here.session->dispatch(Action::StopMeasuring);
  here.session->dispatch(Action::StopMeasuring);
  CHECK(serials().second == 1);
  CHECK(here.controller().measuring().stopping);
  here.session->dispatch(ReportMeasure{{.failure = "stopped"}});
  CHECK_FALSE(here.controller().measuring().running);
  CHECK_FALSE(here.controller().machine().any());
  CHECK(here.controller().measuring().failure == "stopped");

  here.session->dispatch(Action::MeasureMachine);
  CHECK(here.controller().measuring().failure.empty());
  here.session->dispatch(ReportMeasure{{.fraction = 1, .machine = measured(false)}});
  CHECK(here.controller().machine() == measured(false));
  REQUIRE(here.controller().processor());
  CHECK(here.controller().processor()->yours);
  CHECK(here.controller().processor()->processor.name == "This CPU");
  CHECK_FALSE(win_of(here.controller().rows()));  // there is no race on it
}

TEST_CASE("a measured card is like the one in the device table, with its own rates") {
  Chosen here;
  here.session->dispatch(ReportMeasure{{.fraction = 1, .machine = measured(true)}});
  CHECK_FALSE(here.controller().processor());
  CHECK(here.controller().measured_card());
  CHECK(here.controller().device() == "a100");
  CHECK(here.controller().bandwidth().value == 1650.5);
  CHECK(here.controller().peak().value == 240.25);
  CHECK(ceilings_of(here.controller().card()).flop_per_s == Approx(240.25e12));
  CHECK(here.controller().card().title.find("NVIDIA A100-SXM4-80GB") != std::string::npos);
  CHECK_FALSE(here.controller().times());
  here.session->dispatch(EditOwnCard{"peak", "300"});
  CHECK_FALSE(here.controller().measured_card());
  here.choose("your-cpu");
  CHECK(here.controller().processor());
}

TEST_CASE("a card missing at the next measurement leaves the page") {
  Chosen here;
  here.session->dispatch(ReportMeasure{{.fraction = 1, .machine = measured(true)}});
  REQUIRE(here.controller().measured_card());
  here.session->dispatch(ReportMeasure{{.fraction = 1, .machine = measured(false)}});
  CHECK_FALSE(here.controller().measured_card());
  CHECK_FALSE(here.controller().own_card());
  CHECK(here.controller().card().title.find("Your") == std::string::npos);
}

TEST_CASE("a measurement without result says why, and earlier results stay") {
  Chosen here(measured(false));
  here.choose("your-cpu");
  REQUIRE(here.controller().processor());
  MeasuredMachine none;
  none.no_processor = "Others ran", none.no_card = "No GPU";
  here.session->dispatch(ReportMeasure{{.fraction = 1, .machine = none}});
  CHECK(here.controller().measuring().failure.find("Others ran. No GPU") != std::string::npos);
  CHECK(here.controller().machine() == measured(false));
}

TEST_CASE("a message says where this machine cannot be measured") {
  Chosen here({}, "A page cannot");
  here.session->dispatch(Action::MeasureMachine);
  CHECK(here.refused("A page cannot"));
  CHECK(here.controller().measuring().start_serial == 0);
}

TEST_CASE("an N that was not raced keeps batch and heads, a raced one takes those of the race") {
  auto session = Session::open({}, {});
  REQUIRE(session.ok());
  Session& s = **session;
  s.dispatch(ShowPage{Page::Roofline});
  s.dispatch(ChooseRoofline{.n = 8192});
  const AttentionCall before = s.roofline().call();
  s.dispatch(ChooseRoofline{.n = 5000});
  CHECK(s.roofline().call().n == 5000);
  CHECK(s.roofline().call().batch == before.batch);
  CHECK(s.roofline().call().heads == before.heads);
  CHECK_FALSE(s.roofline().as_raced());
}
