#include "session/lesson/lesson_file.h"
#include "tests/ui/headless.h"

using namespace tilewalk;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;

TEST_CASE("each key sends exactly the command in the table") {
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
  CHECK(head.press(Key::Z, true).empty());  // undo and redo of the typed text
  CHECK(head.press(Key::Z, true, true).empty());
  CHECK(head.press(Key::Y, true).empty());
}

// The caret is in a dialog, in a lesson's answer or in a field of work by hand.
TEST_CASE("chords with Ctrl do the same everywhere, also in a text field") {
  const auto place = GENERATE(0, 1, 2);
  for (const CommandRow& row : command_table())
    for (const Chord& chord : {row.key, row.other}) {
      if (!chord.ctrl || row.action == Action::Undo || row.action == Action::Redo) continue;
      INFO(row.name << " by " << text_of(chord) << ", place " << place);
      Document at_row_max = picture_document();
      at_row_max.cursor = 43;
      Headless head(at_row_max, 1600, 900, false, [](SessionSetup& setup) {
        setup.load_lessons = [] { return load_lessons(TILEWALK_SOURCE_DIR "/assets/lessons"); };
        setup.presets = *load_presets(TILEWALK_SOURCE_DIR);
      });
      if (place == 0) head.session->dispatch(Action::GoToDialog);
      if (place == 1) head.session->dispatch(OpenLesson{5});
      if (place == 2) {
        head.session->dispatch(Action::WorkByHand);
        head.frames(2);
        const Commands to_field = head.press(Key::Tab);
        REQUIRE(to_field.size() == 1);
        head.session->dispatch(to_field.front());
        REQUIRE(head.session->hand().focused());
      }
      head.frames(3);
      if (place == 1) head.click("rail/answer");
      head.frames(2);
      REQUIRE(ImGui::GetIO().WantTextInput);
      CHECK(head.press(chord.key, chord.ctrl, chord.shift) == Commands{row.action});
    }
}

TEST_CASE("a number typed into go-to, and Enter, goes to that step") {
  Headless head(picture_document(), 1600, 900, true);
  head.press(Key::G);
  head.frames(3);
  inject_text("2, 1");
  head.frames(2);
  const Commands made = head.press(Key::Enter);
  CHECK(made == Commands{Action::CloseDialog, GoToTile{2, 1}});
  CHECK(head.session->cursor() == head.session->schedule().end_step_of_visit(0, {.q_tile = 2, .kv_tile = 1}));
}

