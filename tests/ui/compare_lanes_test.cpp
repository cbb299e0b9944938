// The lanes of the page of comparison: their tags, options, zoom and captions.
#include "pages/compare/compare_layout.h"
#include "pages/compare/compare_page.h"
#include "pages/compare/compare_parts.h"
#include "session/resources.h"
#include "tests/ui/compare_page.h"
#include "view/pages.h"

using namespace tilewalk;
using tilewalk::test::finite;
using tilewalk::test::Headless;
using tilewalk::test::holds;
using tilewalk::test::open_page;
using tilewalk::test::sweep;
using tilewalk::test::use_fonts;
using tilewalk::test::with_schedule;

TEST_CASE("tags of FA-3 turn an optimisation off and change the stages") {
  Headless head(with_schedule(ScheduleKind::FlashV3));
  open_page(head);
  const draw::Rect r = compare_layout(head.layout).lanes;
  const Commands made = sweep(head, r.x0 + r.width() * 0.38f, r.x1 - 8, r.y0 + 26 * head.theme.s, 9);
  for (const LaneOption option : {LaneOption::WarpSpecialisation, LaneOption::PingPong, LaneOption::Overlap}) {
    INFO(title_of(option));
    CHECK(holds(made, SetLaneOption{option, 0}));
  }
  CHECK(holds(made, SetLaneOption{LaneOption::Stages, 5}));
  CHECK(holds(made, SetLaneOption{LaneOption::Stages, 3}));
  CHECK(holds(made, Action::NextPace));
  CHECK(holds(made, Action::ShowPipes));
  CHECK(made.size() == 7);
}

TEST_CASE("the axis of the lanes' cycles is below the lowest of them, in low panels and of many lanes too") {
  for (const ScheduleKind kind : {ScheduleKind::FlashV2, ScheduleKind::FlashV3})
    for (const auto& [w, h, text] :
         {std::tuple{1280, 720, 1.0}, {1280, 720, 1.5}, {1600, 900, 1.0}, {1600, 900, 1.5}}) {
      INFO(int(kind) << " at " << w << "x" << h << ", text " << text);
      Document document = with_schedule(kind);
      document.view.text_scale = text;
      Headless head(document, w, h, true);
      open_page(head);
      head.session->dispatch(ChooseCompared{Compared::Call});
      head.session->dispatch(PinSchedule{ScheduleKind::FlashV1});
      head.frames(3);
      const draw::Rect zero = head.rect("lanes/cycles tick 0"), above = head.rect("lanes/rows 0"),
                       below = head.rect("lanes/rows 1");
      CHECK(zero.y0 >= below.y1 - 8 * head.theme.s);
      CHECK(zero.x0 == Approx(above.x0));
      CHECK(above.x0 == below.x0);
      CHECK(above.x1 == below.x1);
    }
}

TEST_CASE("bars of the whole calls are to scale at any size of the window, within their panel") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, std::tuple{1600, 900, 1.0}, std::tuple{1600, 900, 1.5},
                                   std::tuple{3840, 2160, 1.0}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = with_schedule(ScheduleKind::FlashV2);
    document.view.text_scale = text;
    Headless head(document, w, h, true);
    open_page(head);
    head.session->dispatch(ChooseCompared{Compared::Call});
    head.frames(3);
    const ComparePage page = head.models<ComparePage>();
    REQUIRE(page.lanes.pictures.size() == 2);
    REQUIRE(page.lanes.pictures[1].whole);
    const draw::Rect before = head.rect("lanes/whole 0 bar"), now = head.rect("lanes/whole 1 bar");
    const double ratio = page.lanes.pictures[1].whole->share / page.lanes.pictures[0].whole->share;
    CHECK(double(now.width() / before.width()) == Approx(ratio).epsilon(0.01));
    CHECK(before.x0 == now.x0);
    CHECK(before.x1 < compare_layout(head.layout).lanes.x1);
  }
}

