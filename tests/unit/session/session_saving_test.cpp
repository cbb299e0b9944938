// Saving and opening through a session: what is restored, and what is confirmed before another file is replaced.
#include <filesystem>

#include "session/session.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace tilewalk;

namespace {

Document saved_document() {
  Document d;
  d.problem.shape.mask.kind = MaskKind::Causal;
  d.problem.machine.sram_bytes = 1 << 20;
  return d;
}

std::unique_ptr<Session> saved_session(const Document& d = saved_document(), SessionSetup setup = {}) {
  auto session = Session::open(d, std::move(setup));
  REQUIRE(session.ok());
  return std::move(*session);
}

}  // namespace

TEST_CASE("saving and opening restores the same document") {
  const auto s = saved_session();
  s->dispatch(GoToStep{28});
  s->dispatch(EditValue{TensorId::V, 3, 2, "-0.25"});
  s->dispatch(Action::ToggleTheme);
  const Document saved = s->document();
  const test::TemporaryFolder folder;
  const std::string path = folder.file("s.toml");
  s->dispatch(SaveFile{path});
  REQUIRE(s->message());
  INFO(s->message()->text);
  REQUIRE_FALSE(s->message()->error);
  s->dispatch(Action::First);
  s->dispatch(Action::ClearValues);
  s->dispatch(OpenFile{path});
  CHECK(s->document() == saved);
}

TEST_CASE("saving over a file that is not the session open here asks first") {
  test::TemporaryFolder folder;
  const std::string mine = folder.file("mine.toml"), other = folder.file("other.toml");
  const auto s = saved_session();
  s->dispatch(SaveFile{mine});
  s->dispatch(SaveFile{other});  // new: nothing is lost
  const std::string before = test::read_text(other);
  s->dispatch(OpenFile{mine});
  s->dispatch(GoToStep{9});
  s->dispatch(Action::SaveFileDialog);
  s->dispatch(SaveFile{other});
  CHECK(test::read_text(other) == before);
  CHECK(s->editing().asks_to_replace() == other);
  CHECK(s->view().dialog() == Dialog::SaveFile);
  REQUIRE(s->message());
  CHECK(s->message()->error);
  s->dispatch(SaveFile{mine});  // the one open: no question
  CHECK(s->editing().asks_to_replace().empty());
  CHECK_FALSE(s->message()->error);
  s->dispatch(SaveFile{other, true});
  CHECK(test::read_text(other) == test::read_text(mine));
  CHECK(s->editing().path() == other);
  CHECK(s->view().dialog() == Dialog::None);

  test::write_text(other, before + "\n# by another hand\n");
  s->dispatch(SaveFile{other});
  CHECK(s->message()->text.find("changed by another program") != std::string::npos);
  CHECK(test::read_text(other).ends_with("hand\n"));
}

TEST_CASE("a session opened on the command line is saved under its name without a question") {
  test::TemporaryFolder folder;
  const std::string path = folder.file("s.toml");
  REQUIRE(save_document(saved_document(), path).ok());
  Result<Opening> opening = open_document({saved_document(), nullptr}, nullptr);
  REQUIRE(opening.ok());
  opening->session = {path, identity_of(path)};
  const auto s = Session::of(std::move(*opening), {});
  CHECK(s->editing().path() == path);
  s->dispatch(SaveFile{path});
  CHECK_FALSE(s->message()->error);
}

TEST_CASE("a session is saved only as .toml") {
  test::TemporaryFolder folder;
  const auto s = saved_session();
  for (const char* name : {"s.npy", "s"}) {
    s->dispatch(SaveFile{folder.file(name)});
    CHECK(s->message()->error);
    CHECK_FALSE(std::filesystem::exists(folder.file(name)));
  }
}

TEST_CASE("a missing file changes nothing") {
  const auto s = saved_session();
  s->dispatch(GoToStep{5});
  const Document before = s->document();
  s->dispatch(OpenFile{"/no/such/file.toml"});
  CHECK(s->document() == before);
  REQUIRE(s->message());
  CHECK(s->message()->error);
}

TEST_CASE("a saved session restores the page and the pinned problem") {
  test::TemporaryFolder folder;
  Document d = saved_document();
  d.problem.schedule = ScheduleKind::FlashV3;
  const auto s = saved_session(d);
  s->dispatch(Action::PinNow);
  s->dispatch(SetLaneOption{LaneOption::PingPong, 0});
  s->dispatch(Action::ShowWarps);
  s->dispatch(SaveFile{folder.file("s.toml")});
  const Problem pinned = s->baseline();
  REQUIRE(pinned != s->problem());

  const auto again = saved_session();
  again->dispatch(OpenFile{folder.file("s.toml")});
  CHECK(again->page() == Page::Compare);
  CHECK(again->compare().filling() == Filling::Warps);
  CHECK(again->baseline() == pinned);
  CHECK(again->document() == s->document());

  again->dispatch(PinSchedule{ScheduleKind::FlashV1});
  again->dispatch(Action::ShowRace);
  again->dispatch(SaveFile{folder.file("s.toml")});
  s->dispatch(OpenFile{folder.file("s.toml")});
  CHECK(s->page() == Page::Race);
  CHECK_FALSE(s->race().recorded_missing.empty());  // it was requested: there is none here
  CHECK(s->baseline().schedule == ScheduleKind::FlashV1);
}
