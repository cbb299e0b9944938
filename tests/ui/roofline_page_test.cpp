// The page of the roofline: drawn for every card and length, and each click and key gives exactly its command.
#include "tests/ui/headless.h"

using namespace tilewalk;
using tilewalk::test::finite;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;

namespace {

void with_times(SessionSetup& setup) {
  setup.load_times = [] { return load_race_times(TILEWALK_SOURCE_DIR); };
}

}  // namespace

TEST_CASE("the page of the roofline draws for cards and lengths, in both themes, at four sizes") {
  for (const bool dark : {true, false})
    for (const auto& [w, h] :
         {std::pair{1280, 720}, std::pair{1600, 900}, std::pair{3840, 2160}, std::pair{640, 360}}) {
      INFO(w << "x" << h);
      Document document = picture_document();
      document.view.dark = dark;
      Headless head(document, w, h, false, with_times);
      head.session->dispatch(Action::ShowRoofline);
      for (const Command& command :
           {Command(GuessWin{3}), Command(Action::RevealWin), Command(ChooseRoofline{.device = "a100", .d = 128}),
            Command(Action::RevealWin), Command(ChooseRoofline{.n = 65536, .causal = true})}) {
        head.session->dispatch(command);
        CHECK(head.frames(3).empty());
        CHECK(finite(*ImGui::GetDrawData()));
      }
    }
}

TEST_CASE("O opens the roofline, a guess is clicked, and the answers come and go") {
  Headless head(picture_document(), 1600, 900, true, with_times);
  head.frames(2);
  CHECK(head.press(Key::O) == Commands{Action::ShowRoofline});
  CHECK(head.session->page() == Page::Roofline);
  head.frames(2);
  CHECK(head.click("roofline-guess/my guess4×") == Commands{GuessWin{4}});
  CHECK(head.click("roofline/N16k") == Commands{ChooseRoofline{.n = 16384}});
  CHECK(head.click("roofline-guess/reveal") == Commands{Action::RevealWin});
  CHECK(head.session->roofline().revealed());
  CHECK(head.press(Key::Escape) == Commands{ShowPage{Page::Walk}});
}
