// One call has one speed-up over naive: Roofline, Race and Compare give it with its two kernels, or name another pair
// beside it. Which gives that of the kernel that runs, with the call's beside it. The large figure of a page is what
// its own words say.
#include <map>

#include "base/words.h"
#include "measured/recorded_race.h"
#include "pages/compare/compare_page.h"
#include "pages/race/race_model.h"
#include "pages/roofline/roofline_page.h"
#include "pages/which/which_page.h"
#include "session/document/session_file.h"
#include "session/resources.h"
#include "tests/support/catch.h"
#include "tests/support/shipped_setup.h"
#include "tests/unit/view/view_fixture.h"
#include "view/pages.h"
#include "view/words/predict_words.h"

using namespace tilewalk;

namespace {

struct Window {
  std::unique_ptr<Session> session;
  ByType caches;
  ViewRoom room;
  KernelTexts kernels;

  Window() {
    Document document;
    document.problem = test::picture(ScheduleKind::FlashV2);
    auto opened = Session::open(document, test::shipped_setup());
    REQUIRE(opened.ok());
    session = std::move(*opened);
    room.lanes_width = 1200, room.waves_width = 300, room.waves_height = 120;
  }

  void call(const std::vector<std::pair<const char*, std::string>>& fields) {
    for (const auto& [field, text] : fields) session->dispatch(EditCall{field, text});
  }
  // As a person opens it.
  template <class P>
  P page(Page which) {
    for (const Command& command : session->opening(which)) session->dispatch(command);
    for (int i = 0; i < 10000 && session->busy(); ++i) session->dispatch(Work{64});
    const PageModels models = page_row(which).build({*session, room, kernels, caches});
    return *models.template as<P>();
  }
};

// "4.7×" of the two times that the words give, with their rounding: "as fast as A, …: B takes 1.93 ms, A 9.04 ms."
void check_said(const std::string& figure, const NaiveWin& win) {
  const std::string words = win.words();
  INFO(figure << " " << words);
  const std::string who = win.role.empty() ? win.fast : win.role + ", " + win.fast + ",";
  CHECK(words.find(": " + who + win.stands_for + " takes " + ms_text(win.fast_ms) + ", " + win.naive + " " +
                   ms_text(win.naive_ms) + ".") != std::string::npos);
  CHECK(figure == times_text_of(win.naive_ms / win.fast_ms));
}

bool names(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("every page gives a call's one speed-up, or names the other pair beside it", "[unit]") {
  Window window;
  std::map<std::string, int> told;
  for (const char* device : {"h200", "h100", "a100", "rtx4090"})
    for (const char* type : {"bf16", "fp16"})
      for (const char* causal : {"off", "on"})
        for (const char* d : {"64", "128"})
          for (const char* n : {"1024", "3000", "8192"}) {
            window.call({{"device", device}, {"dtype", type}, {"is-causal", causal}, {"d", d}, {"n-q", n}});
            INFO(device << " " << type << " causal " << causal << " d " << d << " N " << n);
            const auto roofline = window.page<RooflinePage>(Page::Roofline);
            const std::optional<NaiveWin> win = window_win(*window.session);
            REQUIRE(win);
            CHECK(win->figure() == times_text_of(*win_of(window.session->roofline().rows())));
            CHECK(roofline.figure == win->figure());
            CHECK(roofline.answer.starts_with(capitalized(win->times())));
            check_said(roofline.figure, *win);

            const auto which = window.page<WhichPage>(Page::Which);
            REQUIRE(which.win);
            if (which.win->fast == win->fast) {
              CHECK(which.win->figure() == win->figure());
            } else {
              CHECK(which.win->words().ends_with(" " + win->fast + ": " + win->figure() + "."));
              CHECK((which.win->other_role.empty() || win->role == which.win->other_role));
            }
            check_said(which.win->figure(), *which.win);
            // The figure is that of the kernel that runs, where that was recorded.
            const WhichModel& runs = *which.model;
            for (const RecordedBackend& each : runs.recorded_ms)
              if (each.who == runs.runs_as && which.win->kind == std::string("recorded")) {
                CHECK(which.win->fast_ms == each.ms);
                ++told["which, recorded"];
              }
            for (const TimeBar& bar : which.chart.bars)
              if (bar.card && runs.cards[*bar.card].verdict == WhichVerdict::Runs && !bar.speed.empty())
                CHECK(bar.speed == which.win->figure());
            ++told[which.win->fast == win->fast ? "which" : "which, another"];

            const auto race = window.page<RaceModel>(Page::Race);
            CHECK(race.figure == win->figure());
            CHECK(race.figure_words == win->words());
            CHECK(race.beside.empty() != race.predicted);
            ++told[race.predicted ? "race, another" : "race"];
            // Which's figure of a recorded kernel is on each page, with the same name.
            if (which.win->role == kTorchDefault) {
              const std::string by_default = sentence_of(which.win->named_figure());
              CHECK(names(roofline.answer, by_default));
              CHECK(names(race.figure_words, by_default));
              CHECK(names(window.page<ComparePage>(Page::Compare).compare.detail, by_default));
              ++told["default"];
            }

            const auto compare = window.page<ComparePage>(Page::Compare);
            REQUIRE_FALSE(compare.of_walk);
            const bool same_pair = win->fast == "FA-2 by Tilewalk";  // the walk is of FA-2, beside naive
            if (same_pair)
              CHECK(compare.compare.figure == win->figure());
            else
              CHECK(names(compare.compare.detail,
                          " " + sentence_of(win->named_figure()).substr(0, win->named_figure().size())));
            ++told[same_pair ? "compare" : "compare, another"];
          }
  for (const auto& [where, count] : told) {
    INFO(where);
    CHECK(count >= 2);
  }
  CHECK(told.size() == 8);
}

TEST_CASE("where PyTorch runs an older kernel, Which gives that kernel's speed-up and names the call's", "[unit]") {
  Window window;
  window.call({{"torch", "2.2"}});  // FLASH goes first there
  const auto which = window.page<WhichPage>(Page::Which);
  const std::optional<NaiveWin> win = window_win(*window.session);
  REQUIRE((win && which.win));
  CHECK(which.win->fast == "FLASH");
  CHECK(which.win->figure() != win->figure());
  CHECK(which.win->words().ends_with(" The fastest here, FA-3 by Tilewalk: " + win->figure() + "."));
  const std::string runs = " PyTorch's default, FLASH: " + which.win->figure() + ".";
  CHECK(names(window.page<RooflinePage>(Page::Roofline).answer, runs));
  CHECK(window.page<RaceModel>(Page::Race).figure_words.ends_with(runs));
  CHECK(window.page<ComparePage>(Page::Compare).compare.detail.ends_with(runs));
}

TEST_CASE("Which has the times of all backends in PyTorch's order on one axis, before those they are compared with",
          "[unit]") {
  Window window;
  for (const char* device : {"h200", "a100"}) {
    INFO(device);
    window.call({{"device", device}, {"batch", "2"}, {"heads", "32"}, {"n-q", "8192"}});
    const auto which = window.page<WhichPage>(Page::Which);
    const std::optional<NaiveWin> win = window_win(*window.session);
    const std::vector<TimeBar>& bars = which.chart.bars;
    const std::vector<WhichCard>& cards = which.model->cards;
    REQUIRE((win && bars.size() > cards.size()));
    const double naive_share = bars.back().share;
    double longest = 0, published = 0;
    for (std::size_t i = 0; i < bars.size(); ++i) {
      INFO(bars[i].name);
      CHECK(bars[i].card.has_value() == (i < cards.size()));
      longest = std::max(longest, bars[i].share), published = std::max(published, bars[i].published_to);
      if (bars[i].time.empty()) continue;
      CHECK(bars[i].speed == times_text_of(naive_share / bars[i].share));
      if (!bars[i].card) continue;
      CHECK(*bars[i].card == i);
      CHECK(bars[i].share / naive_share == Approx(cards[i].time_ms / win->naive_ms));
      CHECK(bars[i].hollow == (cards[i].recorded.empty() || which.model->without_mask));
      CHECK(bars[i].hollow != bars[i].tag.empty());
    }
    CHECK(std::max(longest, published) == 1);
    CHECK(bars.back().speed == "1.0×");
    if (bars.size() == cards.size() + 2)
      for (const TimeBar& bar : bars)
        if (bar.card && cards[*bar.card].backend == SdpaBackend::Math && !bar.time.empty())
          CHECK(which.chart.title.ends_with("; " + bars[cards.size()].name + ": " +
                                            times_text_of(bar.share / bars[cards.size()].share) + " as fast as eager"));
    CHECK_FALSE(which.chart.axis.ticks.empty());
  }
}
