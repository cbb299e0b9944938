// What the page of comparison is of: the walk, the window's call, or the problem of the recorded lanes; and long
// waiting.
#include "session/document/compared_problems.h"

#include "base/units.h"
#include "core/fields/validate.h"
#include "core/predict/compare.h"
#include "core/schedules/registry.h"
#include "measured/race_times.h"
#include "session/document/session_file.h"
#include "session/lesson/lesson_file.h"
#include "tests/unit/pages/compare/compare_session.h"
#include "view/words/verdict.h"

using namespace tilewalk;
using test::Compare;
using test::names;

namespace {

double share_of_waiting(const LanesPicture& picture) {
  double waiting = 0, all = 0;
  for (const LaneRow& row : picture.rows)
    for (const LaneBox& box : row.boxes) {
      all += box.x1 - box.x0;
      if (box.hatched) waiting += box.x1 - box.x0;
    }
  return waiting / all;
}

}  // namespace

TEST_CASE("the call under any forward schedule is a valid problem, comparable with any other") {
  const DeviceModel& device = device_of("h200");
  for (const AttentionCall& call : {AttentionCall{.n = 8192, .d = 64, .heads = 32, .batch = 2},
                                    AttentionCall{.n = 3000, .d = 128, .heads = 12, .kv_heads = 4, .causal = true},
                                    AttentionCall{.n = 100, .d = 80, .heads = 1, .dtype = DType::Fp32}})
    for (const ScheduleKind a : same_pass(ScheduleKind::FlashV2)) {
      INFO(name_of(a) << ", N " << call.n);
      const Problem p = at_call(test::picture(a), call, device);
      CHECK(p.schedule == a);
      CHECK(p.shape.n_q == call.n);
      CHECK(validate(p).empty());
      for (const ScheduleKind b : same_pass(a))
        CHECK(why_not_comparable(p, at_call(test::picture(b), call, device)).empty());
    }
}

TEST_CASE("a person who opens the comparison of a tiny walk sees the call, and the walk stays as it is") {
  Compare on;
  on.send(GoToStep{40});
  const Document before = on.session->document();
  on.open_lanes();
  CHECK(on.session->page() == Page::Compare);
  CHECK(on.session->compare().compared() == Compared::Call);
  CHECK(on.session->problem() == before.problem);
  CHECK(on.session->cursor() == 40);
  const ComparePage page = on.page();
  CHECK_FALSE(page.of_walk);
  REQUIRE(page.lanes.pictures.size() == 2);
  CHECK(names(page.compare.heading, "bf16, H200"));
  for (const LanesPicture& picture : page.lanes.pictures) CHECK(picture.folds.empty());
  for (const CompareLine& line : page.compare.lines) CHECK(line.id != "float64");  // no value of it was computed
  on.send(Action::Undo);
  CHECK(on.session->document().problem == before.problem);
  on.send(ShowPage{Page::Walk});
  CHECK(on.session->cursor() == 40);
}

TEST_CASE("scripts, real walks and lessons open the comparison on the walk") {
  Compare tiny;
  tiny.send(ShowPage{Page::Compare});
  CHECK(tiny.session->compare().compared() == Compared::Walk);
  CHECK(tiny.page().of_walk);
  Compare real(ScheduleKind::FlashV2, 2048);
  CHECK(real.session->opening(Page::Compare) == std::vector<Command>{Action::ShowPipes});
  CHECK(tiny.session->opening(Page::Race) == std::vector<Command>{ShowPage{Page::Race}});
}

TEST_CASE("a person sees the pipes first, in step by byte, and then what was chosen last") {
  Compare on;
  const CompareController& compare = on.session->compare();
  on.send(Action::ShowCompare);
  CHECK(compare.filling() == Filling::Pipes);
  CHECK(compare.compared() == Compared::Call);
  CHECK(on.session->document().view.pace == Pace::Byte);
  for (const auto& [chosen, filling] : {std::pair{Action::ShowPipes, Filling::Sms},
                                        {Action::ShowWarps, Filling::Warps},
                                        {Action::ShowPipes, Filling::Pipes}}) {
    on.send(chosen);
    CHECK(compare.filling() == filling);
    on.send(ShowPage{Page::Walk});
    on.send(Action::ShowCompare);
    CHECK(compare.filling() == filling);
  }
  CHECK(on.session->settings().comparison == Filling::Pipes);
}

