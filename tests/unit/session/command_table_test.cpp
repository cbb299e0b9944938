#include "session/command/command_table.h"

#include <set>
#include <string>

#include "tests/support/bound_action.h"
#include "tests/support/catch.h"

using namespace tilewalk;
using test::action_for;

TEST_CASE("no two commands share a key, a name or an action") {
  std::set<std::string> chords, names;
  std::set<Action> actions;
  for (const CommandRow& row : command_table()) {
    CHECK(names.insert(row.name).second);
    CHECK(actions.insert(row.action).second);
    for (const Chord& chord : {row.key, row.other})
      if (chord.key != Key::None) {
        INFO(text_of(chord));
        CHECK(chords.insert(text_of(chord)).second);
        CHECK(action_for(chord) == row.action);
      }
    CHECK(std::string(row.help).back() == '.');
  }
}

TEST_CASE("the keys of the design are bound") {
  CHECK(action_for({Key::Space}) == Action::PlayPause);
  CHECK(action_for({Key::Right}) == Action::StepForward);
  CHECK(action_for({Key::Left}) == Action::StepBack);
  CHECK(action_for({Key::Right, false, true}) == Action::TileForward);
  CHECK(action_for({Key::PageDown}) == Action::QTileForward);
  CHECK(action_for({Key::PageUp}) == Action::QTileBack);
  CHECK(action_for({Key::Home}) == Action::First);
  CHECK(action_for({Key::End}) == Action::Last);
  CHECK(action_for({Key::G}) == Action::GoToDialog);
  CHECK(action_for({Key::Plus}) == Action::Faster);
  CHECK(action_for({Key::Minus}) == Action::Slower);
  CHECK(action_for({Key::F}) == Action::FullScreen);
  CHECK(action_for({Key::P, true, true}) == Action::ShowPalette);
  CHECK(action_for({Key::Slash, false, true}) == Action::ShowKeys);
  CHECK(action_for({Key::F10}) == Action::StepForward);
}

TEST_CASE("the palette finds commands by words of title and help, titles first") {
  const auto found = search_commands("TILE back");
  REQUIRE_FALSE(found.empty());
  CHECK(found.front().command == Command(Action::TileBack));
  CHECK(search_commands("").size() == command_table().size() + all_faults().size() + 1);
  const auto mistake = search_commands("tile's max only");
  REQUIRE(mistake.size() == 1);
  CHECK(mistake.front().command == Command(SetFault{Fault::TileMax}));
  CHECK(search_commands("no such words at all").empty());
}

TEST_CASE("the palette begins with what the current page is for, then the pages, and has each command once") {
  for (const Page page : {Page::Walk, Page::Compare, Page::Race, Page::Roofline, Page::Which, Page::Tree, Page::Lab}) {
    const auto found = search_commands("", page);
    CHECK(found.size() == search_commands("").size());
    CHECK(found.front().part == Found::Part::OfPage);
    CHECK(found.front().command != Command(Action::PlayPause));
    CHECK(std::is_sorted(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.part < b.part; }));
    CHECK(std::count_if(found.begin(), found.end(),
                        [](const Found& row) { return row.command == Command(Action::ShowRace); }) == 1);
  }
  CHECK(search_commands("", Page::Lab).front().command == Command(Action::RunKernel));
  // Words find the same commands on each page.
  CHECK(search_commands("tile back", Page::Lab).size() == search_commands("tile back").size());
}
