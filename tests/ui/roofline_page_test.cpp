// The page of the roofline: drawn for every card and length, and each click and key sends exactly its command.
#include "pages/roofline/roofline_page.h"

#include <map>

#include "pages/roofline/roofline_layout.h"
#include "tests/ui/headless.h"

using namespace tilewalk;
using tilewalk::test::draws_everywhere;
using tilewalk::test::Headless;
using tilewalk::test::opens_and_closes;
using tilewalk::test::picture_document;
using tilewalk::test::scroll_of;

namespace {

void with_times(SessionSetup& setup) {
  setup.of<RooflineController>().load_times = [](const std::string& device) {
    static std::map<std::string, Result<RaceTimes>> read;  // once for all the pages drawn here
    if (!read.contains(device)) read.emplace(device, load_race_times(TILEWALK_SOURCE_DIR, device));
    return read.at(device);
  };
  setup.of<RooflineController>().load_processors = [] {
    static const auto read = load_known_processors(TILEWALK_SOURCE_DIR);
    return read;
  };
}

MeasuredMachine a_machine(bool with_card) {
  MeasuredMachine out;
  out.date = "2026-11-23";
  out.processor = Processor{.name = "Some CPU, AVX2",
                            .threads = 12,
                            .read_gb_per_s = 60,
                            .fp32_tflops = 0.9,
                            .bf16_tflops = 0,
                            .cache_bytes = std::int64_t(32) << 20};
  if (with_card)
    out.card = MeasuredCard{"NVIDIA A100-SXM4-80GB", 1600, 240};
  else
    out.no_card = "No NVIDIA GPU was found";
  return out;
}

void on_roofline(Headless& head) {
  head.session->dispatch(ShowPage{Page::Roofline});
  head.frames(2);
}

}  // namespace

TEST_CASE("the page of the roofline draws for cards and lengths, in both themes, at four sizes") {
  draws_everywhere(Page::Roofline,
                   {Action::RevealWin, GuessWin{3}, Action::RevealWin, ChooseRoofline{.device = "a100", .d = 128},
                    Action::RevealWin, ChooseRoofline{.n = 65536, .causal = true},
                    ChooseRoofline{.device = "t4", .n = 777, .d = 8, .heads = 12, .kv_heads = 3}, Action::RevealWin,
                    EditOwnCard{"peak", "1e-300"}, EditOwnCard{"bandwidth", "x"}, Action::RevealWin},
                   with_times);
}

TEST_CASE("the page of the roofline draws for processors, and while and after this machine is measured") {
  draws_everywhere(
      Page::Roofline,
      {ChooseRoofline{.device = "cpu"}, Action::RevealWin, GuessWin{2}, Action::RevealWin, ChooseRoofline{.n = 65536},
       ChooseRoofline{.d = 512}, ChooseRoofline{.d = 64}, Action::MeasureMachine,
       ReportMeasure{{.running = true, .fraction = 0.4, .doing = "reading 1.88 GiB of memory"}}, Action::StopMeasuring,
       ReportMeasure{{.failure = "The measurement was stopped"}},
       ReportMeasure{{.fraction = 1, .machine = a_machine(true)}}, Action::RevealWin,
       ChooseRoofline{.device = "your-cpu"}, ReportMeasure{{.fraction = 1, .machine = a_machine(false)}},
       Action::RevealWin},
      with_times);
}

