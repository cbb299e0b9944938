// The page of comparison: drawn for every schedule, and each click and key sends exactly its command.
#include "pages/compare/compare_page.h"

#include <algorithm>

#include "core/predict/attention_method.h"
#include "core/schedules/registry.h"
#include "pages/compare/compare_layout.h"
#include "tests/support/compared.h"
#include "tests/ui/compare_page.h"

using namespace tilewalk;
using tilewalk::test::click_in_list;
using tilewalk::test::finite;
using tilewalk::test::Headless;
using tilewalk::test::holds;
using tilewalk::test::open_page;
using tilewalk::test::picture_document;
using tilewalk::test::scroll_of;
using tilewalk::test::sweep;
using tilewalk::test::with_schedule;
using tilewalk::test::within;

TEST_CASE("the panels beside recorded lanes neither overlap nor leave the page, at any size and text scale") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}})
    for (const float text : {0.8f, 1.0f, 1.5f}) {
      INFO(w << "x" << h << ", text " << text);
      const Layout layout = compute_layout(float(w), float(h), automatic_scale(w, h), text, {1, 1, 1}, {});
      const CompareLayout at = compare_layout(layout);
      const std::vector<draw::Rect> all = {at.head, at.recorded, at.chip_kinds, at.chip_words};
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].height() <= 0) continue;  // in its place in a page that scrolls
        CHECK(within(all[i], {0, 0, float(w), float(h)}));
        for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(all[i].touches(all[j]));
      }
      CHECK(within(at.lanes_tall, {0, 0, float(w), float(h)}));
      CHECK_FALSE(at.lanes_tall.touches(at.head));
    }
}

TEST_CASE("the page of comparison draws three frames for every schedule, in both themes, at three sizes") {
  for (const ScheduleKind kind : all_schedules())
    for (const bool dark : {true, false})
      for (const auto& [w, h] : {std::pair{1280, 720}, std::pair{1600, 900}, std::pair{640, 360}}) {
        INFO(name_of(kind) << ", " << w << "x" << h);
        Document document = with_schedule(kind);
        document.view.dark = dark;
        Headless head(document, w, h);
        open_page(head);
        CHECK(head.frames(3).empty());
        CHECK(finite(*ImGui::GetDrawData()));
        const ComparePage page = head.models<ComparePage>();
        CHECK(page.lanes.empty_note.empty());
        CHECK(page.launches.has_value() == is_backward(kind));
        CHECK(page.lanes.pictures.empty() == is_backward(kind));
        if (kind == ScheduleKind::Standard) {  // it has no lanes of its own, and says so beside the pinned ones
          REQUIRE(page.lanes.pictures.size() == 2);
          CHECK(page.lanes.pictures[1].rows.empty());
          CHECK(page.lanes.pictures[1].note.find("no lanes") != std::string::npos);
          CHECK_FALSE(page.lanes.pictures[0].rows.empty());
        }
        CHECK_FALSE(page.compare.lines.empty());
        if (is_backward(kind)) CHECK(head.ui.rects.find("lanes-tall/bar " + page.launches->right.traffic.label));
      }
}

TEST_CASE("the table names the source of every figure") {
  Headless head(with_schedule(ScheduleKind::FlashV2));
  open_page(head);
  const CompareModel table = head.models<ComparePage>().compare;
  REQUIRE(table.lines.back().id == "float64");
  CHECK_FALSE(table.lines.back().modelled);
  CHECK(table.footnote == "* modelled; distances from float64 are measured; the rest is counted");
  // The table of the command line has no such row.
  const Comparison compared = test::compared(head.session->baseline(), head.session->problem());
  CHECK(build_compare_model(compared, comparison_words(compared)).footnote == "* modelled; the rest is counted");
}

TEST_CASE("the table of differences fits without scrolling at the usual sizes") {
  for (const auto& [w, h] : {std::pair{1280, 720}, std::pair{1600, 900}, std::pair{3840, 2160}})
    for (const ScheduleKind kind : {ScheduleKind::FlashV1, ScheduleKind::FlashV2, ScheduleKind::FlashV3}) {
      INFO(name_of(kind) << ", " << w << "x" << h);
      Headless head(with_schedule(kind), w, h);
      open_page(head);
      head.frames(2);
      for (const char* const panel : {"compare", "compare-result"}) {
        INFO(panel);
        CHECK(scroll_of(panel) == 0);
      }
    }
}

