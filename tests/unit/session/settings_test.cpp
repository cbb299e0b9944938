#include "session/document/settings.h"

#include <fstream>

#include "session/session.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace tilewalk;

namespace {

const Settings kChosen{.dark = false, .text_scale = 1.4, .unit = StepUnit::Tile, .speed = 4};

}  // namespace

TEST_CASE("settings are read back as they were chosen, in folders created for them") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("config/tilewalk/settings.toml");
  CHECK(*load_settings(path) == Settings{});
  Settings chosen = kChosen;
  chosen.motion = false;
  chosen.recent = {"/a/b \"c\".toml", "/d.safetensors"};
  REQUIRE(save_settings({}, chosen, path).ok());
  const auto again = load_settings(path);
  REQUIRE(again.ok());
  CHECK(*again == chosen);
}

TEST_CASE("settings that cannot be read are renamed, never overwritten") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("settings.toml");
  for (const char* aside : {"settings.unread.toml", "settings.unread-2.toml"}) {
    test::write_text(path, "glow = 1\n");
    const auto kept = save_settings({}, kChosen, path);
    REQUIRE(kept.ok());
    CHECK(kept->aside == folder.file(aside));
    CHECK(test::read_text(folder.file(aside)) == "glow = 1\n");
    CHECK(*load_settings(path) == kChosen);
  }
  CHECK(save_settings(kChosen, kChosen, path)->aside.empty());
  CHECK_FALSE(save_settings({}, kChosen, "").ok());  // no home
}

TEST_CASE("a name that is not UTF-8 is left out, so that the file can be read again") {
  Settings chosen = kChosen;
  chosen.recent = {"bad\xff.toml", "/good.toml"};
  const auto read = parse_settings(settings_text(chosen), "settings.toml");
  REQUIRE(read.ok());
  CHECK(read->recent == std::vector<std::string>{"/good.toml"});
}

TEST_CASE("the choices of two windows are both kept") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("settings.toml");
  const Settings start;
  Settings one = start, two = start;
  one.dark = false, one.recent = {"/one.toml"};
  two.speed = 4, two.recent = {"/two.toml"};
  REQUIRE(save_settings(start, start, path).ok());
  REQUIRE(save_settings(start, one, path).ok());
  REQUIRE(save_settings(start, two, path).ok());
  const auto read = load_settings(path);
  REQUIRE(read.ok());
  CHECK_FALSE(read->dark);
  CHECK(read->speed == 4);
  CHECK(read->recent == std::vector<std::string>{"/two.toml", "/one.toml"});
}

TEST_CASE("a damaged file of settings is refused with its line, key and rule") {
  const auto refused = [](const char* text) {
    const auto settings = parse_settings(text, "settings.toml");
    REQUIRE_FALSE(settings.ok());
    return text_of(settings.issues());
  };
  CHECK(refused("theme = \"dark\"\nspeed = 0\n").find("line 2, speed") != std::string::npos);
  CHECK(refused("them = \"dark\"\n").find("the nearest is theme") != std::string::npos);
  CHECK(refused("theme = ").find("line 1") != std::string::npos);
  CHECK(refused("recent = \"a.toml\"\n").find("must be a list of paths") != std::string::npos);
  CHECK(refused("recent = [3]\n").find("line 1, recent") != std::string::npos);
}

TEST_CASE("the user changes settings by commands; opening a session or a preset changes none") {
  SessionSetup setup;
  setup.presets.push_back({"other", {}});
  const auto opened = Session::open({}, std::move(setup));
  REQUIRE(opened.ok());
  Session& s = **opened;
  for (const Command& c : {Command(Action::ToggleTheme), Command(SetTextScale{1.4}), Command(SetUnit{StepUnit::Tile}),
                           Command(SetSpeed{4})}) {
    const Settings before = s.settings();
    s.dispatch(c);
    CHECK_FALSE(s.settings() == before);
  }
  CHECK(s.settings() == kChosen);
  CHECK(settings_of(s.document().view) == kChosen);
  s.dispatch(LoadPreset{"other"});
  s.dispatch(Action::StepForward);
  CHECK(s.settings() == kChosen);
  CHECK(settings_of(s.document().view) == kChosen);
}

TEST_CASE("in a session saved with other settings, a choice saves only that one setting") {
  Document saved;
  saved.view.speed = 16;
  const auto opened = Session::open(saved, {});
  REQUIRE(opened.ok());
  (*opened)->dispatch(Action::ToggleTheme);
  CHECK((*opened)->settings() == Settings{.dark = false});
}

TEST_CASE("whether the roofline's answers wait for a guess is kept between starts") {
  CHECK(settings_text(Settings{}).find("guess-first") == std::string::npos);
  Settings chosen;
  const auto start = [&] {
    SessionSetup setup;
    setup.settings = chosen;
    return std::move(*Session::open(Document{}, std::move(setup)));
  };
  const std::unique_ptr<Session> first = start();
  CHECK(first->roofline().revealed());
  first->dispatch(Action::RevealWin);  // hides the answers
  CHECK(first->settings().guess_first);
  const auto read = parse_settings(settings_text(first->settings()), "settings.toml");
  REQUIRE(read.ok());
  CHECK(*read == first->settings());
  chosen = *read;
  const std::unique_ptr<Session> second = start();
  CHECK_FALSE(second->roofline().revealed());
  second->dispatch(Action::RevealWin);  // of this call
  CHECK(second->settings().guess_first);
  second->dispatch(Action::ShowAnswers);
  CHECK_FALSE(second->settings().guess_first);
  CHECK(second->roofline().revealed());
}

TEST_CASE("what the page of comparison opens on is kept between starts") {
  CHECK(settings_text(Settings{}).find("comparison") == std::string::npos);
  const std::unique_ptr<Session> first = std::move(*Session::open(Document{}, {}));
  first->dispatch(Action::ShowCompare);
  CHECK(first->settings() == Settings{});
  first->dispatch(Action::ShowPipes);  // back to the lanes
  const auto read = parse_settings(settings_text(first->settings()), "settings.toml");
  REQUIRE(read.ok());
  CHECK(read->comparison == Filling::Sms);
  SessionSetup setup;
  setup.settings = *read;
  const std::unique_ptr<Session> second = std::move(*Session::open(Document{}, std::move(setup)));
  second->dispatch(Action::ShowCompare);
  CHECK(second->compare().filling() == Filling::Sms);
}