TEST_CASE("a click measures this machine, another stops it, and \"your\" rates appear") {
  Headless head(picture_document(), 1600, 900, true, with_times);
  on_roofline(head);
  CHECK(head.click("roofline/measure") == Commands{Action::MeasureMachine});
  CHECK(head.session->roofline().measuring().start_serial == 1);
  head.session->dispatch(ReportMeasure{{.running = true, .fraction = 0.4, .doing = "reading 1.88 GiB of memory"}});
  head.frames(2);
  CHECK(head.click("roofline/measure stop") == Commands{Action::StopMeasuring});
  CHECK(head.session->roofline().measuring().stop_serial == 1);
  head.session->dispatch(ReportMeasure{{.failure = "The measurement was stopped"}});
  CHECK_FALSE(head.session->roofline().processor());
  head.frames(2);
  CHECK(head.click("roofline/measure") == Commands{Action::MeasureMachine});
  head.session->dispatch(ReportMeasure{{.fraction = 1, .machine = a_machine(false)}});
  head.frames(2);
  REQUIRE(head.session->roofline().processor());
  CHECK(head.session->roofline().processor()->processor.threads == 12);
  CHECK(head.click("roofline/machine").empty());
  CHECK(head.click("roofline/H200 · measured") == Commands{ChooseRoofline{.device = "h200"}});
  CHECK(head.click("roofline/machine").empty());
  CHECK(head.click("roofline/this CPU") == Commands{ChooseRoofline{.device = "your-cpu"}});
}

TEST_CASE("without a measurable device there is no button, and the page says why") {
  Headless head(picture_document(), 1600, 900, true, [](SessionSetup& setup) {
    with_times(setup);
    setup.of<RooflineController>().no_measuring = "A page in a browser cannot";
  });
  on_roofline(head);
  CHECK_FALSE(head.ui.rects.find("roofline/measure"));
  CHECK(head.ui.rects.find("roofline/measured"));
  head.session->dispatch(Action::MeasureMachine);
  CHECK(head.session->message()->text.find("A page in a browser cannot") != std::string::npos);
  CHECK_FALSE(head.session->roofline().measuring().running);
}

TEST_CASE("O opens the roofline; O and Esc return to the walk") {
  opens_and_closes(Key::O, Action::ShowRoofline, Page::Roofline, with_times);
}

TEST_CASE("on the roofline a click makes a guess, and the answers appear and disappear") {
  Headless head(picture_document(), 1600, 900, true, with_times);
  head.session->dispatch(ShowPage{Page::Roofline});
  head.frames(2);
  CHECK(head.session->roofline().revealed());
  CHECK_FALSE(head.ui.rects.find("roofline-guess/reveal"));  // nothing asks before somebody chose to guess
  CHECK(head.click("roofline/guess first") == Commands{Action::RevealWin});
  head.frames(2);
  CHECK_FALSE(head.ui.rects.find("roofline/guess first"));
  CHECK_FALSE(head.session->roofline().revealed());
  CHECK(head.click("roofline-guess/my guess4×") == Commands{GuessWin{4}});
  head.frames(2);
  const draw::Rect tick = head.rect("roofline-plot/guess"), drawn = head.rect("roofline-plot/roofline plot");
  CHECK(tick.x0 < drawn.x0);  // on the axis, where no mark of an answer stands
  CHECK(tick.x1 < drawn.x0 + 0.05f * drawn.width());
  const RooflinePage page = head.models<RooflinePage>();
  const auto there =
      std::find_if(page.lengths.begin(), page.lengths.end(), [](const auto& l) { return l.second == 16384; });
  REQUIRE(there != page.lengths.end());
  const draw::Rect plot = head.rect("roofline-wins/lengths");
  CHECK(head.click(plot.x0 + float(there->first) * plot.width(), (plot.y0 + plot.y1) / 2) ==
        Commands{ChooseRoofline{.n = 16384}});
  CHECK(head.click("roofline-guess/reveal") == Commands{Action::RevealWin});
  CHECK(head.session->roofline().revealed());
  CHECK(head.click("roofline-guess/at once") == Commands{Action::ShowAnswers});
  head.session->dispatch(ChooseRoofline{.n = 1024});
  CHECK(head.session->roofline().revealed());
  head.frames(2);
  CHECK_FALSE(head.ui.rects.find("roofline-guess/at once"));
  CHECK(head.ui.rects.find("roofline/guess first"));
}

