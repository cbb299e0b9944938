// Pages whose panels are one below the other, in windows too small for them side by side.
#include <algorithm>

#include "pages/race/race_model.h"
#include "pages/which/which_controller.h"
#include "tests/ui/headless.h"
#include "view/pages.h"

using namespace tilewalk;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;
using tilewalk::test::within;

TEST_CASE("in a low window with large text a page is one column: each panel below the one before, and none cuts text") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.5}, std::tuple{1600, 900, 1.5}, std::tuple{1280, 720, 2.0}})
    for (const Page page : {Page::Race, Page::Roofline, Page::Which, Page::Compare, Page::Lab}) {
      INFO(w << "x" << h << ", text " << text << ", " << page_row(page).title);
      Document document = picture_document();
      document.view.text_scale = text;
      Headless head(document, w, h, true, [](SessionSetup& setup) {
        setup.of<WhichController>().load_rules = [] { return load_rule_tables(TILEWALK_SOURCE_DIR); };
      });
      head.session->dispatch(ShowPage{page});
      if (page == Page::Race) {
        RaceNews recorded;
        recorded.source = RaceSource::Gpu;
        recorded.race = std::make_shared<const Race>(*load_shipped_race(TILEWALK_SOURCE_DIR));
        head.session->dispatch(ReportRace{recorded});
        head.session->dispatch(ChooseRace{.source = RaceSource::Gpu});
      }
      head.frames(6);
      std::vector<std::pair<float, std::string>> panels;
      for (const auto& [place, r] : head.ui.rects.all())
        if (place.ends_with("/panel") && r.y1 > head.layout.page.y0 + 1)
          panels.emplace_back(r.y0, place.substr(0, place.find('/')));
      std::sort(panels.begin(), panels.end());
      CHECK(panels.size() >= 3);
      float below = head.layout.page.y0;
      for (const auto& [top, id] : panels) {
        INFO(id);
        const draw::Rect panel = head.rect(id + "/panel");
        if (find_panel(id)->stacked == 0) {  // the buttons stay in view below the column
          CHECK(within(panel, head.layout.page));
          continue;
        }
        CHECK(panel.y0 >= below);
        CHECK(panel.width() >= 0.95f * head.layout.page.width());
        below = panel.y1;
        if (!find_panel(id)->fits) continue;
        float lowest = panel.y0;
        for (const auto& [place, r] : head.ui.rects.all())
          if (place.starts_with(id + "/") && !place.starts_with(id + "/halo ")) {
            INFO(place);
            CHECK(within(r, panel));
            if (place != id + "/panel") lowest = std::max(lowest, r.y1);
          }
        // These two end with buttons.
        if (id == "race" || id == "roofline") CHECK(panel.y1 - lowest <= 24 * head.theme.s);
      }
    }
}

TEST_CASE("the walk's buttons are on page Compare at every size of text") {
  for (const auto& [w, h, text] : {std::tuple{1600, 900, 1.0}, std::tuple{1600, 900, 1.5}, std::tuple{1280, 720, 1.5},
                                   std::tuple{1280, 720, 1.0}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = picture_document();
    document.view.text_scale = text;
    Headless head(document, w, h);
    head.session->dispatch(ShowPage{Page::Compare});
    head.frames(4);
    CHECK(within(head.rect("steps/play"), head.layout.page));
    CHECK(head.rect("steps/panel").y0 >= head.rect("lanes/panel").y1);
    CHECK(head.rect("lanes/panel").height() >= 190 * head.theme.s);
  }
}

TEST_CASE("above 175 % the panels of a page of figures are one below the other, as wide as the page, and scroll") {
  Document document = picture_document();
  document.view.text_scale = 2;
  for (const auto& [page, panels] :
       {std::pair{Page::Roofline, std::vector<const char*>{"roofline-guess", "roofline", "roofline-plot",
                                                           "roofline-wins", "roofline-table"}},
        std::pair{Page::Compare, std::vector<const char*>{"compared", "lanes", "sms-pinned", "sms-now", "compare"}},
        std::pair{Page::Which, std::vector<const char*>{"which-answer", "which-call", "which-cards", "which-names"}},
        std::pair{Page::Race, std::vector<const char*>{"race"}}}) {
    Headless head(document, 1600, 900, false, [](SessionSetup& setup) {
      setup.of<WhichController>().load_rules = [] { return load_rule_tables(TILEWALK_SOURCE_DIR); };
    });
    head.session->dispatch(ShowPage{page});
    head.frames(4);
    float below = 0;
    for (const char* panel : panels) {
      INFO(panel);
      const draw::Rect r = head.rect(std::string(panel) + "/panel");
      CHECK(r.width() > 0.9f * head.layout.page.width());
      CHECK(r.y0 >= below);
      CHECK(r.y0 >= head.layout.header.y1);
      below = r.y1;
    }
    if (below <= head.layout.page.y1) continue;
    const std::string last = std::string(panels.back()) + "/panel";
    const float y = head.rect(last).y0;
    inject_mouse(head.layout.page.x1 - 4, 500, false);
    head.frames(2);
    inject_wheel(-3);
    head.frames(3);
    CHECK(head.rect(last).y0 < y);
  }
}

TEST_CASE("in one column the call of Which is one line, so that the backends' bars are on the first screen") {
  Document document = picture_document();
  document.view.text_scale = 1.5;
  Headless head(document, 1280, 720, false, [](SessionSetup& setup) {
    setup.of<WhichController>().load_rules = [] { return load_rule_tables(TILEWALK_SOURCE_DIR); };
  });
  head.session->dispatch(ShowPage{Page::Which});
  head.frames(4);
  CHECK_FALSE(head.ui.rects.find("which-call/call attn-mask"));
  CHECK(head.rect("which-cards/panel").y0 < 0.6f * head.layout.page.y1);
  head.click("which-call/change call");
  head.frames(4);
  CHECK(head.ui.rects.find("which-call/call attn-mask"));
}

TEST_CASE("the values of K are above the matrix only where they are as wide as their tile") {
  for (const auto& [w, h, text] : {std::tuple{1600, 900, 1.0}, std::tuple{1600, 900, 1.25}, std::tuple{1600, 900, 1.5},
                                   std::tuple{1280, 720, 1.0}, std::tuple{1280, 720, 1.25}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = picture_document();
    document.view.text_scale = text;
    document.cursor = 46;
    Headless head(document, w, h);
    head.frames(4);
    const auto values = head.ui.rects.find("scores/values above");
    if (!values) continue;
    const draw::Rect tile = head.rect("scores/current tile");
    CHECK(values->width() <= 1.1f * tile.width());
  }
}