TEST_CASE("go-to ignores text that is not a number or has something after it") {
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

TEST_CASE("the palette finds a command by its words, and Enter runs it") {
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

TEST_CASE("the palette accepts a whole command with its arguments, and explains an error in another") {
  Headless head(picture_document(), 1600, 900, true);
  const auto type = [&](const char* text) {
    head.press(Key::P, true, true);
    REQUIRE(head.session->view().dialog() == Dialog::Palette);
    head.frames(3);
    inject_text(text);
    head.frames(2);
    return head.press(Key::Enter);
  };
  CHECK(type("set-schedule standard; last") ==
        Commands{Action::CloseDialog, SetSchedule{ScheduleKind::Standard}, Action::Last});
  CHECK(head.session->cursor() == head.session->schedule().step_count());
  CHECK(type("set-schedule neither").empty());
  CHECK(head.session->view().dialog() == Dialog::Palette);
  CHECK(head.session->problem().schedule == ScheduleKind::Standard);
}

TEST_CASE("a call typed into the palette in one line is the window's call, on the page of which attention runs") {
  Headless head(picture_document(), 1600, 900, true);
  head.press(Key::P, true, true);
  head.frames(3);
  inject_text("h100 bf16 4x32/8 8192 d128 causal");
  head.frames(2);
  head.press(Key::Enter);
  head.frames(2);
  CHECK(head.session->view().dialog() == Dialog::None);
  CHECK(head.session->page() == Page::Which);
  const Call& call = head.session->which().call();
  CHECK(call.device == "h100");
  CHECK(call.batch == 4);
  CHECK(call.heads == 32);
  CHECK(call.heads_of_kv() == 8);
  CHECK(call.n_q == 8192);
  CHECK(call.d == 128);
  CHECK(call.is_causal);
}

TEST_CASE("in lists of commands and presets, arrows select and Enter runs the selection") {
  Headless head(picture_document(), 1600, 900, true);
  head.press(Key::P, true);
  REQUIRE(head.session->view().dialog() == Dialog::Presets);
  head.frames(3);
  CHECK(head.press(Key::Down).empty());
  CHECK(head.press(Key::Down).empty());  // stays at the last
  CHECK(head.press(Key::Enter) == Commands{LoadPreset{"two"}});
  CHECK(head.session->view().dialog() == Dialog::None);
  CHECK(head.session->document().title == "Two");

  head.press(Key::P, true);
  head.frames(3);
  head.press(Key::Down);
  head.press(Key::Up);
  CHECK(head.press(Key::Enter) == Commands{LoadPreset{"one"}});

  head.press(Key::P, true, true);
  REQUIRE(head.session->view().dialog() == Dialog::Palette);
  head.frames(3);
  head.press(Key::Down);
  const Commands made = head.press(Key::Enter);
  REQUIRE(made.size() >= 2);
  CHECK(made[0] == Command(Action::CloseDialog));
  CHECK(made[1] == search_commands("", Page::Walk)[1].command);
}

TEST_CASE("words typed into the list of presets filter it and trigger no shortcuts") {
  Headless head(picture_document(), 1600, 900, true);
  head.press(Key::P, true);
  head.frames(3);
  for (const Key key : {Key::T, Key::W, Key::O, Key::Space, Key::Left}) CHECK(head.press(key).empty());
  inject_text("two");
  head.frames(2);
  CHECK(head.press(Key::Enter) == Commands{LoadPreset{"two"}});
  head.press(Key::P, true);
  head.frames(3);
  CHECK(head.press(Key::Enter) != Commands{LoadPreset{"two"}});  // the field is empty again
  head.press(Key::P, true);
  head.frames(3);
  inject_text("no such words");
  head.frames(2);
  CHECK(head.press(Key::Enter).empty());
  head.press(Key::Escape);
  CHECK(head.session->view().dialog() == Dialog::None);
}

TEST_CASE("Esc closes a dialog; Tab starts keyboard navigation and Esc ends it") {
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

TEST_CASE("a key pressed right after a dialog with a text field closed still works") {
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

TEST_CASE(
    "the letter of a shortcut that opens a text field is not typed into it, whether it arrives with the key or later") {
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

TEST_CASE("Esc closes a text field's dialog and reverts the field") {
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

TEST_CASE("typing filters the list of keys, Esc empties the field, and then closes the dialog") {
  Headless head(picture_document(), 1600, 900, true);
  head.press(Key::Slash, false, true);
  head.frames(3);
  const auto listed = [&](const std::string& title) { return head.ui.rects.find("dialog/key " + title).has_value(); };
  CHECK(listed("Play or pause"));
  CHECK(listed("Race of the fast kernels"));
  inject_text("race");
  head.frames(3);
  CHECK_FALSE(listed("Play or pause"));
  CHECK(listed("Race of the fast kernels"));
  CHECK(listed("Compare") == false);
  head.press(Key::Escape);
  head.frames(2);
  REQUIRE(head.session->view().dialog() == Dialog::Keys);
  CHECK(listed("Play or pause"));
  inject_text("ctrl+z");  // by the key itself
  head.frames(3);
  CHECK(listed("Undo"));
  CHECK_FALSE(listed("Redo"));
  head.press(Key::Escape);
  head.press(Key::Escape);
  CHECK(head.session->view().dialog() == Dialog::None);
}

TEST_CASE("every title of the list of keys is whole, at any size") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, {1600, 900, 1.0}, {1600, 900, 1.5}, {3840, 2160, 1.0}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = picture_document();
    document.view.text_scale = text;
    Headless head(document, w, h, true);
    head.press(Key::Slash, false, true);
    head.frames(3);
    std::vector<std::pair<std::string, std::string>> keys;  // with their titles
    for (const PresentingKey& key : presenting_keys()) keys.push_back({text_of({key.key}), key.help});
    for (const CommandRow& row : command_table())
      if (row.key.key != Key::None)
        keys.push_back({text_of(row.key) + (row.other.key == Key::None ? "" : "  " + text_of(row.other)), row.title});
    for (const auto& [chord, title] : keys) {
      INFO(title);
      const draw::Rect r = head.rect("dialog/key " + title);
      const Fonts& fonts = head.theme.fonts;
      const float left = std::max(96 * head.theme.s, draw::text_width(fonts.mono_small, chord) + 20 * head.theme.s);
      const float lines = std::ceil(draw::text_width(fonts.body, title) / (r.width() - left));
      CHECK(r.height() >= lines * draw::leading(fonts.body) - 1);
    }
  }
}

TEST_CASE("hints of keys are left out whole where they do not fit, and the last one stays") {
  for (const auto& [w, h] : {std::pair{1024, 768}, {1060, 720}, {1600, 900}}) {
    Headless head(picture_document(), w, h);
    head.session->dispatch(GoToStep{44});
    head.frames(2);
    std::string hints;
    for (const auto& [name, r] : head.ui.rects.all())
      if (const std::string words = "transport/hints "; name.starts_with(words)) {
        hints = name.substr(words.size());
        INFO(hints << ", " << w << "x" << h);
        CHECK(draw::text_width(head.theme.fonts.body, hints) <= r.width());
        CHECK(hints.ends_with("? keys"));
      }
    CHECK(hints.starts_with("Space play"));
  }
}