TEST_CASE("the reason of the fastest method is in sight whole, and the button below it") {
  for (const auto& [w, h] : {std::pair{1280, 720}, std::pair{1366, 768}, std::pair{1600, 900}, std::pair{1920, 1080}})
    for (const std::int64_t n : {3000, 8192}) {
      INFO(w << "x" << h << ", N " << n);
      Headless head(picture_document(), w, h, true, with_times);
      head.session->dispatch(ChooseRoofline{.n = n});
      on_roofline(head);
      const draw::Rect panel = head.rect("roofline-table/panel");
      CHECK(test::within(head.rect("roofline-table/reason"), panel));
      const auto folds = head.ui.rects.find("roofline-table/eager lines");
      if (folds) CHECK(test::within(*folds, panel));
      if (h == 900) CHECK(bool(folds) == (n == 3000));  // eager's lines are there where they have room
    }
}

TEST_CASE("the window's call, the machine and the win take less of the page than the picture") {
  for (const auto& [w, h] : {std::pair{1280, 720}, std::pair{1600, 900}, std::pair{3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h, true, with_times);
    on_roofline(head);
    const RooflineLayout at = roofline_layout(head.layout);
    CHECK(at.head.height() < 0.12f * float(h));
    CHECK(at.plot.height() > 0.45f * float(h));
    CHECK(at.guess.y1 <= at.plot.y0);
  }
}

TEST_CASE("a row of the roofline's table walks its schedule") {
  Headless head(picture_document(), 1600, 900, true, with_times);
  head.session->dispatch(ShowPage{Page::Roofline});
  head.frames(2);
  CHECK(head.click("roofline-table/walk flash_v3") == Commands{WalkMethod{"flash_v3"}});
  CHECK(head.session->page() == Page::Walk);
  CHECK(head.session->problem().schedule == ScheduleKind::FlashV3);
  CHECK(head.session->problem().tiling.br == 192);
}

TEST_CASE("the page accepts a typed rate of the user's own card") {
  Headless head(picture_document(), 1600, 900, true, with_times);
  head.session->dispatch(ShowPage{Page::Roofline});
  head.frames(2);
  head.click("roofline/own bandwidth");
  inject_text("9");
  CHECK(head.frames(2) == Commands{EditOwnCard{"bandwidth", "9"}});
  CHECK(head.session->roofline().bandwidth().value == 9.0);
}

TEST_CASE("the plot over N is high enough to read, and the win is the largest thing on the page") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h, false, with_times);
    on_roofline(head);
    const draw::Rect plot = head.rect("roofline-wins/plot of wins");
    CHECK(plot.height() >= 0.16f * float(h));
    CHECK(plot.width() > plot.height());
    const Fonts& fonts = head.theme.fonts;
    for (const Font* font : {&fonts.body, &fonts.strong, &fonts.title, &fonts.mono}) CHECK(fonts.figure.em > font->em);
  }
}

TEST_CASE("where the table has no space for eager's lines, a button shows them") {
  const std::string place = "roofline-table/eager lines";
  {
    Headless head(picture_document(), 1280, 720, false, with_times);
    on_roofline(head);
    const draw::Rect button = head.rect(place);
    head.click(place);
    head.frames(2);
    CHECK(head.rect(place).y0 == Approx(button.y0));
    CHECK(head.rect(place).width() != Approx(button.width()));  // it says otherwise
  }
  Headless large(picture_document(), 3840, 2160, false, with_times);
  on_roofline(large);
  CHECK_FALSE(large.ui.rects.find(place));
}

TEST_CASE("the win's sentence is in sight whole, in large type") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h, false, with_times);
    on_roofline(head);
    CHECK(scroll_of("roofline-guess") == 0);
    const draw::Rect answer = head.rect("roofline-guess/answer"), panel = roofline_layout(head.layout).guess;
    CHECK(answer.height() >= 0.9f * head.theme.fonts.title.size);
    CHECK(answer.y0 > panel.y0);
    CHECK(answer.y1 < panel.y1);
  }
}

