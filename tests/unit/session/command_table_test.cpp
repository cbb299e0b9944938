#include "session/command_table.h"

#include <set>
#include <string>

#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("no two commands share a key, a name or an id") {
  std::set<std::string> chords, names;
  std::set<int> ids;
  for (const CommandRow& row : command_table()) {
    CHECK(names.insert(row.name).second);
    CHECK(ids.insert(int(row.id)).second);
    for (const Chord& chord : {row.key, row.other})
      if (chord.key != Key::None) {
        INFO(text_of(chord));
        CHECK(chords.insert(text_of(chord)).second);
        CHECK(command_for(chord) == row.id);
      }
    CHECK(std::string(row.help).back() == '.');
  }
}

TEST_CASE("the keys of the design are bound") {
  CHECK(command_for({Key::Space}) == CommandId::PlayPause);
  CHECK(command_for({Key::Right}) == CommandId::StepForward);
  CHECK(command_for({Key::Left}) == CommandId::StepBack);
  CHECK(command_for({Key::Right, false, true}) == CommandId::TileForward);
  CHECK(command_for({Key::PageDown}) == CommandId::QTileForward);
  CHECK(command_for({Key::PageUp}) == CommandId::QTileBack);
  CHECK(command_for({Key::Home}) == CommandId::First);
  CHECK(command_for({Key::End}) == CommandId::Last);
  CHECK(command_for({Key::G}) == CommandId::GoToDialog);
  CHECK(command_for({Key::Plus}) == CommandId::Faster);
  CHECK(command_for({Key::Minus}) == CommandId::Slower);
  CHECK(command_for({Key::F}) == CommandId::FullScreen);
  CHECK(command_for({Key::P, true, true}) == CommandId::ShowPalette);
  CHECK(command_for({Key::Slash, false, true}) == CommandId::ShowKeys);
  CHECK(command_for({Key::F10}) == CommandId::StepForward);
}

TEST_CASE("the palette finds commands by words of title and help, titles first") {
  const auto found = search_commands("TILE back");
  REQUIRE_FALSE(found.empty());
  CHECK(found.front()->id == CommandId::TileBack);
  CHECK(search_commands("").size() == command_table().size());
  CHECK(search_commands("no such words at all").empty());
}
