// The zoom out of one tile: its squares, its commands, and t as time passes.
#include "core/schedules/registry.h"
#include "session/controllers/endless_zoom_controller.h"
#include "session/lesson/lesson_file.h"
#include "session/session.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

Document zoomed_document() {
  Document document;
  document.problem.shape.mask.kind = MaskKind::Causal;
  return document;
}

std::unique_ptr<Session> zoom_session(const Document& document, SessionSetup setup = {}) {
  auto session = Session::open(document, std::move(setup));
  REQUIRE(session.ok());
  return std::move(*session);
}

std::vector<std::int64_t> zoom_sides(const Problem& p) {
  std::vector<std::int64_t> out;
  for (const ZoomSquare& square : zoom_squares(p)) out.push_back(square.side());
  return out;
}

}  // namespace

TEST_CASE("the squares grow from one score to 131,072, and t is the logarithm of the side") {
  const Problem p = zoomed_document().problem;
  CHECK(zoom_sides(p) == std::vector<std::int64_t>{1, 4, 16, 128, 512, 2048, 8192, 32768, 131072});
  const std::vector<ZoomSquare> all = zoom_squares(p);
  CHECK(all.front().t == 0);
  CHECK(all.back().t == 1);
  CHECK(all[1].t == Approx(2.0 / 17));
  CHECK(all[0].kind == ZoomSquareKind::Score);
  CHECK(all[3].kind == ZoomSquareKind::KernelTile);
}

TEST_CASE("squares of almost one size are left out, and there are always two") {
  Problem p = zoomed_document().problem;
  p.shape.n_q = p.shape.n_kv = 600;
  p.tiling.br = p.tiling.bc = 128;
  CHECK(zoom_sides(p) == std::vector<std::int64_t>{1, 128, 600, 2048, 8192, 32768, 131072});
  p.shape.n_q = p.shape.n_kv = 1 << 20;
  CHECK(zoom_sides(p) == std::vector<std::int64_t>{1, 128, 1 << 20});
  p.tiling.br = p.tiling.bc = 1 << 20;
  CHECK(zoom_sides(p) == std::vector<std::int64_t>{1, 1 << 20, 1 << 22});
  p.shape.n_kv = 64;
  p.tiling.bc = 16;
  p.tiling.br = 16;
  const std::vector<ZoomSquare> all = zoom_squares(p);
  CHECK(all.back().rows == 1 << 20);
  CHECK(all.back().cols == 64);
}

TEST_CASE("the wall has a slot for each head of each batch entry, and no empty one where that is nearly square") {
  const auto sides_of = [](std::int64_t heads, std::int64_t batch) {
    const HeadsWall wall = wall_of(heads, batch);
    CHECK(wall.heads_across * wall.heads_down >= heads);
    CHECK(wall.batch_across * wall.batch_down >= batch);
    return std::pair(wall.across(), wall.down());
  };
  CHECK(sides_of(1, 1) == std::pair<std::int64_t, std::int64_t>(1, 1));
  CHECK(sides_of(32, 2) == std::pair<std::int64_t, std::int64_t>(8, 8));
  CHECK(sides_of(7, 1) == std::pair<std::int64_t, std::int64_t>(3, 3));
  const auto [across, down] = sides_of(32, 4);
  CHECK(across * down == 128);
  CHECK(std::max(across, down) == 16);
  for (const std::int64_t count : {2, 3, 5, 12, 40, 97, 1000})
    for (const std::int64_t batch : {1, 2, 6, 33}) {
      const auto [wide, high] = sides_of(count, batch);
      CHECK(wide * high >= count * batch);
    }
}

TEST_CASE("the last square is the wall of the call's heads, and one head has no wall") {
  auto session = zoom_session(zoomed_document());
  const std::vector<ZoomSquare> all = session->endless_zoom().squares();
  CHECK(all.back().kind == ZoomSquareKind::Heads);
  CHECK(all.back().side() == 8 * kLongestZoom);
  CHECK(all[all.size() - 2].side() == kLongestZoom);
  const Problem p = zoomed_document().problem;
  CHECK(zoom_squares(p, wall_of(1, 1)).back().kind == ZoomSquareKind::Length);
  CHECK(zoom_squares(p, wall_of(2, 1)).back().side() == 2 * kLongestZoom);
  CHECK(zoom_squares(p, wall_of(1 << 24, 1 << 24)).back().kind == ZoomSquareKind::Length);  // more bytes than 2^62
}

TEST_CASE("every schedule has squares that grow") {
  for (const ScheduleKind kind : all_schedules()) {
    Problem p = zoomed_document().problem;
    p.schedule = kind;
    const std::vector<ZoomSquare> all = zoom_squares(p);
    for (std::size_t i = 1; i < all.size(); ++i) {
      CHECK(all[i].side() >= 2 * all[i - 1].side());
      CHECK(all[i].t > all[i - 1].t);
    }
  }
}

TEST_CASE("the command opens the zoom at one score and moves out by itself, and closes it") {
  auto session = zoom_session(zoomed_document());
  session->dispatch(Action::EndlessZoom);
  REQUIRE(session->shows_endless_zoom());
  CHECK(session->endless_zoom().t() == 0);
  CHECK(session->is_in_motion());
  REQUIRE(session->seconds_to_change(0));
  session->dispatch(Tick{50});
  double before = 0;
  for (int i = 1; i <= 10; ++i) {
    const std::uint64_t revision = session->revision();
    session->dispatch(Tick{50 + kSecondsOfZoom * i / 10});
    CHECK(session->endless_zoom().t() > before);
    CHECK(session->revision() > revision);
    before = session->endless_zoom().t();
    if (i == 5) CHECK(before == Approx(0.5));
  }
  CHECK(before == 1);
  CHECK_FALSE(session->is_in_motion());
  session->dispatch(Action::EndlessZoom);
  CHECK_FALSE(session->shows_endless_zoom());
}

