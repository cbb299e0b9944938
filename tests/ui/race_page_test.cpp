// The page of the race: drawn for every choice, and each click and key sends exactly its command.
#include <algorithm>

#include "core/predict/attention_method.h"
#include "core/schedules/registry.h"
#include "measured/recorded_race.h"
#include "measured/win_pair.h"
#include "pages/race/race_model.h"
#include "session/resources.h"
#include "tests/ui/headless.h"
#include "view/pages.h"
#include "view/words/predict_words.h"
#include "view/words/race_row_text.h"

using namespace tilewalk;
using tilewalk::test::draws_everywhere;
using tilewalk::test::Headless;
using tilewalk::test::holds;
using tilewalk::test::opens_and_closes;
using tilewalk::test::picture_document;
using tilewalk::test::tooltip_area;

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

RaceNews shipped_race() {
  Result<Race> race = load_shipped_race(TILEWALK_SOURCE_DIR);
  REQUIRE(race.ok());
  RaceNews recorded;
  recorded.source = RaceSource::Gpu;
  recorded.race = std::make_shared<const Race>(std::move(*race));
  return recorded;
}

void with_race(SessionSetup& setup) {
  setup.of<RaceController>().load_race = [] { return load_shipped_race(TILEWALK_SOURCE_DIR); };
}

void show_recorded(Headless& head) {
  head.session->dispatch(ReportRace{shipped_race()});
  head.session->dispatch(ShowPage{Page::Race});
  head.session->dispatch(ChooseRace{.source = RaceSource::Gpu});
  head.frames(2);
}

// The commands from clicks in a rectangle, each once, in order.
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
  Commands commands = {ReportRace{news(true)}, ChooseRace{.source = RaceSource::Cpu}};
  for (int metric = 0; metric <= int(RaceMetric::Memory); ++metric)
    commands.push_back(ChooseRace{.metric = RaceMetric(metric)});
  commands.push_back(ReportRace{news(false)});
  commands.push_back(ReportRace{shipped_race()});
  commands.push_back(ChooseRace{.source = RaceSource::Gpu});
  draws_everywhere(Page::Race, commands);
  draws_everywhere(Page::Race, {ChooseRace{.pass = "backward"}}, with_race);
}

TEST_CASE("K opens the page of the race; K and Esc return to the walk") {
  opens_and_closes(Key::K, Action::ShowRace, Page::Race);
}

TEST_CASE("a click starts the race, and a click stops it") {
  Headless head(picture_document());
  head.session->dispatch(Action::ShowRace);
  head.frames(2);
  CHECK(head.click("race/race cpu") == Commands{Action::RaceCpu});
  head.session->dispatch(Action::RaceCpu);
  head.frames(2);
  CHECK(head.click("race/stop") == Commands{Action::StopRace});
}

TEST_CASE(
    "tags choose the pass, the figure of the bars and N, and nothing that the header's call says is asked again") {
  Headless head(picture_document());
  show_recorded(head);
  const RaceModel m = head.models<RaceModel>();
  const auto chosen = [&](const std::string& panel, const RaceTags& row) {
    Commands all;
    for (const RaceTag& tag : row.tags) {
      INFO(row.title << " " << tag.label);
      const Commands made = head.click(panel + "/" + row.title + tag.label);
      CHECK(made == (tag.active ? Commands{} : Commands{tag.choice}));
      all.insert(all.end(), made.begin(), made.end());
    }
    return all;
  };
  CHECK(chosen("race", m.pass) == Commands{ChooseRace{.pass = "backward"}});
  CHECK(chosen("race-bars", m.metrics).size() >= 4);
  CHECK(chosen("race-curves", m.lengths).size() >= 4);
  for (const char* asked : {"race/Head size128", "race/Maskcausal", "race-bars/N8k"})
    CHECK_FALSE(head.ui.rects.find(asked));
}

