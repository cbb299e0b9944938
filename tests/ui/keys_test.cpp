#include "tests/ui/headless.h"

using namespace tilewalk;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;

TEST_CASE("each key makes exactly the command that the table says") {
  Headless head(picture_document());
  head.frames(2);
  for (const CommandRow& row : command_table()) {
    if (row.action == Action::CloseDialog) continue;
    for (const Chord& chord : {row.key, row.other}) {
      if (chord.key == Key::None) continue;
      INFO(row.name << " by " << text_of(chord));
      CHECK(head.press(chord.key, chord.ctrl, chord.shift) == Commands{row.action});
    }
  }
}

TEST_CASE("while a text field has the focus, letters and arrows belong to it") {
  Headless head(picture_document(), 1600, 900, true);
  head.press(Key::G);
  REQUIRE(head.session->view().dialog() == Dialog::GoTo);
  head.frames(3);
  CHECK(head.press(Key::Right).empty());
  CHECK(head.press(Key::Space).empty());
  CHECK(head.press(Key::T).empty());
  CHECK(head.press(Key::Slash, false, true).empty());
  CHECK(head.press(Key::P, true).empty());
}

TEST_CASE("a number typed into go-to and Enter goes there") {
  Headless head(picture_document(), 1600, 900, true);
  head.press(Key::G);
  head.frames(3);
  inject_text("2, 1");
  head.frames(2);
  const Commands made = head.press(Key::Enter);
  CHECK(made == Commands{Action::CloseDialog, GoToTile{2, 1}});
  CHECK(head.session->cursor() == head.session->schedule().end_step_of_visit(0, 0, 0, 2, 1));
}

TEST_CASE("what is no number, or has something after it, goes nowhere") {
  for (const char* typed : {"5x", "2, x", "2, 1, 3", "x"}) {
    INFO(typed);
    Headless head(picture_document(), 1600, 900, true);
    head.press(Key::G);
    head.frames(3);
    inject_text(typed);
    head.frames(2);
    CHECK(head.press(Key::Enter).empty());
    CHECK(head.session->view().dialog() == Dialog::GoTo);
  }
}

TEST_CASE("the palette finds a command by its words and Enter carries it out") {
  Headless head(picture_document(), 1600, 900, true);
  head.press(Key::P, true, true);
  REQUIRE(head.session->view().dialog() == Dialog::Palette);
  head.frames(3);
  inject_text("light or");
  head.frames(2);
  head.press(Key::Enter);
  CHECK(head.session->view().dialog() == Dialog::None);
  CHECK_FALSE(head.session->document().view.dark);
}

TEST_CASE("Esc closes a dialog, and Tab begins keyboard navigation that Esc leaves") {
  Headless head(picture_document(), 1600, 900, true);
  head.press(Key::Slash, false, true);
  REQUIRE(head.session->view().dialog() == Dialog::Keys);
  head.press(Key::Escape);
  CHECK(head.session->view().dialog() == Dialog::None);
  head.press(Key::Tab);
  CHECK(head.ui.navigating);
  const std::int64_t before = head.session->cursor();
  head.press(Key::Right);
  CHECK(head.session->cursor() == before);
  head.press(Key::Escape);
  CHECK_FALSE(head.ui.navigating);
  head.press(Key::Right);
  CHECK(head.session->cursor() == before + 1);
}

TEST_CASE("a key pressed right after a dialog with a text field has closed is not swallowed") {
  Headless head(picture_document(), 1600, 900, true);
  head.press(Key::G);
  head.frames(3);
  inject_key(Key::Escape, true);
  head.frame();
  inject_key(Key::Escape, false);
  REQUIRE(head.session->view().dialog() == Dialog::None);
  inject_key(Key::T, true);
  Commands made = head.frame();
  CHECK(made == Commands{Action::ToggleTheme});
}

TEST_CASE("the letter of a key that opens a text field does not fall into it, whether it comes with the key or after") {
  for (const bool later : {false, true}) {
    Headless head(picture_document(), 1600, 900, true);
    head.frames(2);
    inject_key(Key::G, true);
    if (!later) inject_text("g");
    head.frame();
    REQUIRE(head.session->view().dialog() == Dialog::GoTo);
    if (later) inject_text("g");
    head.frames(3);
    CHECK(head.ui.go_to.empty());
    inject_text("7");
    head.frames(3);
    CHECK(head.ui.go_to == "7");
  }
}

TEST_CASE("Esc closes a text field's dialog, and the field takes back what was typed") {
  Headless head(picture_document(), 1600, 900, true);
  head.press(Key::S, true);
  REQUIRE(head.session->view().dialog() == Dialog::SaveFile);
  const std::string before = head.ui.path;
  head.frames(3);
  inject_text("half");
  head.frames(2);
  REQUIRE(head.ui.path != before);
  head.press(Key::Escape);
  CHECK(head.session->view().dialog() == Dialog::None);
  CHECK(head.ui.path == before);
}