TEST_CASE("hold-zoom shows any t, whatever led there, and it stays") {
  auto session = zoom_session(zoomed_document());
  session->dispatch(ShowPage{Page::Compare});
  session->dispatch(HoldZoom{0.3});
  CHECK(session->shows_endless_zoom());
  session->dispatch(Tick{1});
  session->dispatch(Tick{90});
  CHECK(session->endless_zoom().t() == 0.3);
  session->dispatch(HoldZoom{-1});
  CHECK(session->endless_zoom().t() == 0);
  session->dispatch(HoldZoom{7});
  CHECK(session->endless_zoom().t() == 1);
  session->dispatch(ShowPage{Page::Compare});
  CHECK_FALSE(session->shows_endless_zoom());
}

TEST_CASE("the walk's keys move the zoom from square to square, and the walk stays") {
  auto session = zoom_session(zoomed_document());
  session->dispatch(GoToStep{40});
  session->dispatch(HoldZoom{0});
  const std::vector<ZoomSquare> all = session->endless_zoom().squares();
  double now = 10;
  const auto settle = [&] {
    session->dispatch(Tick{now += 1});
    session->dispatch(Tick{now += 5});
  };
  for (std::size_t i = 1; i < all.size(); ++i) {
    session->dispatch(Action::StepForward);
    settle();
    CHECK(session->endless_zoom().t() == Approx(all[i].t));
  }
  session->dispatch(Action::StepBack);
  session->dispatch(Action::StepBack);  // before the first has arrived
  settle();
  CHECK(session->endless_zoom().t() == Approx(all[all.size() - 3].t));
  session->dispatch(Action::First);
  settle();
  CHECK(session->endless_zoom().t() == 0);
  session->dispatch(Action::PlayPause);
  settle();
  const double paused = session->endless_zoom().t();
  CHECK((paused > 0 && paused < 1));
  session->dispatch(Action::PlayPause);
  settle();
  CHECK(session->endless_zoom().t() == paused);
  CHECK(session->cursor() == 40);
}

TEST_CASE("with reduced motion the zoom jumps to where it would end") {
  Document document = zoomed_document();
  document.view.motion = false;
  auto session = zoom_session(document);
  session->dispatch(Action::EndlessZoom);
  CHECK(session->endless_zoom().t() == 1);
  CHECK_FALSE(session->is_in_motion());
  session->dispatch(Action::StepBack);
  CHECK(session->endless_zoom().t() == Approx(17.0 / 20));
}

TEST_CASE("a lesson refuses the zoom, and opening one closes it") {
  SessionSetup setup;
  setup.load_lessons = [] { return load_lessons(TILEWALK_SOURCE_DIR "/assets/lessons"); };
  auto session = zoom_session(zoomed_document(), std::move(setup));
  session->dispatch(HoldZoom{1});
  session->dispatch(OpenLesson{0, {}});
  REQUIRE(session->lesson().lesson());
  CHECK_FALSE(session->shows_endless_zoom());
  session->dispatch(Action::EndlessZoom);
  CHECK_FALSE(session->shows_endless_zoom());
  REQUIRE(session->message());
  CHECK(session->message()->error);
  session->dispatch(Action::LeaveLesson);
  CHECK_FALSE(session->shows_endless_zoom());
}

TEST_CASE("the marks of a mistake heal once, when it is taken back alone") {
  Document document = zoomed_document();
  document.problem.fault = Fault::ForgetRescaleO;
  auto session = zoom_session(document);
  CHECK_FALSE(session->walk().healing().moves());
  session->dispatch(SetFault{Fault::None});
  REQUIRE(session->walk().healing().moves());
  CHECK(session->is_in_motion());
  session->dispatch(Tick{5});
  session->dispatch(Tick{5 + kSecondsOfHealing / 2});
  CHECK(session->walk().healing().t() == Approx(0.5));
  const std::uint64_t revision = session->revision();
  session->dispatch(Tick{7});
  CHECK_FALSE(session->walk().healing().moves());
  CHECK(session->revision() > revision);
  session->dispatch(SetFault{Fault::ForgetRescaleO});
  CHECK_FALSE(session->walk().healing().moves());
  session->dispatch(SetFault{Fault::None});
  for (const double t : {0.2, 0.8}) {
    session->dispatch(HoldMotion{t});
    session->dispatch(Tick{20});
    CHECK(session->walk().healing().is_held());
    CHECK(session->walk().healing().t() == t);
  }
  session->dispatch(HoldMotion{1});
  CHECK_FALSE(session->walk().healing().is_held());
  session->dispatch(SetFault{Fault::ForgetRescaleO});
  session->dispatch(SetSchedule{ScheduleKind::FlashV1});
  CHECK_FALSE(session->walk().healing().moves());
  session->dispatch(Action::ToggleMotion);
  session->dispatch(SetFault{Fault::None});
  CHECK_FALSE(session->walk().healing().moves());
}