TEST_CASE("Race and Which reach every part of the call in the header, also where the call is folded") {
  for (const auto& [w, h, text] : {std::tuple{1600, 900, 1.0}, {1280, 720, 1.0}, {1280, 720, 1.5}, {1600, 900, 2.0}}) {
    INFO(w << "x" << h << ", text " << text);
    for (const Page page : {Page::Race, Page::Which}) {
      Document document = picture_document();
      document.view.text_scale = text;
      Headless head(document, w, h, true, with_race);
      head.session->dispatch(ShowPage{page});
      head.frames(3);
      REQUIRE(head.ui.rects.find("header/call"));
      CHECK(head.ui.rects.find("header/call n-q"));
      CHECK(test::within(head.rect("header/call"), {0, 0, float(w), float(h)}));
      head.click("header/call");
      head.frames(3);
      for (const char* field : kHeaderFields) {
        INFO(field);
        CHECK(head.ui.rects.find("dialog/call field " + std::string(field)));
      }
    }
  }
}

TEST_CASE("the race runs when its page is opened: a clock, bars that stop, and then the margin in the clock's place") {
  Headless head(picture_document(), 1600, 900, true, with_race);
  head.ui.motion = true;
  head.session->dispatch(ShowPage{Page::Race});
  head.frames(3);
  CHECK(head.session->race().seconds_run);
  const auto at = [&](double seconds) {
    head.session->dispatch(Tick{100 + seconds});
    head.frames(1);
    return head.models<RaceModel>();
  };
  at(0);
  const auto end = [&](const std::string& kernel) { return head.rect("race-bars/running " + kernel).x1; };
  CHECK(at(1).runs);
  const draw::Rect clock = head.rect("race-bars/clock");
  CHECK(end("Naive, cuBLAS") == Approx(end("FA-3 by Tilewalk")));
  CHECK(end("Naive, cuBLAS") == Approx(head.rect("race-bars/now").middle().x));
  const float done = end("FA-3 by Tilewalk");
  at(3);
  CHECK(end("FA-3 by Tilewalk") > done);
  CHECK(end("FA-3 by Tilewalk") < end("Naive, cuBLAS") - 20);
  CHECK_FALSE(at(9.5).runs);
  CHECK_FALSE(head.ui.rects.find("race-bars/clock"));
  const draw::Rect figure = head.rect("race-bars/figure");
  CHECK(figure.y0 == clock.y0);
  CHECK(figure.y1 == clock.y1);
  CHECK(head.ui.rects.find("race-bars/race tick 8"));
  CHECK(test::within(head.rect("race-bars/stopped Naive, cuBLAS"), head.rect("race-bars/panel")));
}

TEST_CASE("of a call with an attn_mask the race says that its times leave it out, and the figure is not in blue") {
  Headless head(picture_document(), 1600, 900, true, with_race);
  head.session->dispatch(ShowPage{Page::Race});
  head.frames(2);
  CHECK_FALSE(head.models<RaceModel>().differs);
  for (const char* const mask : {"float-grad", "bool", "none"}) {
    head.session->dispatch(EditCall{"attn-mask", mask});
    head.frames(2);
    const RaceModel m = head.models<RaceModel>();
    INFO(mask << ": " << m.figure_words);
    const bool masked = std::string(mask) != "none";
    CHECK(m.figure_words.ends_with(" All times leave out the attn_mask of your call.") == masked);
    CHECK(m.differs == masked);
  }
}

TEST_CASE("no bar's figure is crossed by its floor") {
  for (const auto& [w, h] : {std::pair{1600, 900}, std::pair{1280, 720}})
    for (const std::int64_t n : {1024, 8192, 16384}) {
      Headless head(picture_document(), w, h);
      show_recorded(head);
      head.session->dispatch(ChooseRace{.n = n});
      head.frames(3);
      INFO(w << "x" << h << ", n " << n);
      int figures = 0;
      for (const auto& [name, r] : head.ui.rects.all()) {
        const std::string value = "race-bars/value ";
        if (!name.starts_with(value)) continue;
        ++figures;
        const draw::Rect floor = head.rect("race-bars/floor " + name.substr(value.size()));
        CHECK((floor.x1 <= r.x0 || floor.x0 >= r.x1));
      }
      CHECK(figures > 0);
    }
}