TEST_CASE("scripts and links open the lanes, whatever a person saw last, and with the lanes' own pace") {
  Compare on;
  on.open();
  on.send(ShowPage{Page::Walk});
  on.send(ShowPage{Page::Compare});
  CHECK(on.session->compare().filling() == Filling::Sms);
  CHECK(on.session->document().view.pace == Pace::Tile);
  on.send(ShowPage{Page::Walk});
  on.open();  // a person again
  CHECK(on.session->compare().filling() == Filling::Pipes);
}

TEST_CASE("a lesson's scene shows the lanes, also from the pipes, and leaves the person's choice as it is") {
  SessionSetup setup;
  setup.load_lessons = [] { return load_lessons(TILEWALK_SOURCE_DIR "/assets/lessons"); };
  auto presets = load_presets(TILEWALK_SOURCE_DIR);
  REQUIRE(presets.ok());
  setup.presets = *presets;
  Document document;
  document.problem = test::picture(ScheduleKind::FlashV2);
  auto session = std::move(*Session::open(document, std::move(setup)));
  session->dispatch(Action::ShowCompare);
  REQUIRE(session->compare().filling() == Filling::Pipes);
  constexpr int kWithScene = 4;  // "Which SMs have work": load-preset plain; show compare
  session->dispatch(OpenLesson{10, kWithScene});
  REQUIRE(session->lesson().lesson());
  CHECK(session->page() == Page::Compare);
  CHECK(session->compare().filling() == Filling::Sms);
  session->dispatch(Action::LeaveLesson);
  session->dispatch(ShowPage{Page::Walk});
  session->dispatch(Action::ShowCompare);
  CHECK(session->compare().filling() == Filling::Pipes);
}

TEST_CASE("recorded lanes are shown as lanes") {
  Compare on(ScheduleKind::FlashV3);
  on.open();
  on.send(Action::PinChip);
  CHECK(on.session->compare().filling() == Filling::Sms);
  CHECK(on.page().chip);
  on.send(ShowPage{Page::Walk});
  on.open();
  CHECK(on.session->compare().filling() == Filling::Sms);
}

TEST_CASE("the walk chosen once stays chosen for a tiny walk; the call follows the header") {
  Compare on;
  on.open_lanes();
  REQUIRE(on.page().compared.size() == 2);
  CHECK(on.page().compared[0].title == "this walk: N 16");
  CHECK(on.page().compared[1].title == "this call: N 8,192");
  CHECK(on.page().compared[1].active);
  on.send(EditCall{"n-q", "3000"});
  CHECK(on.page().compared[1].title == "this call: N 3,000");
  CHECK(on.session->shows_call());
  on.send(ChooseCompared{Compared::Walk});
  CHECK(on.page().of_walk);
  CHECK_FALSE(on.session->shows_call());
  on.send(ShowPage{Page::Walk});
  on.open_lanes();
  CHECK(on.session->compare().compared() == Compared::Walk);
}

TEST_CASE("a walk of the call is offered once and opens where the pipes of the call do") {
  for (const std::int64_t br : {192, 128}) {  // Tilewalk's tiles, and those of PyTorch's cuDNN
    INFO("tiles of " << br << " rows");
    Compare on;
    on.send(WalkMethod{"flash_v3"});
    if (br == 128) on.send(SetTiling{128, 128});
    for (int i = 0; i < 3; ++i) on.send(Action::StepForward);
    const std::int64_t cursor = on.session->cursor();
    on.open();
    const ComparePage page = on.page();
    REQUIRE((page.compared.size() == 1 && page.compared[0].active));
    CHECK((page.compared[0].title == "this call: N 8,192" && page.cursor == page.steps));
    CHECK(on.session->compare().problems().now == on.session->problem());
    CHECK(on.session->cursor() == cursor);  // the walk itself stays
    on.send(EditCall{"n-q", "3000"});       // no longer the walk's call
    CHECK(on.page().compared.size() == 2);
  }
  Compare of_person;
  of_person.send(WalkMethod{"flash_v3"});
  of_person.send(SetTiling{32, 32});  // which no kernel has
  of_person.open();
  CHECK(of_person.page().compared.size() == 2);
}

