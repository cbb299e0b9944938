// The page of the race: drawn for every choice, and each click and key gives exactly its command.
#include <algorithm>

#include "tests/ui/headless.h"
#include "measured/recorded_race.h"

using namespace tilewalk;
using tilewalk::test::finite;
using tilewalk::test::Headless;
using tilewalk::test::holds;
using tilewalk::test::picture_document;

namespace {

// A race run here, with a row that did not fit and one that was not quiet.
RaceNews news(bool running) {
  auto race = std::make_shared<Race>();
  race->provenance = {{"processor, threads", "A processor, 2 threads"}, {"fp32 multiply-adds, TFLOP/s", "0.2"}};
  for (const std::int64_t n : {512, 1024})
    for (const char* rung : {"cpu_naive", "cpu_tiled"}) {
      RaceRow& row = race->rows.emplace_back();
      row.rung = row.contender = rung;
      row.dtype = "fp32";
      row.n = n, row.d = 64, row.heads = 4, row.batch = 1;
      row.ms = {2, 2, 2};
    }
  race->rows[2].ms.clear();
  race->rows[2].stopped = RaceOutcome::OutOfMemory;
  race->rows[2].why = "out of memory";
  race->rows[0].ms = {1, 5, 9};
  RaceNews out;
  out.race = race;
  out.running = running;
  out.fraction = 0.4;
  out.doing = "cpu_tiled";
  return out;
}

void show_recorded(Headless& head) {
  Result<Race> race = load_shipped_race(TILEWALK_SOURCE_DIR);
  REQUIRE(race.ok());
  RaceNews recorded;
  recorded.source = RaceSource::Gpu;
  recorded.race = std::make_shared<const Race>(std::move(*race));
  head.session->dispatch(ReportRace{recorded});
  head.session->dispatch(Action::ShowRace);
  head.session->dispatch(ChooseRace{.source = RaceSource::Gpu});
  head.frames(2);
}

// The commands that clicks make in a rectangle, each once, in order.
Commands sweep(Headless& head, const draw::Rect& r, float step_x, float step_y) {
  Commands all;
  for (float y = r.y0; y < r.y1; y += step_y)
    for (float x = r.x0; x < r.x1; x += step_x)
      for (Command& c : head.click(x, y))
        if (std::find(all.begin(), all.end(), c) == all.end()) all.push_back(std::move(c));
  return all;
}

}  // namespace

TEST_CASE("the page of the race draws with nothing, a race, and one under way, in both themes, at four sizes") {
  for (const bool dark : {true, false})
    for (const auto& [w, h] :
         {std::pair{1280, 720}, std::pair{1600, 900}, std::pair{3840, 2160}, std::pair{640, 360}}) {
      INFO(w << "x" << h);
      Document document = picture_document();
      document.view.dark = dark;
      Headless head(document, w, h);
      head.session->dispatch(Action::ShowRace);
      CHECK(head.frames(3).empty());
      CHECK(finite(*ImGui::GetDrawData()));
      head.session->dispatch(ReportRace{news(true)});
      head.session->dispatch(ChooseRace{.source = RaceSource::Cpu});
      for (int metric = 0; metric <= int(RaceMetric::Memory); ++metric) {
        head.session->dispatch(ChooseRace{.metric = RaceMetric(metric)});
        CHECK(head.frames(2).empty());
        CHECK(finite(*ImGui::GetDrawData()));
      }
      head.session->dispatch(ReportRace{news(false)});
      CHECK(head.frames(2).empty());
      show_recorded(head);
      CHECK(finite(*ImGui::GetDrawData()));
    }
}

TEST_CASE("K opens the page of the race, K and Esc go back to the walk") {
  Headless head(picture_document(), 1600, 900, true);
  head.frames(2);
  CHECK(head.press(Key::K) == Commands{Action::ShowRace});
  CHECK(head.session->page() == Page::Race);
  CHECK(head.press(Key::Escape) == Commands{ShowPage{Page::Walk}});
  head.press(Key::K);
  head.press(Key::K);
  CHECK(head.session->page() == Page::Walk);
}

TEST_CASE("the race runs at a click, and stops at one") {
  Headless head(picture_document());
  head.session->dispatch(Action::ShowRace);
  head.frames(2);
  CHECK(head.click("race/race cpu") == Commands{Action::RaceCpu});
  head.session->dispatch(Action::RaceCpu);
  head.frames(2);
  CHECK(head.click("race/stop") == Commands{Action::StopRace});
}

TEST_CASE("chips choose pass, head size and mask for both plots, N and figure for the bars") {
  Headless head(picture_document());
  show_recorded(head);
  const RaceModel m = *head.builder.build(*head.session, room_of(head.layout, head.theme)).race;
  const auto chosen = [&](const std::string& panel, const RaceChips& row) {
    Commands all;
    for (const RaceChip& chip : row.chips) {
      INFO(row.title << " " << chip.label);
      const Commands made = head.click(panel + "/" + row.title + chip.label);
      CHECK(made == (chip.active ? Commands{} : Commands{chip.choice}));
      all.insert(all.end(), made.begin(), made.end());
    }
    return all;
  };
  Commands of_both;
  for (const RaceChips& row : m.choices)
    for (const Command& c : chosen("race", row)) of_both.push_back(c);
  CHECK(of_both == Commands{ChooseRace{.pass = "backward"}, ChooseRace{.d = 128}, ChooseRace{.d = 256},
                            ChooseRace{.causal = true}});
  CHECK(chosen("race-bars", m.lengths).size() + chosen("race-bars", m.metrics).size() >= 7);
}

TEST_CASE("the page of the race at rest makes the same frame again") {
  Headless head(picture_document());
  show_recorded(head);
  head.frames(2);
  const std::uint64_t builds = head.builder.builds();
  CHECK(head.frames(4).empty());
  CHECK(head.builder.builds() == builds);
}

TEST_CASE("with large text every figure of the bars can still be chosen") {
  Document document = picture_document();
  document.view.text_scale = 2.5;
  Headless head(document, 1600, 900);
  show_recorded(head);
  const draw::Rect& bars = head.layout.race_bars;
  const float s = head.theme.s;  // the bar to scroll is left alone
  const Commands all = sweep(head, {bars.x0 + 4, bars.y0 + 40, bars.x1 - 16 * s, bars.y0 + 40 + 130 * s}, 24, 20);
  for (const RaceMetric metric : {RaceMetric::Time, RaceMetric::VsNaive, RaceMetric::Memory})
    CHECK(holds(all, ChooseRace{.metric = metric}));
}