TEST_CASE("the names of thick bars are large, and the speed-up is the largest figure of the page") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h);
    show_recorded(head);
    head.frames(3);
    const Fonts& fonts = head.theme.fonts;
    REQUIRE(head.models<RaceModel>().bars.size() == 4);
    for (const RaceBar& bar : head.models<RaceModel>().bars)
      CHECK(head.rect("race-bars/name " + bar.title).height() >= (bar.best ? fonts.title : fonts.large).size);
    CHECK(head.rect("race-bars/figure").height() >= 0.75f * fonts.win.size);
  }
}

TEST_CASE("the plate below a figure inside an open bar is as high as the figure, not as the bar") {
  Headless head(picture_document(), 1600, 900, true, with_race);
  head.session->dispatch(ShowPage{Page::Race});
  head.session->dispatch(ChooseRace{.metric = RaceMetric::Time, .n = 3000});
  head.frames(3);
  REQUIRE(head.models<RaceModel>().predicted);
  const draw::Rect plate = head.rect("race-bars/plate eager"), row = head.rect("race-bars/eager");
  CHECK(plate.height() < row.height() * 0.45f);
  CHECK(plate.height() >= head.theme.fonts.mono_large.em);
}

TEST_CASE("the last line below the bars is in the window at 1600x900 and 150 % text") {
  Document document = picture_document();
  document.view.text_scale = 1.5;
  Headless head(document, 1600, 900, true);
  show_recorded(head);
  head.frames(3);
  const draw::Rect panel = head.rect("race-bars/panel");
  CHECK(panel.y1 <= 900);
  CHECK(head.rect("race-bars/words").y1 <= panel.y1);
}

TEST_CASE("an idle page of the race draws the same frame again") {
  Headless head(picture_document());
  show_recorded(head);
  head.frames(2);
  const std::uint64_t builds = head.builder.builds();
  CHECK(head.frames(4).empty());
  CHECK(head.builder.builds() == builds);
}

TEST_CASE("the ceilings of a run are in the tooltip of its heading, which is one line") {
  Headless head(picture_document());
  show_recorded(head);
  head.frames(3);
  const draw::Rect r = head.rect("race/heading");
  CHECK(r.height() <= 24 * head.theme.s);
  REQUIRE_FALSE(head.models<RaceModel>().ceilings.empty());
  inject_mouse(r.x0 + 20, (r.y0 + r.y1) / 2, false);
  head.frames(40);
  CHECK(tooltip_area());
  inject_mouse(-1e5f, -1e5f, false);
  head.frames(2);
}

TEST_CASE("with large text every figure of the bars can still be chosen") {
  Document document = picture_document();
  document.view.text_scale = 2.5;
  Headless head(document, 1600, 900);
  show_recorded(head);
  head.frames(3);
  const draw::Rect bars = head.rect("race-bars/panel");
  const float s = head.theme.s;  // not over the scroll bar
  const Commands all = sweep(head, {bars.x0 + 4, bars.y0 + 40, bars.x1 - 16 * s, bars.y0 + 40 + 130 * s}, 24, 20);
  for (const RaceMetric metric : {RaceMetric::Rate, RaceMetric::VsNaive, RaceMetric::Memory})
    CHECK(holds(all, ChooseRace{.metric = metric}));
}

TEST_CASE("a click shows all kernels, and another one the few again") {
  Headless head(picture_document(), 1600, 900, true);
  show_recorded(head);
  const std::size_t few = head.models<RaceModel>().bars.size();
  CHECK(head.click("race-bars/kernels") == Commands{ChooseRace{.all = true}});
  head.frames(2);
  CHECK(head.models<RaceModel>().bars.size() > few);
  CHECK(head.click("race-bars/kernels") == Commands{ChooseRace{.all = false}});
  CHECK(head.models<RaceModel>().bars.size() == few);
}

TEST_CASE("the reason why a curve ends is within the plot and covers no mark of its curve") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h, true);
    head.session->dispatch(ChooseRace{.n = 8192, .all = true});
    show_recorded(head);
    head.frames(2);
    const draw::Rect words = head.rect("race-curves/end of FA-1 by Tilewalk");
    CHECK(test::within(words, head.rect("race-curves/plot")));
  }
}

