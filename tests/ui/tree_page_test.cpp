// The page of the family tree: drawn for every member at every size, and each click gives exactly its command.
#include "session/words.h"
#include "tests/ui/headless.h"
#include "view/tree/tree_table.h"

using namespace tilewalk;
using tilewalk::test::finite;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;

TEST_CASE("the family tree draws for every member, in both themes, at four sizes and in large text") {
  for (const bool dark : {true, false})
    for (const auto& [w, h] :
         {std::pair{1280, 720}, std::pair{1600, 900}, std::pair{3840, 2160}, std::pair{640, 360}}) {
      INFO(w << "x" << h);
      Document document = picture_document();
      document.view.dark = dark;
      document.view.page = Page::Tree;
      Headless head(document, w, h);
      for (std::size_t i = 0; i < std::size(kTreeWords); ++i) {
        head.session->dispatch(ChooseMember{TreeMember(int(i))});
        head.session->dispatch(SetTextScale{i % 2 ? 1.0 : 2.0});
        CHECK(head.frames(2).empty());
        CHECK(finite(*ImGui::GetDrawData()));
      }
    }
}

TEST_CASE("Y opens the family tree, Y and Esc go back to the walk") {
  Headless head(picture_document(), 1600, 900, true);
  head.frames(2);
  CHECK(head.press(Key::Y) == Commands{Action::ShowTree});
  CHECK(head.session->page() == Page::Tree);
  CHECK(head.press(Key::Escape) == Commands{ShowPage{Page::Walk}});
  head.press(Key::Y);
  head.press(Key::Y);
  CHECK(head.session->page() == Page::Walk);
}

TEST_CASE("a click on a member says what it changed, and a button walks its schedule") {
  Headless head(picture_document(), 1600, 900, true);
  head.session->dispatch(Action::ShowTree);
  head.frames(2);
  for (const MemberRow& row : tree_table()) {
    CAPTURE(row.name);
    CHECK(head.click("tree/" + std::string(row.short_name)) == Commands{ChooseMember{row.member}});
    CHECK(head.session->view().member() == row.member);
  }
  CHECK(head.click("tree/walk") == Commands{SetSchedule{ScheduleKind::FlashV4}, ShowPage{Page::Walk}});
  CHECK(head.session->page() == Page::Walk);
  CHECK(head.session->problem().schedule == ScheduleKind::FlashV4);
}