TEST_CASE("a call that no model covers cannot be compared, and the page says why") {
  Compare on;
  on.send(EditCall{"n-kv", "64"});
  CHECK(on.session->opening(Page::Compare).size() == 1);
  on.open_lanes();
  REQUIRE(on.page().compared.size() == 2);
  CHECK_FALSE(on.page().compared[1].enabled);
  CHECK(names(on.page().compared[1].tip, "N_kv differs from N_q"));
  on.send(ChooseCompared{Compared::Call});
  CHECK(on.page().of_walk);
  REQUIRE(on.session->message());
  CHECK(names(on.session->message()->text, "N_kv differs from N_q"));
  Compare backward(ScheduleKind::Backward);
  CHECK(backward.session->opening(Page::Compare).size() == 1);
}

TEST_CASE("of a tiny walk long waiting is folded with its cycles, and work takes a good part of the axis") {
  for (const ScheduleKind kind : {ScheduleKind::FlashV1, ScheduleKind::FlashV2, ScheduleKind::FlashV3}) {
    INFO(name_of(kind));
    Compare on(kind);
    on.send(ShowPage{Page::Compare});
    const ComparePage page = on.page();
    for (const LanesPicture& picture : page.lanes.pictures) {
      if (picture.rows.empty()) continue;  // naive attention has no lanes
      REQUIRE_FALSE(picture.folds.empty());
      CHECK(names(picture.folds.front().labels.front(), " cycles waiting"));
      // Lanes wait in turn, FA-3's consumers most.
      CHECK(share_of_waiting(picture) < (kind == ScheduleKind::FlashV3 ? 0.97 : 0.86));
      for (const LaneRow& row : picture.rows)
        for (const LaneBox& box : row.boxes) {
          CHECK(box.x0 >= 0);
          CHECK(box.x1 <= 1 + 1e-9);
          CHECK(box.x1 > box.x0);
        }
    }
  }
}

TEST_CASE("the call's lanes are below bars of the whole calls, which have the ratio of the table") {
  Compare on;
  on.open_lanes();
  on.send(PinSchedule{ScheduleKind::FlashV1});
  const ComparePage page = on.page();
  REQUIRE(page.lanes.pictures.size() == 2);
  REQUIRE(page.lanes.pictures[0].whole);
  REQUIRE(page.lanes.pictures[1].whole);
  const CallTimes& times = *on.cache.call_times;
  CHECK(page.lanes.pictures[1].whole->share / page.lanes.pictures[0].whole->share == Approx(times.ms[1] / times.ms[0]));
  // One ratio, that of the table; cycles have none beside it.
  const std::string change = change_text(times.ms[0], times.ms[1]);
  CHECK(names(page.lanes.pictures[1].whole->text, " modelled, " + change + " against FA-1"));  // no race was read
  const auto time = std::find_if(page.compare.lines.begin(), page.compare.lines.end(),
                                 [](const CompareLine& line) { return line.id == "time"; });
  REQUIRE(time != page.compare.lines.end());
  CHECK(time->difference == change);
  for (const LanesPicture& picture : page.lanes.pictures) CHECK_FALSE(names(picture.cycles_text, "%"));
  on.send(Action::First);
  CHECK(names(on.page().lanes.pictures[1].so_far, "0 of 524,288 tile visits · 0 B"));  // at the start nothing has moved
  on.send(ChooseCompared{Compared::Walk});
  CHECK_FALSE(on.page().lanes.pictures[0].whole);  // launches may set both times
  CHECK(names(on.page().lanes.pictures[1].cycles_text, " of FA-1's cycles"));
}