TEST_CASE("the bars of the race fill their panel") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}}) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h, true);
    show_recorded(head);
    head.frames(2);
    const float s = head.theme.s;
    const draw::Rect panel = head.rect("race-bars/panel");
    CHECK(head.rect("race-bars/FA-3 by Tilewalk").height() > 65 * s);
    CHECK(head.rect("race-bars/PyTorch cuDNN").y1 > panel.y1 - 240 * s);
    CHECK(test::within(head.rect("race-bars/kernels"), panel));
    // So do the rows of the table, also those of a call that was not raced.
    for (const std::int64_t n : {8192, 3000}) {
      INFO(n);
      head.session->dispatch(ChooseRace{.n = n});
      head.frames(2);
      const draw::Rect table = head.rect("race-table/panel"), note = head.rect("race-table/table note");
      CHECK(test::within(note, table));
      CHECK(table.y1 - note.y1 < (n == 3000 ? 60 : 20) * s);
    }
  }
}

TEST_CASE("rings of predicted times are apart: marks that are close together share one") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h, true, [](SessionSetup& setup) { read_from(TILEWALK_SOURCE_DIR, setup); });
    head.session->dispatch(ShowPage{Page::Race});
    head.session->dispatch(ChooseRace{.n = 3000});
    for (int i = 0; i < 1000 && head.session->roofline().busy(); ++i) head.session->dispatch(Work{100});
    head.frames(4);
    std::vector<draw::Rect> rings;
    int marks = 0;
    for (const auto& [name, r] : head.ui.rects.all()) {
      marks += name.starts_with("race-curves/call's ");
      if (name.starts_with("race-curves/ring ")) rings.push_back(r);
    }
    CHECK(marks == 4);
    REQUIRE_FALSE(rings.empty());
    for (std::size_t i = 0; i < rings.size(); ++i)
      for (std::size_t j = i + 1; j < rings.size(); ++j) CHECK_FALSE(rings[i].touches(rings[j]));
  }
}

TEST_CASE("a class sees the reason, which answers the question, at a click after the bars have run") {
  Headless head(picture_document(), 1600, 900, true, with_race);
  head.session->dispatch(ShowPage{Page::Race});
  head.frames(2);
  CHECK(head.ui.rects.find("race-bars/reasons"));
  head.session->dispatch(Action::Present);
  head.frames(2);
  CHECK_FALSE(head.ui.rects.find("race-bars/reasons"));
  const auto click = [&](Action action) {
    head.session->dispatch(action);
    head.frames(2);
    return head.ui.rects.find("race-bars/reasons").has_value();
  };
  CHECK(click(Action::StepForward));
  CHECK_FALSE(click(Action::StepForward));  // what it wins
  CHECK(head.ui.rects.find("race-win/note"));
  CHECK_FALSE(click(Action::StepForward));  // the bars run again
  CHECK_FALSE(head.ui.rects.find("race-win/note"));
  CHECK(head.session->race().seconds_run);
  CHECK_FALSE(click(Action::StepForward));  // to their end
  CHECK_FALSE(head.session->race().seconds_run);
  CHECK(click(Action::StepForward));
  CHECK_FALSE(click(Action::StepBack));
}