TEST_CASE(
    "the whole calls and the lanes each have an axis, to the scale of their bars, in both themes, at 100 and 150 %") {
  for (const bool dark : {true, false})
    for (const auto& [w, h, text] :
         {std::tuple{1280, 720, 1.0}, {1600, 900, 1.0}, {1600, 900, 1.5}, {3840, 2160, 1.0}}) {
      INFO(w << "x" << h << ", text " << text);
      Document document = with_schedule(ScheduleKind::FlashV2);
      document.view.text_scale = text;
      document.view.dark = dark;
      Headless head(document, w, h, true);
      open_page(head);
      head.session->dispatch(ChooseCompared{Compared::Call});
      head.frames(3);
      const LanesModel lanes = head.models<ComparePage>().lanes;
      REQUIRE(lanes.whole.ticks.size() >= 3);
      REQUIRE(lanes.cycles.ticks.size() >= 3);
      const draw::Rect longer = head.rect("lanes/whole 0 bar");  // naive's
      for (const AxisTick& tick : lanes.whole.ticks) {
        INFO(tick.text << " " << lanes.whole.unit);
        const draw::Rect at = head.rect("lanes/whole tick " + tick.text);
        CHECK(at.x0 == Approx(longer.x0 + float(tick.at) * longer.width()).margin(1.5));
        CHECK(at.y0 >= longer.y1);
        CHECK(at.y1 < compare_layout(head.layout).lanes.y1);
      }
      const draw::Rect last = head.rect("lanes/cycles tick " + lanes.cycles.ticks.back().text);
      CHECK(last.y0 > head.rect("lanes/whole tick 0").y1);
      CHECK(last.x0 <= compare_layout(head.layout).lanes.x1);
    }
}

TEST_CASE("a lane option changes the problem and keeps the cursor") {
  Headless head(with_schedule(ScheduleKind::FlashV3), 1600, 900, true);
  open_page(head);
  head.session->dispatch(SetLaneOption{LaneOption::PingPong, 0});
  CHECK_FALSE(head.session->problem().lanes.ping_pong);
  CHECK(head.session->cursor() == 12);
  head.session->dispatch(SetLaneOption{LaneOption::Stages, 0});
  CHECK(head.session->problem().tiling.stages == 4);
  CHECK(head.session->message()->error);
}

TEST_CASE("the wheel and W, S zoom the lanes, A and D pan them, 0 shows all, and the walk's zoom stays") {
  Document document = with_schedule(ScheduleKind::FlashV2);
  document.problem.shape.n_q = document.problem.shape.n_kv = 4096;
  Headless head(document, 3200, 900, true);
  open_page(head);
  const auto boxes = [&] {
    const ComparePage page = head.models<ComparePage>();
    std::int64_t folded = 0;
    for (const LaneBox& box : page.lanes.pictures[1].rows[1].boxes) {
      CHECK(box.x0 >= 0);
      CHECK(box.x1 <= 1);
      folded += box.folded;
    }
    return folded;
  };
  const std::int64_t folded_at_first = boxes();
  CHECK(folded_at_first > 100);
  const draw::Rect area = lanes_area(compare_layout(head.layout).lanes, head.theme);
  inject_mouse(area.x0 + area.width() / 4, (area.y0 + area.y1) / 2, false);
  head.frames(2);
  const auto under = [&] {
    const LanesView& view = head.session->compare().lanes_view();
    return view.first() + 0.25 / view.zoom;
  };
  CHECK(under() == Approx(0.25));
  for (int i = 0; i < 30; ++i) {
    inject_wheel(1);
    head.frames(2);
  }
  CHECK(head.session->compare().lanes_view().zoom > 100);
  CHECK(under() == Approx(0.25));
  CHECK(boxes() < folded_at_first / 20);
  inject_mouse(-1e5f, -1e5f, false);
  head.frames(2);
  const double zoom = head.session->compare().lanes_view().zoom, centre = head.session->compare().lanes_view().centre;
  CHECK(head.press(Key::D) == Commands{Action::LanesLater});
  CHECK(head.session->compare().lanes_view().centre > centre);
  head.press(Key::A);
  CHECK(head.session->compare().lanes_view().centre == Approx(centre));
  head.press(Key::W);
  CHECK(head.session->compare().lanes_view().zoom == Approx(zoom * 1.5));
  head.press(Key::S);
  CHECK(head.session->compare().lanes_view().zoom == Approx(zoom));
  head.press(Key::Zero);
  CHECK(head.session->compare().lanes_view() == LanesView{});
  CHECK(head.session->walk().grid_view() == GridView{});
  CHECK(finite(*ImGui::GetDrawData()));
}

