#include "session/session.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

struct Table {
  int loaded = 0;
  std::unique_ptr<Session> session;
  explicit Table(bool gpu, bool readable = true) {
    SessionSetup setup;
    setup.gpu_present = gpu;
    setup.gpu_reason = "No NVIDIA GPU was found";
    setup.of<RaceController>().load_race = [this, readable]() -> Result<Race> {
      ++loaded;
      if (!readable) return Issue{"race.csv", "", "is damaged", ""};
      Race race;
      race.rows.emplace_back();
      return race;
    };
    auto opened = Session::open({}, std::move(setup));
    REQUIRE(opened.ok());
    session = std::move(*opened);
  }
  void send(Action id) { session->dispatch(id); }
};

RaceNews news_of(RaceSource source, bool running, int rows) {
  RaceNews news;
  news.source = source;
  news.running = running;
  auto race = std::make_shared<Race>();
  race->rows.resize(std::size_t(rows));
  news.race = race;
  return news;
}

}  // namespace

TEST_CASE("the recorded race is read once, when its page first opens") {
  Table table(false);
  CHECK(table.loaded == 0);
  table.send(Action::ShowRace);
  CHECK(table.session->page() == Page::Race);
  REQUIRE(table.session->race().recorded);
  table.send(Action::ShowRace);
  CHECK(table.session->page() == Page::Walk);
  table.send(Action::ShowRace);
  CHECK(table.loaded == 1);
  Table damaged(false, false);
  damaged.send(Action::ShowRace);
  CHECK(damaged.session->race().recorded_missing.find("is damaged") != std::string::npos);
}

TEST_CASE("a race is requested once at a time, and stopped once") {
  Table table(false);
  table.send(Action::RaceCpu);
  CHECK(table.session->race().running);
  CHECK(table.session->race().start_serial == 1);
  CHECK(table.session->race().choice.source == RaceSource::Cpu);
  CHECK(table.session->page() == Page::Race);
  table.send(Action::RaceCpu);
  CHECK(table.session->race().start_serial == 1);
  CHECK(table.session->message()->error);
  table.send(Action::StopRace);
  table.send(Action::StopRace);
  CHECK(table.session->race().stop_serial == 1);
  CHECK(table.session->race().stopping);
  table.session->dispatch(ReportRace{news_of(RaceSource::Cpu, false, 2)});
  CHECK_FALSE(table.session->race().running);
  CHECK_FALSE(table.session->race().stopping);
  CHECK(table.session->race().cpu->rows.size() == 2);
}

TEST_CASE("without a GPU its race is refused with the reason") {
  Table table(false);
  table.send(Action::RaceGpu);
  CHECK_FALSE(table.session->race().running);
  CHECK(table.session->message()->text == "No NVIDIA GPU was found");
  Table with(true);
  with.send(Action::RaceGpu);
  CHECK(with.session->race().running_on == RaceSource::Gpu);
}

TEST_CASE("news updates its own race, keeps a chosen view and drops no message") {
  Table table(true);
  table.send(Action::RaceGpu);
  table.session->dispatch(ChooseRace{.source = RaceSource::Recorded});
  table.session->dispatch(ChooseRace{.n = 2048});
  table.send(Action::RaceCpu);  // refused, with a message
  const std::uint64_t before = table.session->revision();
  table.session->dispatch(ReportRace{news_of(RaceSource::Gpu, true, 1)});
  CHECK(table.session->revision() > before);
  CHECK(table.session->race().gpu->rows.size() == 1);
  CHECK_FALSE(table.session->race().cpu);
  CHECK(table.session->race().choice.source == RaceSource::Recorded);
  CHECK(table.session->race().choice.n == 2048);
  CHECK(table.session->message().has_value());
  RaceNews failed;
  failed.source = RaceSource::Gpu;
  failed.failure = "the GPU failed";
  table.session->dispatch(ReportRace{failed});
  CHECK(table.session->race().failure == "the GPU failed");
  CHECK(table.session->race().gpu);  // the earlier race stays
}

TEST_CASE("a choice changes only what it names") {
  Table table(false);
  const RaceChoice before = table.session->race().choice;
  table.session->dispatch(ChooseRace{});
  CHECK(table.session->race().choice == before);
  table.session->dispatch(ChooseRace{.metric = RaceMetric::Time});
  CHECK(table.session->race().choice.metric == RaceMetric::Time);
}

TEST_CASE("the page of comparison opens before recorded times are read, and then loads them card by card") {
  int loaded = 0;
  SessionSetup setup;
  setup.of<RooflineController>().load_times = [&loaded](const std::string& device) -> Result<RaceTimes> {
    ++loaded;
    RaceTimes times;
    times.device = device;
    return times;
  };
  const std::unique_ptr<Session> session = std::move(*Session::open({}, std::move(setup)));
  while (session->busy()) session->dispatch(Work{64});
  session->dispatch(Action::ShowCompare);
  CHECK(loaded == 0);
  CHECK(session->busy());
  CHECK_FALSE(session->roofline().recorded());
  const std::uint64_t before = session->revision();
  session->dispatch(Work{1});
  CHECK(loaded == 1);
  CHECK(session->revision() > before);  // otherwise nothing would redraw them
  CHECK(session->roofline().recorded());
  while (session->busy()) session->dispatch(Work{1});
  CHECK(loaded == int(raced_devices().size()));
  session->dispatch(Action::ShowCompare);
  session->dispatch(Action::ShowCompare);
  CHECK_FALSE(session->busy());
  CHECK(loaded == int(raced_devices().size()));
}

TEST_CASE("the bars run by the clock, and rest at a choice, on another page and at the end") {
  Table table(false);
  table.send(Action::ShowRace);
  const auto run = [&] { return table.session->race().seconds_run; };
  CHECK_FALSE(run());
  CHECK_FALSE(table.session->seconds_to_change(0));
  table.send(Action::RunRace);
  CHECK(table.session->seconds_to_change(0));
  table.session->dispatch(Tick{100});
  CHECK(run() == 0.0);
  table.session->dispatch(Tick{102.5});
  CHECK(run() == 2.5);
  table.session->dispatch(ChooseRace{.metric = RaceMetric::Time});
  CHECK_FALSE(run());
  table.send(Action::RunRace);
  table.send(Action::ShowRace);
  CHECK_FALSE(run());
  table.send(Action::ShowRace);
  table.send(Action::RunRace);
  table.session->dispatch(Tick{200});
  table.session->dispatch(Tick{200 + kSecondsOfRun});
  CHECK_FALSE(run());
  CHECK_FALSE(table.session->seconds_to_change(300));
}

TEST_CASE("a length that was raced has heads and batch as raced; any other keeps those of the call") {
  Table table(false);
  const auto call = [&] { return *modelled_call(table.session->call().call); };
  const AttentionCall before = call();
  table.session->dispatch(ChooseRace{.n = 3000});
  CHECK(call().n == 3000);
  CHECK(call().batch == before.batch);
  CHECK_FALSE(table.session->call().as_raced);
  table.session->dispatch(ChooseRace{.n = 4096});
  CHECK(call().batch == 4);
  table.session->dispatch(ChooseRoofline{.n = 3000});  // one rule on every page
  CHECK(call().batch == 4);
}
