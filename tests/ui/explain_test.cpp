// Words of the glossary show their explanation: under the mouse, and when keyboard navigation is on them.
#include "core/schedules/registry.h"
#include "pages/compare/compare_page.h"
#include "pages/walk/walk_page.h"
#include "tests/ui/headless.h"
#include "view/words/glossary.h"

using namespace tilewalk;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;

namespace {

bool tooltip_stands() { return tilewalk::test::tooltip_area().has_value(); }

bool explains(Headless& head, const std::string& place) {
  const draw::Rect r = head.rect(place);
  inject_mouse((r.x0 + r.x1) / 2, (r.y0 + r.y1) / 2, false);
  head.rest();
  const bool told = tooltip_stands();
  inject_mouse(-1e5f, -1e5f, false);
  head.frames(2);
  return told;
}

}  // namespace

TEST_CASE("captions, column heads, the legend and the position in the walk explain their words under the mouse") {
  Headless head(picture_document());
  head.frames(2);
  REQUIRE_FALSE(tooltip_stands());
  for (const char* place :
       {"memory/caption 0", "memory/caption 1", "scores/title", "scores/gone", "scores/skipped", "scores/to do",
        "side/caption 0", "side/m", "side/tile max", "side/α", "side/ℓ new", "side/caption 1", "transport/place",
        "transport/check", "traffic/caption 0", "schedules/flash_v1", "header/badge", "schedules/problem"}) {
    INFO(place);
    CHECK(explains(head, place));
  }
}

TEST_CASE("the columns of every schedule's softmax explain themselves") {
  for (const ScheduleKind kind : all_schedules()) {
    Document document = picture_document();
    document.problem.schedule = kind;
    document.problem.machine.sram_bytes = 1 << 16;
    Headless head(document);
    head.frames(2);
    const std::vector<std::string> columns = head.models<WalkPage>().softmax.columns;
    for (const std::string& column : columns) {
      INFO(name_of(kind) << ", " << column);
      CHECK((column == "row" || explains(head, "side/" + column)));
    }
  }
}

TEST_CASE("the captions of the pages of comparison and race explain their words") {
  for (const Page page : {Page::Compare, Page::Race}) {
    Headless head(picture_document());
    head.session->dispatch(ShowPage{page});
    head.frames(2);
    if (page == Page::Compare) {
      CHECK(explains(head, "lanes/caption 0"));
      CHECK(explains(head, "sms-now/caption 0"));
    }
  }
}

TEST_CASE("lanes, their legend, warps and the table of differences explain their words") {
  Document document = picture_document();
  document.problem.schedule = ScheduleKind::FlashV3;
  document.view.page = Page::Compare;
  Headless head(document);
  head.session->dispatch(Action::AllDifferences);
  head.frames(3);
  for (const char* place : {"lanes/name 0", "lanes/load", "lanes/QKᵀ", "lanes/softmax", "lanes/P·V", "lanes/store",
                            "lanes/waiting", "compare/kv-read", "compare/sms", "compare/dram"}) {
    INFO(place);
    CHECK(explains(head, place));
  }
  const LanesModel lanes = head.models<ComparePage>().lanes;
  for (const auto& [kind, name] : lanes.legend) {
    INFO(name);
    CHECK_FALSE(terms_in(name).empty());
  }
  for (const LanesPicture& picture : lanes.pictures)
    for (const LaneRow& row : picture.rows) {
      INFO(row.name);
      CHECK((row.name.empty() || !terms_in(row.name).empty()));
    }
  head.session->dispatch(Action::ShowWarps);
  head.frames(3);
  for (const char* place :
       {"split-k/caption 0", "split-k/tile", "split-k/through shared memory", "split-q/caption 0", "split-q/tile"}) {
    INFO(place);
    CHECK(explains(head, place));
  }
}

TEST_CASE("captions and labels in dialogs explain their words") {
  Headless head(picture_document());
  const auto opened = [&](Dialog dialog, std::initializer_list<const char*> places) {
    head.session->dispatch(OpenDialog{dialog});
    head.frames(3);
    for (const char* place : places) {
      INFO(place);
      CHECK(explains(head, std::string("dialog/") + place));
    }
  };
  opened(Dialog::Problem, {"group Schedule", "label Mask", "label Head size", "label Batch", "label Seed"});
  opened(Dialog::Keys, {"group Scores"});
  opened(Dialog::Traffic, {"Q", "K", "V", "O"});
}

TEST_CASE("keyboard navigation reaches a word, and the word shows its explanation") {
  Headless head(picture_document());
  head.frames(2);
  const draw::Rect r = head.rect("memory/caption 0");
  head.click(r.x0 + 2, r.y1 + 60);  // the panel of memory
  head.press(Key::Tab);
  bool told = false;
  for (int i = 0; i < 12 && !told; ++i) {
    head.press(Key::Up);
    head.rest();
    told = tooltip_stands();
  }
  CHECK(told);
}