TEST_CASE("lane tags that do not fit in one row continue in the next row, all reachable") {
  Document document = with_schedule(ScheduleKind::FlashV3);
  document.view.text_scale = 2.5;
  Headless head(document, 1600, 900);
  open_page(head);
  const draw::Rect lanes = head.rect("lanes/panel");
  Commands all;
  for (const float row : {25.0f, 57.0f, 89.0f, 121.0f, 153.0f})
    for (Command& c : sweep(head, lanes.x0 + 4, lanes.x1, lanes.y0 + row * head.theme.s, 12 * head.theme.s))
      all.push_back(std::move(c));
  CHECK(holds(all, Action::NextPace));
  CHECK(holds(all, SetLaneOption{LaneOption::PingPong, 0}));
  CHECK(holds(all, SetLaneOption{LaneOption::Stages, 5}));
}

TEST_CASE("pinned lanes of another tile than the caption's name their tile") {
  Headless head(with_schedule(ScheduleKind::FlashV2));
  open_page(head);
  const auto page = [&] { return head.models<ComparePage>(); };
  head.session->dispatch(PinSchedule{ScheduleKind::FlashV1});
  REQUIRE(page().block == "batch 0, head 0, Q tile 0");
  CHECK(page().lanes.pictures[0].note == "KV tile 0");
  CHECK(page().lanes.pictures[1].note.empty());
  head.session->dispatch(PinSchedule{ScheduleKind::FlashV3});
  CHECK(page().lanes.pictures[0].note.empty());
}

TEST_CASE("the lanes of many warps are high enough for their figures at 1600x900") {
  for (const ScheduleKind kind : {ScheduleKind::FlashV3, ScheduleKind::FlashV4}) {
    INFO(int(kind));
    Headless head(with_schedule(kind), 1600, 900, true);
    open_page(head);
    head.session->dispatch(ChooseCompared{Compared::Call});
    head.frames(3);
    const LanesModel lanes = head.models<ComparePage>().lanes;
    const draw::Rect rows = head.rect("lanes/rows 1");
    CHECK(rows.height() / float(lanes.pictures[1].rows.size()) >= 22 * head.theme.s);
    CHECK(test::within(rows, head.rect("lanes/panel")));
  }
}

TEST_CASE("at 1280x720 the lanes of many warps have their figures, and their panel does not scroll") {
  Headless head(with_schedule(ScheduleKind::FlashV3), 1280, 720, true);
  open_page(head);
  head.session->dispatch(ChooseCompared{Compared::Call});
  head.frames(3);
  const LanesModel lanes = head.models<ComparePage>().lanes;
  const draw::Rect rows = head.rect("lanes/rows 1");
  CHECK(rows.height() / float(lanes.pictures[1].rows.size()) >= head.theme.fonts.caption.em + 2);
  CHECK(rows.y1 < head.rect("lanes/panel").y1 - 40 * head.theme.s);
}

