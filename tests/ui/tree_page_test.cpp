// The page of the family tree: drawn for every member at every size, and each click sends exactly its command.
#include "pages/tree/tree_table.h"
#include "session/document/words.h"
#include "tests/ui/headless.h"

using namespace tilewalk;
using tilewalk::test::draws_everywhere;
using tilewalk::test::Headless;
using tilewalk::test::opens_and_closes;
using tilewalk::test::picture_document;

TEST_CASE("the family tree draws for every member, in both themes, at four sizes and in large text") {
  Commands commands;
  for (std::size_t i = 0; i < std::size(kTreeWords); ++i) {
    commands.push_back(ChooseMember{TreeMember(int(i))});
    commands.push_back(SetTextScale{i % 2 ? 1.0 : 2.0});
  }
  draws_everywhere(Page::Tree, commands);
}

TEST_CASE("Y opens the family tree; Y and Esc return to the walk") {
  opens_and_closes(Key::Y, Action::ShowTree, Page::Tree);
}

TEST_CASE("a click on a member shows what it changed, and a button walks its schedule") {
  Headless head(picture_document(), 1600, 900, true);
  head.session->dispatch(Action::ShowTree);
  head.frames(2);
  for (const MemberRow& row : tree_table()) {
    CAPTURE(row.name);
    CHECK(head.click("tree/" + std::string(row.short_name)) == Commands{ChooseMember{row.member}});
    CHECK(head.session->tree().member() == row.member);
  }
  CHECK(head.click("tree/walk") == Commands{SetSchedule{ScheduleKind::FlashV4}, ShowPage{Page::Walk}});
  CHECK(head.session->page() == Page::Walk);
  CHECK(head.session->problem().schedule == ScheduleKind::FlashV4);
}
