// Pages shown to a class, at the sizes of rooms; shared by the tests of presented pages.
#pragma once

#include "measured/recorded_race.h"
#include "session/resources.h"
#include "tests/ui/headless.h"
#include "view/pages.h"

namespace tilewalk::test {

inline constexpr std::pair<int, int> kRooms[] = {{1280, 720}, {1600, 900}, {1024, 768}, {3840, 2160}};

inline Document page_document(Page page) {
  Document document = picture_document();
  document.view.page = page;
  document.view.filling = Filling::Pipes;
  document.pinned.schedule = ScheduleKind::Standard;
  return document;
}

inline void with_recorded_race(SessionSetup& setup) {
  setup.of<RaceController>().load_race = [] { return load_shipped_race(TILEWALK_SOURCE_DIR); };
}

inline void with_rules_and_times(SessionSetup& setup) { read_from(TILEWALK_SOURCE_DIR, setup); }

inline void show_to_room(Headless& head) {
  head.session->dispatch(Action::Present);
  const float text = page_row(head.session->page()).for_room(*head.session).text;
  use_fonts(head.theme, automatic_scale(head.width(), head.height()) * text);
  apply_style(head.theme);
  head.frames(3);
}

}  // namespace tilewalk::test