TEST_CASE("beside nothing pinned, a call is compared with naive attention, and the walk chosen then with the same") {
  for (const ScheduleKind kind : {ScheduleKind::FlashV1, ScheduleKind::FlashV2, ScheduleKind::FlashV3}) {
    Compare on(kind);
    on.open_lanes();
    CHECK(on.page().baseline == title_of(ScheduleKind::Standard));
    on.send(ChooseCompared{Compared::Walk});
    CHECK(on.page().baseline == title_of(ScheduleKind::Standard));
    on.send(ChooseCompared{Compared::Call});
    CHECK(on.page().baseline == title_of(ScheduleKind::Standard));
    const ScheduleKind chosen = kind == ScheduleKind::FlashV3 ? ScheduleKind::FlashV1 : ScheduleKind::FlashV3;
    on.send(PinSchedule{chosen});
    CHECK(on.page().baseline == title_of(chosen));
  }
}

TEST_CASE("the strip names the call with the tiles of its kernel while it is compared, and no call for a walk") {
  Compare on(ScheduleKind::FlashV2);
  on.open_lanes();
  const ComparePage page = on.page();
  REQUIRE(page.call_titles.size() == 3);
  const Problem now = on.session->compare().problems().now;
  CHECK(page.call_titles.front() == "N " + format_count(now.shape.n_q) + " · d " + std::to_string(now.shape.d) +
                                        " · tiles " + std::to_string(now.tiling.br) + "×" +
                                        std::to_string(now.tiling.bc));
  CHECK(page.call_titles.back() == "N " + format_count(now.shape.n_q));
  on.send(ChooseCompared{Compared::Walk});
  CHECK(on.page().call_titles.empty());
}

TEST_CASE("the bars, the table and the sentence of a call have one ratio of one pair of times") {
  const Result<RaceTimes> races = load_race_times(TILEWALK_SOURCE_DIR, "h200");
  REQUIRE(races);
  int recorded = 0, modelled = 0;
  for (const ScheduleKind now : same_pass(ScheduleKind::FlashV2))
    for (const ScheduleKind pinned : same_pass(ScheduleKind::FlashV2)) {
      if (now == pinned) continue;
      INFO(name_of(now) << " beside " << name_of(pinned));
      Compare on(now, 16, &*races);
      on.open_lanes();
      while (on.session->busy()) on.send(Work{64});
      on.send(PinSchedule{pinned});
      const ComparePage page = on.page();
      REQUIRE(page.lanes.pictures.size() == 2);
      const LaneWhole &left = *page.lanes.pictures[0].whole, &right = *page.lanes.pictures[1].whole;
      const auto time = std::find_if(page.compare.lines.begin(), page.compare.lines.end(),
                                     [](const CompareLine& line) { return line.id == "time"; });
      REQUIRE(time != page.compare.lines.end());
      CHECK(left.text.starts_with(time->left + " "));
      CHECK(right.text.starts_with(time->right + " "));
      CHECK(names(right.text, ", " + time->difference + " against "));
      const std::string kind = time->modelled ? "modelled" : "recorded";
      for (const LaneWhole* bar : {&left, &right}) CHECK(names(bar->text, kind));
      CHECK(names(page.compare.headline, kind + " time"));
      CHECK(time->title.starts_with(kind + " time"));
      if (time->difference.starts_with("−"))
        CHECK(names(page.compare.headline, time->difference.substr(std::string("−").size()) + " less "));
      else if (time->difference.ends_with("×"))
        CHECK(names(page.compare.headline, time->difference + " the "));
      for (const CompareLine& line : page.compare.lines)  // no other row compares times
        if (line.id == "modelled-time" || line.id == "recorded" || line.id == "recorded-error")
          CHECK(line.difference.empty());
      (time->modelled ? modelled : recorded)++;
    }
  CHECK(recorded >= 8);
  CHECK(modelled >= 8);
}

