// The page of the roofline: drawn for every card and length, and each click and key gives exactly its command.
#include "tests/ui/headless.h"

using namespace tilewalk;
using tilewalk::test::draws_everywhere;
using tilewalk::test::Headless;
using tilewalk::test::opens_and_closes;
using tilewalk::test::picture_document;

namespace {

void with_times(SessionSetup& setup) {
  setup.load_times = [](const std::string& device) { return load_race_times(TILEWALK_SOURCE_DIR, device); };
}

}  // namespace

TEST_CASE("the page of the roofline draws for cards and lengths, in both themes, at four sizes") {
  draws_everywhere(Page::Roofline,
                   {GuessWin{3}, Action::RevealWin, ChooseRoofline{.device = "a100", .d = 128}, Action::RevealWin,
                    ChooseRoofline{.n = 65536, .causal = true},
                    ChooseRoofline{.device = "t4", .n = 777, .d = 8, .heads = 12, .kv_heads = 3}, Action::RevealWin,
                    EditOwnCard{"peak", "1e-300"}, EditOwnCard{"bandwidth", "x"}, Action::RevealWin},
                   with_times);
}

TEST_CASE("O opens the roofline, O and Esc go back to the walk") {
  opens_and_closes(Key::O, Action::ShowRoofline, Page::Roofline, with_times);
}

TEST_CASE("on the roofline a guess is clicked, and the answers come and go") {
  Headless head(picture_document(), 1600, 900, true, with_times);
  head.session->dispatch(ShowPage{Page::Roofline});
  head.frames(2);
  CHECK(head.click("roofline-guess/my guess4×") == Commands{GuessWin{4}});
  CHECK(head.click("roofline/N16k") == Commands{ChooseRoofline{.n = 16384}});
  CHECK(head.click("roofline-guess/reveal") == Commands{Action::RevealWin});
  CHECK(head.session->roofline().revealed());
}

TEST_CASE("a row of the roofline's table walks its schedule") {
  Headless head(picture_document(), 1600, 900, true, with_times);
  head.session->dispatch(ShowPage{Page::Roofline});
  head.session->dispatch(Action::RevealWin);
  head.frames(2);
  CHECK(head.click("roofline-table/walk flash_v3") == Commands{WalkMethod{"flash_v3"}});
  CHECK(head.session->page() == Page::Walk);
  CHECK(head.session->problem().schedule == ScheduleKind::FlashV3);
  CHECK(head.session->problem().tiling.br == 192);
}

TEST_CASE("a rate of one's own card is typed on the page") {
  Headless head(picture_document(), 1600, 900, true, with_times);
  head.session->dispatch(ShowPage{Page::Roofline});
  head.frames(2);
  head.click("roofline/own bandwidth");
  inject_text("9");
  CHECK(head.frames(2) == Commands{EditOwnCard{"bandwidth", "9"}});
  CHECK(head.session->roofline().bandwidth().value == 9.0);
}
