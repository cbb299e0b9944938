// One call has one speed-up over naive: Roofline, Which, Race and Compare give it with its two kernels, or name another
// pair beside it.
#include <map>

#include "measured/recorded_race.h"
#include "pages/compare/compare_page.h"
#include "pages/race/race_model.h"
#include "pages/roofline/roofline_page.h"
#include "pages/which/which_page.h"
#include "session/document/session_file.h"
#include "session/resources.h"
#include "tests/support/catch.h"
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
    static const SessionSetup shipped = [] {
      SessionSetup of;
      read_from(TILEWALK_SOURCE_DIR, of);
      return of;
    }();
    Document document;
    document.problem = test::picture(ScheduleKind::FlashV2);
    auto opened = Session::open(document, SessionSetup(shipped));
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
            CHECK(roofline.answer == win->words());

            const auto which = window.page<WhichPage>(Page::Which);
            REQUIRE(which.win);
            if (which.win->fast == win->fast) {
              CHECK(which.win->figure() == win->figure());
              if (which.win->other_runs) CHECK(names(which.win->words(), " What runs, " + which.win->other + ", is "));
            } else {
              CHECK(names(which.win->words(), win->fast + " is " + win->figure() + " as fast."));
            }
            ++told[which.win->fast == win->fast ? "which" : "which, another"];

            const auto race = window.page<RaceModel>(Page::Race);
            if (race.differs && !race.figure.empty())
              CHECK(race.call_words == "Your call: " + win->figure() + " as fast, " + win->kind + ".");
            else if (!race.figure.empty())
              CHECK(race.figure_words == win->words());
            ++told[race.differs ? "race, another" : "race"];

            const auto compare = window.page<ComparePage>(Page::Compare);
            REQUIRE_FALSE(compare.of_walk);
            const bool same_pair = win->fast == "FA-2 by Tilewalk";  // the walk is of FA-2, beside naive
            if (same_pair)
              CHECK(compare.compare.figure == win->figure());
            else
              CHECK(names(compare.compare.detail, " FA-3 over naive: " + win->figure()));
            ++told[same_pair ? "compare" : "compare, another"];
          }
  for (const auto& [where, count] : told) {
    INFO(where);
    CHECK(count >= 2);
  }
  CHECK(told.size() == 5);  // "which, another" is in the next test
}

TEST_CASE("where PyTorch runs an older kind of kernel, Which gives that kernel's speed-up and names the call's",
          "[unit]") {
  Window window;
  window.call({{"torch", "2.2"}});  // FLASH goes first there
  const auto which = window.page<WhichPage>(Page::Which);
  const std::optional<NaiveWin> win = window_win(*window.session);
  REQUIRE((win && which.win));
  CHECK(which.win->fast == "PyTorch FLASH");
  CHECK(which.win->figure() != win->figure());
  CHECK(which.win->words().ends_with(" FA-3 by Tilewalk is " + win->figure() + " as fast."));
}