TEST_CASE("at 1280x720 an SM is nearly a square, K and V have their letters, and products have their words") {
  Headless head(with_schedule(ScheduleKind::FlashV3), 1280, 720, true);
  open_page(head);
  head.session->dispatch(ChooseCompared{Compared::Call});
  head.frames(3);
  const WavesModel waves = *head.models<ComparePage>().right;
  const draw::Rect squares = head.rect("sms-now/squares of " + waves.title);
  CHECK(squares.height() / float(waves.rows) > 0.75f * squares.width() / float(waves.columns));
  REQUIRE_FALSE(waves.waits.empty());
  CHECK(test::within(head.rect("sms-now/" + waves.waits), head.rect("sms-now/panel")));
  CHECK(head.rect("sms-now/all words").y1 <= head.rect("sms-now/waves of " + waves.title).y1);
  const LanesPicture lanes = head.models<ComparePage>().lanes.pictures.back();
  const float wide = head.rect("lanes/rows 1").width();
  int products = 0;
  for (const LaneRow& row : lanes.rows)
    for (const LaneBox& box : row.boxes) {
      if ((box.kind != LaneBoxKind::Scores && box.kind != LaneBoxKind::Accumulate) || box.x0 <= 0 || box.x1 >= 1)
        continue;
      INFO(box.label);
      CHECK(draw::text_width(head.theme.fonts.caption, box.label) + 4 * head.theme.s <= float(box.x1 - box.x0) * wide);
      ++products;
    }
  CHECK(products > 6);
  CHECK(lanes.goes_on);
  CHECK(lanes.cursor >= 0);
  CHECK(lanes.cycles_text.starts_with("164 k cycles"));
  CHECK(lanes.cycles_tip == "One thread block: 163,576 modelled cycles");
  head.session->dispatch(Action::ShowWarps);
  head.frames(2);
  CHECK(head.rect("split-q/K").height() >= head.theme.fonts.tiny.size);
}

TEST_CASE("the first SM of each run has the number of its wave where it fits, and one line explains the shades") {
  for (const auto& [w, h, presented] : {std::tuple{1280, 720, false}, {1280, 720, true}, {1600, 900, true}}) {
    INFO(w << "x" << h << (presented ? ", presented" : ""));
    Headless head(with_schedule(ScheduleKind::FlashV2), w, h, true);
    for (const Command& command : head.session->opening_comparison(Filling::Waves)) head.session->dispatch(command);
    if (presented) head.session->dispatch(Action::Present);
    head.frames(3);
    REQUIRE(head.models<ComparePage>().filled.sides.size() == 2);
    const std::string panels[] = {"waves-pinned", "waves-now"};
    for (std::size_t side = 0; side < 2; ++side) {
      const std::vector<FilledSm>& sms = head.models<ComparePage>().filled.sides[side].sms;
      for (std::size_t i = 0; i < sms.size(); ++i) {
        INFO(i);
        CHECK(head.ui.rects.find(panels[side] + "/wave of square " + std::to_string(i)).has_value() ==
              (sms[i].round > 0 && (i == 0 || sms[i].round != sms[i - 1].round)));
      }
    }
    for (const std::string& panel : panels) {
      const draw::Rect key = head.rect(panel + "/shade key");
      CHECK(test::within(key, head.rect(panel + "/panel")));
      CHECK(key.y0 >= head.rect(panel + "/squares").y1);
      CHECK(key.y1 <= head.rect(panel + "/clock").y0);
    }
  }
}

TEST_CASE("the headline of the page of warps is what passes between them, and its table has tight rows") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}}) {
    INFO(w << "x" << h);
    Headless head(with_schedule(ScheduleKind::FlashV2), w, h, true);
    for (const Command& command : head.session->opening_comparison(Filling::Warps)) head.session->dispatch(command);
    head.frames(3);
    CHECK(test::within(head.rect("compare-result/result"), head.rect("compare-result/panel")));
    CHECK(head.rect("compare-result/panel").y1 < head.rect("bars/panel").y0);
    CHECK_FALSE(head.ui.rects.find("split-q/figure"));
    const draw::Rect barrier = head.rect("split-k/barrier"), picture = head.rect("split-k/picture");
    CHECK(test::within(barrier, picture));
    CHECK(barrier.height() > 0.7f * picture.height());
    CHECK_FALSE(head.ui.rects.find("split-q/barrier"));
    CHECK(head.ui.rects.find("split-k/two lines of warp 3").has_value() == (w < 1600));
    for (const char* panel : {"bars", "compare", "compare-result"}) CHECK(test::scroll_of(panel) == 0);
    const draw::Rect table = head.rect("compare/panel");
    CHECK(head.rect("compare/time").height() <= 41 * head.theme.s);
    CHECK(head.rect("compare/fold").y1 > table.y0 + 0.6f * table.height());
  }
}