TEST_CASE("the result of the comparison is across the top, and the table shows the rows that differ, as many as fit") {
  std::size_t shown[2] = {};
  for (const bool tall : {false, true}) {
    Headless head(with_schedule(ScheduleKind::FlashV2), tall ? 2560 : 1280, tall ? 1440 : 720, true);
    open_page(head);
    head.session->dispatch(ChooseCompared{Compared::Call});
    head.frames(3);
    const CompareModel table = head.models<ComparePage>().compare;
    CHECK_FALSE(table.figure.empty());
    const CompareLayout at = compare_layout(head.layout);
    CHECK(at.result.y1 < at.lanes.y0);
    CHECK(within(head.rect("compare-result/result"), at.result));
    for (const CompareLine& line : table.lines) shown[tall] += head.ui.rects.find("compare/" + line.id).has_value();
    CHECK(shown[tall] >= least_rows(table));
    CHECK(shown[tall] <= most_rows(table, table.order.size()));
    for (const CompareLine& line : table.lines)
      if (line.difference == "same") CHECK_FALSE(head.ui.rects.find("compare/" + line.id));
    CHECK(head.ui.rects.find("compare/time"));
    CHECK(head.ui.rects.find("compare/fold").has_value() == (shown[tall] < table.lines.size()));
    if (tall) continue;
    CHECK(head.click("compare/fold") == Commands{Action::AllDifferences});
    head.frames(2);
    for (const CompareLine& line : table.lines) CHECK(head.ui.rects.find("compare/" + line.id));
  }
  CHECK(shown[true] >= shown[false]);
}