TEST_CASE("what the call wins is read from the last row: the pair's bytes and times, and its card and N below") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, std::tuple{1600, 900, 1.5}, std::tuple{3840, 2160, 1.0},
                                   std::tuple{1024, 768, 1.0}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = picture_document();
    document.view.text_scale = text;
    Headless head(document, w, h, true, [](SessionSetup& setup) { read_from(TILEWALK_SOURCE_DIR, setup); });
    head.session->dispatch(Action::ShowWin);
    while (head.session->busy()) head.session->dispatch(Work{64});
    use_fonts(head.theme, automatic_scale(w, h) * page_row(Page::Race).for_room(*head.session).text);
    apply_style(head.theme);
    head.frames(3);
    const WinFrame win = head.models<RaceModel>().win.value();
    REQUIRE(win.lines.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
      const draw::Rect line = head.rect("race-win/line " + std::to_string(i));
      CHECK(within(line, head.layout.whole));
      CHECK(line.height() > 0.09f * float(h));
      if (i == 0) continue;
      const std::string bar = "race-win/bar " + std::to_string(i);
      const draw::Rect naive = head.rect(bar + " naive"), fast = head.rect(bar + " fast");
      CHECK(within(naive, head.rect("race-win/panel")));
      CHECK(fast.x0 == naive.x0);
      CHECK(naive.width() / fast.width() == Approx(std::stod(win.lines[i].figure)).epsilon(0.02));
      CHECK(naive.width() > 0.8f * float(w));
      CHECK(naive.height() > 0.04f * float(h));
      for (const char* kernel : {"naive", "fast"})
        CHECK(head.rect(bar + " label " + kernel).height() > 0.036f * float(h));
      CHECK(line.y1 <= naive.y0);
      const auto below = head.ui.rects.find("race-win/line " + std::to_string(i + 1));
      CHECK(fast.y1 < (below ? below->y0 : head.rect("race-win/note").y0));
    }
    CHECK(within(head.rect("race-win/note"), head.layout.whole));
    CHECK(head.rect("race-win/line 2").y1 < head.rect("race-win/note").y0);
    CHECK(head.rect("race-win/note").y1 <= head.rect("room/keys").y0);
  }
}

TEST_CASE("what the call wins: bytes as they are counted, and a time that was not recorded is said to be predicted") {
  Headless head(picture_document(), 1600, 900, true,
                [](SessionSetup& setup) { read_from(TILEWALK_SOURCE_DIR, setup); });
  head.session->dispatch(Action::ShowWin);
  const auto win = [&] {
    while (head.session->busy()) head.session->dispatch(Work{64});
    return head.models<RaceModel>().win.value();
  };
  const WinFrame recorded = win();
  REQUIRE(recorded.lines.size() == 3);
  const std::vector<PredictionRow> rows = head.session->roofline().rows();
  const WinPair of = win_pair(rows).value();
  REQUIRE(of.recorded);
  // As Compare and the last card count them: what both walks of the call ask of HBM.
  const AttentionCall& call = of.fast->predicted.call;
  const DeviceModel card = head.session->roofline().card();
  const auto asked = [&](const PredictionRow& row) {
    return double(whole_run_cost(walked_by(*row.predicted.method, call, card)).hbm_total().bytes());
  };
  CHECK(recorded.lines[1].figure == times_text_of(asked(*of.naive) / asked(*of.fast)));
  CHECK(recorded.lines[1].figure == "8.7×");
  CHECK(recorded.lines[2].figure == times_text_of(of.naive_ms / of.fast_ms));
  CHECK(recorded.lines[2].figure == head.models<RaceModel>().figure);
  CHECK(recorded.lines[2].words == "as fast.");
  CHECK(recorded.lines[0].bars.empty());
  const auto labels = [&](std::size_t i) {
    return recorded.lines[i].bars.at(0).label + ", " + recorded.lines[i].bars.at(1).label;
  };
  CHECK(labels(1) == "naive " + big_bytes(asked(*of.naive)) + ", FA-3 by Tilewalk " + big_bytes(asked(*of.fast)));
  CHECK(labels(2) == "naive " + ms_text(of.naive_ms) + ", FA-3 by Tilewalk " + ms_text(of.fast_ms));
  CHECK(recorded.lines[2].bars.at(1).share == Approx(of.fast_ms / of.naive_ms));
  CHECK_FALSE(recorded.lines[2].predicted);
  CHECK(recorded.note == "H200 · N 8,192 · tiles 192×128, times recorded");
  head.session->dispatch(EditCall{"n-q", "3000"});  // no race has that length
  head.session->dispatch(Action::ShowWin);
  const WinFrame predicted = win();
  REQUIRE(predicted.lines.size() == 3);
  CHECK(predicted.lines[1].words == "fewer bytes asked for.");
  CHECK(predicted.lines[2].words == "as fast, predicted.");
  CHECK(predicted.lines[2].figure == head.models<RaceModel>().figure);
  CHECK(predicted.lines[2].predicted);
  CHECK_FALSE(predicted.lines[1].predicted);  // bytes are counted
  CHECK(predicted.note.find("recorded") == std::string::npos);
}