TEST_CASE("the win is the roofline's largest figure, with why it is beside it, and marks have their way along N") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h, true, with_times);
    on_roofline(head);
    head.session->dispatch(ChooseRoofline{.n = 3000});
    for (int i = 0; i < 1000 && head.session->roofline().busy(); ++i) head.session->dispatch(Work{100});
    head.frames(3);
    const draw::Rect figure = head.rect("roofline-guess/figure"), panel = head.rect("roofline-guess/panel");
    CHECK(figure.height() >= 0.86f * head.theme.fonts.win.size + head.theme.fonts.tiny.size);
    CHECK(test::within(figure, panel));
    CHECK(test::within(head.rect("roofline-guess/answer"), panel));
    CHECK_FALSE(figure.touches(head.rect("roofline-guess/answer")));
    const RooflinePage& page = head.models<RooflinePage>();
    CHECK(page.because.starts_with("FA-3 is faster: naive moves "));
    REQUIRE(page.trails.size() == 2);
    for (const RooflineTrail& trail : page.trails) {
      CHECK(trail.line.size() >= 6);
      for (const PlotPoint& at : trail.line) CHECK((at.x >= 0 && at.x <= 1 && at.y >= 0 && at.y <= 1));
    }
    const draw::Rect trail = head.rect("roofline-plot/trail " + std::to_string(int(RooflineHue::Tiled3)));
    CHECK(trail.width() > 0.3f * head.rect("roofline-plot/roofline plot").width());
  }
}

TEST_CASE("each kernel is one mark, and the win's label lies on the plot and on no mark") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h, true, with_times);
    head.session->dispatch(ShowPage{Page::Roofline});
    for (int i = 0; i < 1000 && head.session->roofline().busy(); ++i) head.session->dispatch(Work{100});
    head.frames(3);
    const draw::Rect win = head.rect("roofline-plot/win"), arrow = head.rect("roofline-plot/arrow");
    CHECK(test::within(win, head.rect("roofline-plot/roofline plot")));
    CHECK(win.touches(arrow));
    int marks = 0;
    for (const auto& [name, r] : head.ui.rects.all()) {
      if (!name.starts_with("roofline-plot/mark ")) continue;
      ++marks;
      INFO(name);
      CHECK_FALSE(r.touches(win));
    }
    CHECK(marks == int(head.models<RooflinePage>().points.size()));
    if (h < 900) continue;  // a small plot has no room for the words of every line
    for (const RoofLine& roof : head.models<RooflinePage>().roofs) {
      INFO(roof.label);
      CHECK_FALSE(head.rect("roofline-plot/roof " + roof.label).touches(win));
    }
  }
}

TEST_CASE("each method of the roofline's table is one line, with the button to its walk at the end") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, {1600, 900, 1.0}, {3840, 2160, 1.0}, {1600, 900, 1.5}})
    for (const std::int64_t n : {3000, 8192}) {
      INFO(w << "x" << h << ", text " << text << ", N " << n);
      Document document = picture_document();
      document.view.text_scale = text;
      Headless head(document, w, h, true, with_times);
      head.session->dispatch(ChooseRoofline{.n = n});
      on_roofline(head);
      for (const RooflineRow& row : head.models<RooflinePage>().rows) {
        INFO(row.title);
        const draw::Rect line = head.rect("roofline-table/reason of " + row.title);
        CHECK(line.height() < 1.6f * draw::leading(head.theme.fonts.body));
        if (!row.walk) continue;
        const draw::Rect walk = head.rect("roofline-table/walk " + row.walk->method);
        CHECK(walk.x0 >= line.x1);
        CHECK((walk.y0 >= line.y0 && walk.y1 <= line.y1));
      }
    }
}

