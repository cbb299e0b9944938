// The explanation of one row: its commands, its scenes, and t as time passes.
#include "session/controllers/one_row_controller.h"
#include "session/lesson/lesson_file.h"
#include "session/session.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

std::unique_ptr<Session> row_session(bool motion = true, SessionSetup setup = {}) {
  Document document;
  document.problem.shape.mask.kind = MaskKind::Causal;
  document.view.motion = motion;
  auto session = Session::open(document, std::move(setup));
  REQUIRE(session.ok());
  return std::move(*session);
}

}  // namespace

TEST_CASE("a scene has an equal part of t, and its end belongs to it") {
  CHECK(row_scene_at(0) == RowScene::Scores);
  CHECK(row_scene_at(1) == RowScene::Rest);
  for (int i = 0; i < kRowScenes; ++i) {
    CHECK(row_scene_at(end_of(RowScene(i))) == RowScene(i));
    CHECK(row_scene_at(end_of(RowScene(i)) - 0.5 / kRowScenes) == RowScene(i));
    CHECK(row_scene_share(end_of(RowScene(i))) == Approx(1));
    CHECK(row_scene_share(end_of(RowScene(i)) - 0.5 / kRowScenes) == Approx(0.5));
  }
}

TEST_CASE("the row plays each scene for its own seconds, and rests at the end") {
  auto session = row_session();
  session->dispatch(Action::OneRow);
  REQUIRE(session->shows_one_row());
  CHECK(session->is_in_motion());
  session->dispatch(Tick{10});
  double begin = 10;
  for (int i = 0; i < kRowScenes; ++i) {
    INFO(i);
    const double seconds = seconds_of(RowScene(i));
    session->dispatch(Tick{begin + seconds / 4});
    CHECK(session->one_row().t() == Approx((i + 0.25) / kRowScenes));
    begin += seconds;
  }
  session->dispatch(Tick{10 + kSecondsOfRow});
  CHECK(session->one_row().t() == 1);
  CHECK_FALSE(session->is_in_motion());
  CHECK(session->shows_one_row());
  session->dispatch(Action::OneRow);
  CHECK_FALSE(session->shows_one_row());
}

TEST_CASE("with reduced motion the row shows the end of each scene for as long") {
  auto session = row_session(false);
  session->dispatch(Action::OneRow);
  session->dispatch(Tick{0});
  double begin = 0;
  for (int i = 0; i < kRowScenes; ++i) {
    session->dispatch(Tick{begin + seconds_of(RowScene(i)) / 2});
    CHECK(session->one_row().t() == Approx(end_of(RowScene(i))));
    begin += seconds_of(RowScene(i));
  }
  session->dispatch(Action::StepBack);
  CHECK(session->one_row().t() == Approx(end_of(RowScene::Shrink)));
  CHECK_FALSE(session->is_in_motion());
}

TEST_CASE("a row that was paused goes on from there, for the seconds that are left") {
  auto session = row_session();
  session->dispatch(HoldRow{end_of(RowScene::Tiles)});
  session->dispatch(Action::PlayPause);
  CHECK(session->one_row().plays());
  session->dispatch(Tick{1});
  session->dispatch(Tick{1 + seconds_of(RowScene::Better)});
  CHECK(session->one_row().t() == Approx(end_of(RowScene::Better)));
  session->dispatch(Action::StepForward);
  CHECK(session->one_row().moves());
  CHECK_FALSE(session->one_row().plays());
}

TEST_CASE("the walk's keys move the row from scene to scene, and the walk stays") {
  auto session = row_session();
  session->dispatch(GoToStep{40});
  session->dispatch(HoldRow{0});
  double now = 1;
  for (int i = 0; i < kRowScenes; ++i) {
    session->dispatch(Action::StepForward);
    session->dispatch(Tick{now += 5});
    session->dispatch(Tick{now += 5});
    CHECK(session->one_row().t() == Approx(end_of(RowScene(i))));
  }
  CHECK(session->cursor() == 40);
}

TEST_CASE("of the zoom and the row one is open, and each closes with its page") {
  auto session = row_session();
  session->dispatch(HoldZoom{0.3});
  session->dispatch(HoldRow{0.3});
  CHECK(session->shows_one_row());
  CHECK_FALSE(session->shows_endless_zoom());
  session->dispatch(HoldZoom{0.3});
  CHECK_FALSE(session->shows_one_row());
  session->dispatch(HoldRow{0.3});
  session->dispatch(ShowPage{Page::Race});
  CHECK_FALSE(session->shows_one_row());
  session->dispatch(HoldRow{0.3});
  CHECK(session->page() == Page::Walk);
}

TEST_CASE("a lesson refuses the row, which may show what it asks") {
  SessionSetup setup;
  setup.load_lessons = [] { return load_lessons(TILEWALK_SOURCE_DIR "/assets/lessons"); };
  auto session = row_session(true, std::move(setup));
  session->dispatch(HoldRow{1});
  session->dispatch(OpenLesson{0, {}});
  CHECK_FALSE(session->shows_one_row());
  session->dispatch(Action::OneRow);
  CHECK_FALSE(session->shows_one_row());
  REQUIRE(session->message());
  CHECK(session->message()->error);
}

TEST_CASE("the outline of the explained row moves to its place, and is there at once with reduced motion") {
  for (const bool motion : {true, false}) {
    auto session = row_session(motion);
    session->dispatch(GoToStep{31});
    session->dispatch(HoldRow{1});
    session->dispatch(Action::OneRow);
    REQUIRE(session->explained_row().q_tile() == QTileId{0, 0, 2});
    CHECK(session->is_in_motion() == motion);
    CHECK(session->explained_row().share() == (motion ? 0 : 1));
    session->dispatch(Tick{3});
    const std::uint64_t revision = session->revision();
    session->dispatch(Tick{3 + kSecondsOfReturn / 3});
    CHECK((session->revision() != revision) == motion);
    session->dispatch(Tick{3 + kSecondsOfReturn});
    CHECK(session->explained_row().share() == 1);
    CHECK_FALSE(session->is_in_motion());
  }
}