TEST_CASE("with large text both sides' SMs are beside each other, below the result, and nothing is cut off") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.5}, {1600, 900, 1.5}, {1280, 720, 2.0}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = with_schedule(ScheduleKind::FlashV2);
    document.view.text_scale = text;
    Headless head(document, w, h, true);
    for (const Command& command : head.session->opening_comparison(Filling::Waves)) head.session->dispatch(command);
    head.frames(3);
    const draw::Rect pinned = head.rect("waves-pinned/panel"), now = head.rect("waves-now/panel");
    CHECK(pinned.y0 == now.y0);
    CHECK(pinned.x1 < now.x0);
    CHECK(head.rect("compare-result/panel").y1 <= now.y0);
    if (text < 2) CHECK(now.y1 <= head.rect("steps-of-waves/panel").y0);  // else the page scrolls
    for (const std::string panel : {"waves-pinned", "waves-now"})
      for (float below = head.rect(panel + "/panel").y0;
           const std::string part : {"/figure", "/squares", "/shade key", "/clock", "/waves"}) {
        INFO(panel << part);
        const draw::Rect r = head.rect(panel + part);
        CHECK(test::within(r, head.rect(panel + "/panel")));
        CHECK(r.y0 >= below);
        below = r.y1;
      }
  }
}

TEST_CASE("the pictures of warps are the largest part of their page, below the bars of both calls") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}})
    for (const ScheduleKind kind : {ScheduleKind::FlashV2, ScheduleKind::FlashV3}) {
      INFO(w << "x" << h << " " << int(kind));
      Headless head(with_schedule(kind), w, h, true);
      for (const Command& command : head.session->opening_comparison(Filling::Warps)) head.session->dispatch(command);
      head.frames(3);
      CHECK(head.rect("split-k/picture").height() >= 420.0f * float(h) / 900 - (w < 1600 ? 34 : 1));
      CHECK(head.rect("split-k/line").y1 > head.rect("split-k/panel").y1 - 24 * head.theme.s);
      CHECK(test::scroll_of("bars") == 0);
      for (const std::string side : {"split-k", "split-q"})
        CHECK(test::within(head.rect(side + "/price"), head.rect(side + "/picture")));
      CHECK(head.rect("split-q/picture").height() == head.rect("split-k/picture").height());
      const ComparePage& page = head.models<ComparePage>();
      REQUIRE(page.lanes.pictures.size() == 2);
      for (const LanesPicture& picture : page.lanes.pictures) CHECK((picture.whole && picture.rows.empty()));
      if (const auto rows = head.ui.rects.find("bars/rows 1")) CHECK(rows->height() == 0);
      CHECK(head.rect("bars/panel").y1 < head.rect("steps/panel").y0);
    }
}

TEST_CASE("presented, the lanes of FA-2 are high, and each of its boxes has its word") {
  Headless head(with_schedule(ScheduleKind::FlashV2), 1600, 900, true);
  open_page(head);
  head.session->dispatch(ChooseCompared{Compared::Call});
  head.session->dispatch(Action::Present);
  use_fonts(head.theme, automatic_scale(1600, 900) * page_row(Page::Compare).for_room(*head.session).text);
  apply_style(head.theme);
  head.frames(3);
  const LanesPicture lanes = head.models<ComparePage>().lanes.pictures.back();
  const auto rows = head.ui.rects.find("lanes/rows 0") ? head.rect("lanes/rows 0") : head.rect("lanes/rows 1");
  CHECK(rows.height() / float(lanes.rows.size()) > 2 * head.theme.fonts.strong.em);
  for (const char* cycles : {"lanes/cycles 0", "lanes/cycles 1"}) CHECK_FALSE(head.ui.rects.find(cycles));
  for (const LaneBox& box : lanes.rows.back().boxes) {
    if (box.label.empty() || box.x0 <= 0 || box.x1 >= 1) continue;
    INFO(box.label);
    CHECK(draw::text_width(head.theme.fonts.caption, box.label) < float(box.x1 - box.x0) * rows.width());
  }
}

