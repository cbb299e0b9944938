// Presenting the pipes and the race: the page's own panel covers the window, in large type, with the keys of a room.
#include "measured/recorded_race.h"
#include "tests/ui/headless.h"
#include "ui/present_layout.h"

using namespace tilewalk;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;
using tilewalk::test::within;

namespace {

constexpr std::pair<int, int> kRooms[] = {{1280, 720}, {1600, 900}, {1024, 768}, {3840, 2160}};

Document page_document(Page page) {
  Document document = picture_document();
  document.view.page = page;
  document.view.filling = Filling::Pipes;
  document.pinned.schedule = ScheduleKind::Standard;
  return document;
}

void with_recorded_race(SessionSetup& setup) {
  setup.of<RaceController>().load_race = [] { return load_shipped_race(TILEWALK_SOURCE_DIR); };
}

void show_to_room(Headless& head) {
  head.session->dispatch(Action::Present);
  load_fonts(head.theme, automatic_scale(head.width(), head.height()) * kPresentedPageText);
  build_atlas(*ImGui::GetIO().Fonts);
  apply_style(head.theme);
  head.frames(3);
}

const char* own_place(Page page) { return page == Page::Compare ? "pipes/track 1" : "race-bars/run again"; }

}  // namespace

TEST_CASE("the pipes and the race cover the window for a room, and all of them is inside") {
  for (const Page page : {Page::Compare, Page::Race})
    for (const auto& [w, h] : kRooms) {
      INFO(w << "x" << h);
      Headless head(page_document(page), w, h, false, with_recorded_race);
      show_to_room(head);
      const std::string own = page == Page::Compare ? "pipes/" : "race-bars/";
      int places = 0;
      for (const auto& [name, r] : head.ui.rects.all()) {
        INFO(name);
        CHECK(name.starts_with(own));
        CHECK(within(r, {0, 0, float(w), float(h)}));
        ++places;
      }
      CHECK(places > 3);
      CHECK(head.ui.rects.find(own_place(page)));
    }
}

TEST_CASE("P presents the page on screen, a clicker's keys move it, and Esc returns to it") {
  for (const Page page : {Page::Compare, Page::Race}) {
    Headless head(page_document(page), 1600, 900, true, with_recorded_race);
    head.frames(2);
    CHECK(head.press(Key::P) == Commands{Action::Present});
    CHECK(head.session->presents_page());
    head.frames(2);
    CHECK(head.press(Key::PageDown) == Commands{Action::StepForward});
    CHECK(head.press(Key::PageUp) == Commands{Action::StepBack});
    CHECK(head.press(Key::Space) == Commands{Action::PlayPause});
    CHECK(head.press(Key::B) == Commands{Action::BlankScreen});
    CHECK(head.session->view().blank());
    CHECK(head.press(Key::Period) == Commands{Action::BlankScreen});
    CHECK(head.press(Key::P, true, true) == Commands{Action::ShowPalette});
    CHECK(head.press(Key::Escape) == Commands{Action::CloseDialog});
    CHECK(head.session->presents_page());
    CHECK(head.press(Key::Escape) == Commands{Action::Present});
    CHECK_FALSE(head.session->view().presenting());
    CHECK(head.session->page() == page);
    head.frames(2);
    CHECK(head.ui.rects.find("header/more"));
  }
}