TEST_CASE("beside recorded lanes every row, their axis, the conclusion and every bar are in sight, and no transport") {
  for (const auto& [w, h] : {std::pair{1280, 720}, std::pair{1600, 900}, std::pair{3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(with_schedule(ScheduleKind::FlashV3), w, h, false, [](SessionSetup& setup) {
      setup.of<CompareController>().load_chip = [] {
        return load_chip_timelines(std::string(TILEWALK_SOURCE_DIR) + "/" + kChipTimelineFile);
      };
    });
    open_page(head);
    head.session->dispatch(Action::PinChip);
    head.frames(3);
    REQUIRE(head.models<ComparePage>().chip);
    for (const char* const panel : {"lanes-recorded", "chip-kinds", "chip-words"}) {
      INFO(panel);
      CHECK(scroll_of(panel) == 0);
    }
    const ChipComparison compared = *head.models<ComparePage>().chip;
    for (const LackingCycles& part : compared.parts) {  // each has one line
      INFO(part.where);
      CHECK(head.rect("chip-words/words of " + part.where).height() < 1.5f * draw::leading(head.theme.fonts.tiny));
    }
    CHECK(head.ui.rects.find("lanes-recorded/conclusion"));
    CHECK(head.rect("lanes-recorded/cycles tick 0").y0 >= head.rect("lanes-recorded/rows 1").y1 - 8 * head.theme.s);
    const draw::Rect chip = head.rect("chip-kinds/softmax chip"), model = head.rect("chip-kinds/softmax model");
    const std::vector<KindCycles> kinds = head.models<ComparePage>().chip->kinds;
    const auto softmax =
        std::find_if(kinds.begin(), kinds.end(), [](const auto& each) { return each.name == "softmax"; });
    REQUIRE(softmax != kinds.end());
    CHECK(double(chip.width() / model.width()) == Approx(softmax->chip / softmax->model).epsilon(0.01));
    CHECK(chip.y1 <= model.y0);
    CHECK_FALSE(head.ui.rects.find("steps/play"));
    CHECK_FALSE(head.ui.rects.find("header/badge"));  // it is of the walk
    CHECK(std::string(head.models<ComparePage>().call_name) == "recorded call: ");
    REQUIRE_FALSE(head.models<ComparePage>().call_titles.empty());
    CHECK(head.models<ComparePage>().call_titles.front().find("N 2,048") != std::string::npos);
  }
}

TEST_CASE("every page shows the message of the last action until its time has passed") {
  for (const Page page : {Page::Walk, Page::Compare, Page::Race}) {
    INFO("page " << int(page));
    Headless head(with_schedule(ScheduleKind::FlashV3));
    head.session->dispatch(ShowPage{page});
    head.frames(2);
    const auto letters = [&] {
      head.frames(2);
      return ImGui::GetDrawData()->TotalVtxCount;
    };
    const int before = letters();
    head.session->dispatch(SetLaneOption{LaneOption::Stages, 0});  // refused: the lanes would deadlock
    REQUIRE(head.session->message());
    if (page == Page::Walk)
      CHECK(letters() != before);  // instead of the line of keys
    else
      CHECK(letters() > before + 4 * 40);
    CHECK(finite(*ImGui::GetDrawData()));
    head.session->dispatch(Tick{0});
    head.session->dispatch(Tick{60});
    CHECK(letters() == before);
  }
}

TEST_CASE("C opens the page of comparison; C and Esc return to the walk") {
  Document real = picture_document();
  real.problem.shape.n_q = real.problem.shape.n_kv = 1024;
  Headless head(real, 1600, 900, true);
  head.frames(2);
  CHECK(head.press(Key::C) == Commands{Action::ShowCompare});
  CHECK(head.session->page() == Page::Compare);
  CHECK(head.press(Key::Escape) == Commands{ShowPage{Page::Walk}});
  CHECK(head.session->page() == Page::Walk);
  head.press(Key::C);
  head.press(Key::C);
  CHECK(head.session->page() == Page::Walk);
}

TEST_CASE("the header has a button for the page of comparison") {
  Document real = picture_document();
  real.problem.shape.n_q = real.problem.shape.n_kv = 1024;
  Headless head(real);
  head.frames(2);
  CHECK(head.click("header/Compare") == Commands{Action::ShowPipes});
}

TEST_CASE("of a tiny walk the page opens on the call, by key and by mouse, and a click shows the walk instead") {
  const Commands opening = {Action::ShowPipes, ChooseCompared{Compared::Call}};
  for (const bool by_key : {true, false}) {
    Headless head(picture_document(), 1600, 900, true);
    head.frames(2);
    CHECK((by_key ? head.press(Key::C) : head.click("header/Compare")) ==
          (by_key ? Commands{Action::ShowCompare} : opening));
    head.frames(2);
    CHECK(finite(*ImGui::GetDrawData()));
    CHECK_FALSE(head.models<ComparePage>().of_walk);
    CHECK_FALSE(head.ui.rects.find("header/badge"));  // nothing of the call is checked
    CHECK(head.click("pipes/the call").empty());
    CHECK(head.click("pipes/this walk") == Commands{ChooseCompared{Compared::Walk}});
    head.frames(2);
    CHECK(head.models<ComparePage>().of_walk);
    CHECK(head.ui.rects.find("header/badge"));
    CHECK(head.click("pipes/the call") == Commands{ChooseCompared{Compared::Call}});
    if (!by_key) continue;
    CHECK(head.press(Key::C) == Commands{Action::ShowCompare});
    CHECK(head.session->page() == Page::Walk);
    CHECK(head.session->problem() == picture_document().problem);
  }
}

TEST_CASE("no click in the lanes or the table of the call moves the walk") {
  Headless head(picture_document(), 1600, 900, true);
  for (const Command& command : head.session->opening_comparison(Filling::Sms)) head.session->dispatch(command);
  head.frames(2);
  const std::int64_t before = head.session->cursor();
  const draw::Rect lanes = lanes_area(compare_layout(head.layout).lanes, head.theme);
  const Commands made = sweep(head, lanes.x0, lanes.x1, lanes.y1 - 30 * head.theme.s, 40);
  CHECK(std::none_of(made.begin(), made.end(), [](const Command& c) { return c.is<GoToStep>(); }));
  CHECK(head.session->cursor() == before);
}

TEST_CASE("the comparison can be stepped and played by mouse") {
  Headless head(with_schedule(ScheduleKind::FlashV2), 1600, 900, true);
  open_page(head);
  CHECK(head.click("steps/forward") == Commands{Action::TileForward});
  CHECK(head.click("steps/play") == Commands{Action::PlayPause});
  CHECK(head.click("steps/first") == Commands{Action::First});
  const draw::Rect track = head.rect("steps/steps");
  head.click((track.x0 + track.x1) / 2, (track.y0 + track.y1) / 2);
  CHECK(double(head.session->cursor()) == Approx(double(head.session->schedule().step_count()) / 2).margin(1));
}

TEST_CASE("V shows a thread block's warps instead of the SMs, also from the walk, and the tags do the same") {
  Headless head(with_schedule(ScheduleKind::FlashV2), 1600, 900, true);
  head.frames(2);
  CHECK(head.press(Key::V) == Commands{Action::ShowWarps});
  CHECK(head.session->page() == Page::Compare);
  CHECK(head.session->compare().filling() == Filling::Warps);
  const auto page = [&] { return head.models<ComparePage>(); };
  REQUIRE(page().warps);
  CHECK(page().warps->sides[1].now);
  head.press(Key::V);
  CHECK(head.session->compare().filling() == Filling::Sms);
  CHECK_FALSE(page().warps);
  CHECK(head.click("sms-now/warps") == Commands{Action::ShowWarps});
  CHECK(head.session->compare().filling() == Filling::Warps);
  CHECK(head.click("split-q/warps").empty());
  CHECK(head.click("split-q/SMs") == Commands{Action::ShowWarps});
  CHECK(head.session->compare().filling() == Filling::Sms);
}

TEST_CASE("warps draw for every forward schedule, in both themes, and follow a change of the problem") {
  for (const ScheduleKind kind : all_schedules())
    for (const auto& [w, h] : {std::pair{1280, 720}, std::pair{1600, 900}, std::pair{640, 360}}) {
      INFO(name_of(kind) << ", " << w << "x" << h);
      Document document = with_schedule(kind);
      document.view.dark = w != 1280;
      Headless head(document, w, h);
      head.session->dispatch(Action::ShowWarps);
      CHECK(head.frames(3).empty());
      CHECK(finite(*ImGui::GetDrawData()));
      const ComparePage page = head.models<ComparePage>();
      CHECK(page.warps.has_value() == !is_backward(kind));
    }
  Headless head(with_schedule(ScheduleKind::FlashV2));
  head.session->dispatch(Action::ShowWarps);
  head.frames(2);
  head.session->dispatch(SetSchedule{ScheduleKind::FlashV1});
  head.frames(2);
  CHECK(head.models<ComparePage>().warps->sides[0].now);
}

TEST_CASE("a click on a row of the table lists its transfers, and a click on a transfer goes to its step") {
  Headless head(with_schedule(ScheduleKind::FlashV2));
  open_page(head);
  const ComparePage page = head.models<ComparePage>();
  const draw::Rect r = compare_layout(head.layout).table;
  const float s = head.theme.s;
  REQUIRE_FALSE(page.compare.lines.front().right_transfers.empty());
  const std::int64_t step = page.compare.lines.front().right_transfers.front().step;
  CHECK(head.click("compare/" + page.compare.lines.front().id) ==
        Commands{ShowTransfers{page.compare.lines.front().id}});
  bool gone = false;
  for (float y = r.y0 - 200 * s; y < r.y1 && !gone; y += 10 * s)
    gone = holds(click_in_list(head, page.compare.lines.front().id, r.x0 + 90 * s, y), GoToStep{step});
  CHECK(gone);
}

TEST_CASE("steps within a thread block recompute no model") {
  Headless head(with_schedule(ScheduleKind::FlashV2));
  open_page(head);
  ComparePageCache cache;
  build_compare_page(*head.session, 900, 300, 120, cache);
  CHECK(cache.models == 1);
  head.session->dispatch(Action::StepForward);
  build_compare_page(*head.session, 900, 300, 120, cache);
  CHECK(cache.models == 1);
  head.session->dispatch(Action::QTileForward);
  head.session->dispatch(Action::StepForward);
  build_compare_page(*head.session, 900, 300, 120, cache);
  CHECK(cache.models == 2);
}

TEST_CASE("what a figure of the table is of stands before it, and not on the line above") {
  for (const Contender who : {Contender::FlashV2, Contender::FlashV3}) {
    INFO(word_of(who));
    Document document;  // naive with S in fp32, and the time beside it is of S in 16 bits
    document.problem =
        walked_by(method_of(Contender::Naive), {.n = 8192, .d = 64, .heads = 32, .batch = 2}, device_of("h200"));
    document.problem.numerics.narrow_scores = false;
    document.problem.machine.sram_bytes = 1 << 20;
    document.pinned.schedule = method_of(who).schedule;
    Headless head(document, 1600, 900, true);
    open_page(head);
    REQUIRE(head.models<ComparePage>().of_walk);
    head.frames(3);
    int variants = 0;
    for (const auto& [name, r] : head.ui.rects.all()) {
      if (!name.starts_with("compare/") || !name.ends_with(" variant")) continue;
      ++variants;
      const draw::Rect row = head.rect(name.substr(0, name.find(' ')));
      CHECK(r.y0 >= row.y0);
      CHECK(r.x1 < row.x1);
    }
    CHECK(variants > 0);
  }
}