TEST_CASE("presented, the lanes of FA-3 have the whole room") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(with_schedule(ScheduleKind::FlashV3), w, h, true);
    open_page(head);
    head.session->dispatch(ChooseCompared{Compared::Call});
    head.session->dispatch(Action::Present);
    head.frames(3);
    const float lanes = float(head.models<ComparePage>().lanes.pictures[1].rows.size());
    REQUIRE(lanes == 7);
    CHECK(head.rect("lanes/rows 1").height() / lanes >= 60 * float(h) / 900);
    CHECK_FALSE(head.ui.rects.find("compare-result/panel"));
    CHECK(test::within(head.rect("lanes/rows 1"), head.rect("lanes/panel")));
  }
}

TEST_CASE("words above the lanes that do not fit end before a separator, and no figure is cut") {
  Headless head(with_schedule(ScheduleKind::FlashV3));
  const Font& font = head.theme.fonts.tiny;
  const std::string first = "163,576 cycles", two = first + " · drawn to cycle 19,788",
                    all = two + ", in visit 8 of 64";
  const auto wide = [&](const std::string& text) { return draw::text_width(font, text) + 1; };
  CHECK(whole_parts(font, all, wide(all)) == all);
  CHECK(whole_parts(font, all, wide(two + ", in")) == two);
  CHECK(whole_parts(font, all, wide(first + " · drawn to")) == first);
  CHECK(whole_parts(font, all, wide("163")).empty());
}

TEST_CASE("a launch's box has its name and time, or its time alone, wherever that fits") {
  int briefly = 0;
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}})
    for (const ScheduleKind kind : {ScheduleKind::FlashV1, ScheduleKind::FlashV2}) {
      INFO(w << "x" << h << ", " << int(kind));
      Headless head(with_schedule(kind), w, h, true,
                    [](SessionSetup& setup) { read_from(TILEWALK_SOURCE_DIR, setup); });
      open_page(head);
      head.session->dispatch(ChooseCompared{Compared::Call});
      head.session->dispatch(PinSchedule{ScheduleKind::Standard});
      for (int i = 0; i < 1000 && head.session->roofline().busy(); ++i) head.session->dispatch(Work{100});
      head.frames(3);
      const LanesModel lanes = head.models<ComparePage>().lanes;
      const std::vector<LaneWhole>& launches = lanes.pictures.front().launches;
      REQUIRE(launches.size() == 3);
      const Font& font = head.theme.fonts.tiny;
      for (std::size_t k = 0; k < launches.size(); ++k) {
        const std::string id = "lanes/launch 0 " + std::to_string(k),
                          time = launches[k].text.substr(launches[k].text.find(": ") + 2);
        const auto box = head.ui.rects.find(id);
        if (!box) continue;  // a low panel leaves the launches out
        const float room = box->width() - 5 * head.theme.s;
        briefly += draw::text_width(font, launches[k].text) > room;
        if (draw::text_width(font, time) <= room) CHECK(head.ui.rects.find(id + " text"));
      }
    }
  CHECK(briefly > 0);
}

TEST_CASE("the waves of both sides lie on one axis of time, and words fill what is left of it") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(with_schedule(ScheduleKind::FlashV2), w, h, true);
    for (const Command& command : head.session->opening_comparison(Filling::Waves)) head.session->dispatch(command);
    head.frames(3);
    const FilledPair& pair = head.models<ComparePage>().filled;
    REQUIRE(pair.sides.size() == 2);
    REQUIRE(pair.sides[0].ms > 2 * pair.sides[1].ms);
    const draw::Rect longer = head.rect("waves-pinned/waves"), shorter = head.rect("waves-now/waves");
    CHECK(shorter.width() / longer.width() == Approx(pair.sides[1].ms / pair.sides[0].ms).epsilon(0.01));
    CHECK(longer.x0 - head.rect("waves-pinned/panel").x0 ==
          Approx(shorter.x0 - head.rect("waves-now/panel").x0).margin(1));
    const std::string tick = "/time tick " + pair.axis.ticks.back().text;
    CHECK(head.rect("waves-now" + tick).x0 > shorter.x1);
    CHECK(head.rect("waves-now/after").x0 > shorter.x1);
    CHECK(head.rect("waves-pinned/idle").y1 < longer.y1);
    CHECK(pair.sides[0].after.empty());
    CHECK(pair.sides[1].idle.empty());
  }
}