TEST_CASE("no label of the roofline covers another, or a dot of a trail that has its number") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, {1600, 900, 1.0}, {3840, 2160, 1.0}, {1600, 900, 1.5}})
    for (const std::int64_t n : {3000, 8192}) {
      INFO(w << "x" << h << ", text " << text << ", N " << n);
      Document document = picture_document();
      document.view.text_scale = text;
      Headless head(document, w, h, true, with_times);
      head.session->dispatch(ChooseRoofline{.n = n});
      on_roofline(head);
      std::vector<std::pair<std::string, draw::Rect>> labels;
      for (const auto& [name, r] : head.ui.rects.all())
        if (name == "roofline-plot/win" || name.starts_with("roofline-plot/label ") ||
            name.starts_with("roofline-plot/roof ") ||
            (name.starts_with("roofline-plot/trail ") && name.find(" N ") != std::string::npos))
          labels.emplace_back(name, r.inset(head.theme.s));
      REQUIRE(labels.size() > 8);
      const auto meet = [](const draw::Rect& a, const draw::Rect& b) {
        return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
      };
      for (std::size_t i = 0; i < labels.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
          INFO(labels[i].first << " and " << labels[j].first);
          CHECK_FALSE(meet(labels[i].second, labels[j].second));
        }
      const draw::Rect plot = head.rect("roofline-plot/roofline plot");
      const auto height_of = [&](double y) { return plot.y1 - float(y) * plot.height(); };
      for (const RooflineTrail& trail : head.models<RooflinePage>().trails) {
        const std::string id = "roofline-plot/trail " + std::to_string(int(trail.hue)) + " ";
        for (const auto* end : {&trail.lengths.front(), &trail.lengths.back()}) {
          INFO(end->second << " is an end of " << id);
          const auto number = head.ui.rects.find(id + end->second);
          if (!number) continue;  // it would be far from its dot
          for (const RoofLine& roof : head.models<RooflinePage>().roofs) {
            if (!roof.lower || number->x1 < plot.x0 + float(roof.from_x) * plot.width()) continue;
            CHECK((height_of(roof.from_y) < number->y0 || height_of(roof.from_y) > number->y1));
          }
        }
        for (const auto& [at, number] : trail.lengths) {
          const std::string name = "roofline-plot/trail " + std::to_string(int(trail.hue)) + " " + number;
          const auto own = head.ui.rects.find(name);
          if (!own) continue;
          const float x = plot.x0 + float(at.x) * plot.width(), y = plot.y1 - float(at.y) * plot.height();
          INFO(number << " is beside its dot");
          const float line = draw::leading(head.theme.fonts.tiny);
          CHECK((own->y0 - y <= line && y - own->y1 <= line && own->x0 - x <= line && x - own->x1 <= line));
          for (const auto& [other, r] : labels) {
            INFO(number << " below " << other);
            CHECK_FALSE(r.holds({x, y}));
          }
        }
      }
    }
}

TEST_CASE("the source of the roofline's figures is whole in the table's first view, or whole below it") {
  for (const std::int64_t n : {512, 1024, 8192})
    for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
      INFO(n << ", " << w << "x" << h);
      Headless head(picture_document(), w, h, true, with_times);
      on_roofline(head);
      head.session->dispatch(ChooseRoofline{.n = n});
      head.frames(4);
      const draw::Rect source = head.rect("roofline-table/source"), panel = roofline_layout(head.layout).table;
      CHECK((source.y1 <= panel.y1 || source.y0 >= panel.y1 - 16 * head.theme.s));
    }
}

TEST_CASE("the table of the roofline with eager's lines needs no scroll bar in a large window") {
  Headless head(picture_document(), 3840, 2160, true, with_times);
  on_roofline(head);
  for (int i = 0; i < 1000 && head.session->roofline().busy(); ++i) head.session->dispatch(Work{100});
  head.frames(4);
  CHECK(scroll_of("roofline-table") == 0);
}