TEST_CASE("where naive's scores do not fit on the card, the comparison has bytes, and no time and no speed-up") {
  const auto page_at = [](const std::string& n) {
    Compare on;
    on.open_lanes();
    on.send(EditCall{"n-q", n});
    while (on.session->busy()) on.send(Work{64});
    return on.page();
  };
  const ComparePage fits = page_at("8192"), too_long = page_at("131072");
  CHECK_FALSE(fits.compare.figure.empty());
  CHECK(too_long.compare.figure.empty());
  CHECK(names(too_long.compare.headline, "Naive cannot run here. Its scores do not fit: "));
  CHECK(names(too_long.compare.detail, "asks global memory for"));
  for (const LanesPicture& picture : too_long.lanes.pictures) CHECK_FALSE(picture.whole.has_value());
  for (const CompareLine& line : too_long.compare.lines)
    if (line.id == "time") {
      CHECK(line.left == "–");
      CHECK(line.difference == "does not fit");
      CHECK(line.verdict == 0);
    }
  REQUIRE(too_long.left.has_value());
  CHECK(too_long.left->time == "No time: its scores do not fit on this GPU.");
}

TEST_CASE("the launches of a side without lanes fill the bar of its call, of a tiny walk too") {
  for (const Compared of : {Compared::Walk, Compared::Call})
    for (const bool exchanged : {false, true}) {
      INFO(int(of) << exchanged);
      Compare on(exchanged ? ScheduleKind::Standard : ScheduleKind::FlashV2);
      on.send(ShowPage{Page::Compare});
      on.send(PinSchedule{exchanged ? ScheduleKind::FlashV2 : ScheduleKind::Standard});
      on.send(ChooseCompared{of});
      const ComparePage page = on.page();
      REQUIRE(page.lanes.pictures.size() == 2);
      const LanesPicture &naive = page.lanes.pictures[exchanged], &tiled = page.lanes.pictures[!exchanged];
      REQUIRE(naive.whole);
      REQUIRE(tiled.whole);
      CHECK(std::max(naive.whole->share, tiled.whole->share) == Approx(1));
      CHECK(tiled.launches.empty());
      REQUIRE(naive.launches.size() == 3);
      double end = 0;
      for (const LaneWhole& launch : naive.launches) {
        CHECK(launch.from == Approx(end));
        CHECK(launch.share > 0);
        end = launch.from + launch.share;
      }
      CHECK(end == Approx(naive.whole->share));
      const bool small = names(page.lanes.pictures[1].whole->text, "too small to tell");
      CHECK(small == (of == Compared::Walk));
    }
}

TEST_CASE("beside the recorded lanes the recorded problem is modelled, in all of the page") {
  Compare on(ScheduleKind::FlashV3);
  on.send(ShowPage{Page::Compare});
  on.send(Action::PinChip);
  const ComparePage page = on.page();
  CHECK_FALSE(page.of_walk);
  CHECK(page.compared.empty());
  REQUIRE(page.lanes.pictures.size() == 2);
  REQUIRE(page.chip);
  CHECK(names(page.chip->call, "The recorded call: N 2,048"));
  CHECK(names(page.chip->call, "your call has N 8,192"));
  CHECK(names(page.chip->walk, "Not this walk's problem: N 2,048, not 16"));
  // What leads is the question that the parts answer.
  CHECK(names(page.chip->conclusion, "where are the " + page.chip->figure + "?"));
  CHECK(names(page.chip->conclusion, "The chip takes "));
  CHECK(names(page.compare.heading, "bf16, H200"));
  double reached = 0;
  for (const LaneRow& row : page.lanes.pictures[1].rows)
    for (const LaneBox& box : row.boxes) reached = std::max(reached, box.x1);
  CHECK(reached > 0.25);  // its work can be seen beside the recorded one
  CHECK(on.session->problem().shape.n_q == 16);
}

TEST_CASE("pinning the recorded lanes beside another schedule walks the recorded one") {
  for (const ScheduleKind kind : {ScheduleKind::FlashV2, ScheduleKind::Standard}) {
    Compare on(kind);
    on.send(ShowPage{Page::Compare});
    REQUIRE_FALSE(on.page().chip);
    on.send(Action::PinChip);
    CHECK(on.session->problem().schedule == ScheduleKind::FlashV3);
    CHECK(on.page().chip);
  }
}
