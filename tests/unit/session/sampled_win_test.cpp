// The calls that lesson 15 samples for predictions: one guess each, a verdict over five, other shapes on a repetition.
#include "session/wins/sampled_win.h"

#include <vector>

#include "core/problem/device_model.h"
#include "session/lesson/lesson_file.h"
#include "session/resources.h"
#include "session/session.h"
#include "tests/support/catch.h"
#include "tests/support/shipped_setup.h"

using namespace tilewalk;

namespace {

const RaceTimes& recorded() {
  static const RaceTimes times = [] {
    Result<RaceTimes> read = load_race_times(TILEWALK_SOURCE_DIR);
    REQUIRE(read.ok());
    return *read;
  }();
  return times;
}

std::unique_ptr<Session> at_predictions(int screen, LessonsProgress progress = {}) {
  SessionSetup setup = test::shipped_setup();
  setup.progress = std::move(progress);
  auto session = std::move(*Session::open({}, std::move(setup)));
  session->dispatch(OpenLesson{15, screen});
  return session;
}

int first_sampled(const Lesson& lesson) {
  for (std::size_t i = 0; i < lesson.screens.size(); ++i)
    if (lesson.screens[i].task && lesson.screens[i].task->draw == 1) return int(i) + 1;
  return 0;
}

double asked_win(const Session& session) {
  return *session.lesson().screen().task->answer->value(session.lesson().facts())->number();
}

}  // namespace

TEST_CASE("by the pencil method nearly every round of five reaches the goal of the lessons", "[unit]") {
  int reached = 0;
  constexpr int kRounds = 100;
  for (int round = 0; round < kRounds; ++round) {
    Guesses guesses;
    for (int place = 1; place <= kDraws; ++place) {
      const std::optional<SampledWin> win = sampled_win(recorded(), round, place);
      REQUIRE(win);
      CHECK(win->answer.recorded);
      guesses.misses.push_back(win->answer.error());
    }
    reached += guesses.median() <= kGoodGuess;
  }
  CHECK(reached >= 97);
}

TEST_CASE("a round asks the same calls as the print-out of its seed", "[unit]") {
  const DeviceModel& card = device_of("h200");
  for (int round = 0; round < 3; ++round) {
    const std::vector<WinShape> sheet = sampled_by(seed_of_round(round), kDraws, win_shapes(recorded(), card));
    REQUIRE(sheet.size() == kDraws);
    for (int place = 1; place <= kDraws; ++place) {
      const WinShape asked = sampled_win(recorded(), round, place)->shape;
      CHECK(asked.method == sheet[std::size_t(place - 1)].method);
      CHECK(cell_of(asked.call) == cell_of(sheet[std::size_t(place - 1)].call));
    }
  }
  CHECK_FALSE(sampled_win({}, 0, 1));
  CHECK_FALSE(sampled_win(recorded(), 0, kDraws + 1));
}

TEST_CASE("the page of the roofline is at the asked call", "[unit]") {
  const auto s = at_predictions(1);
  const int first = first_sampled(*s->lesson().lesson());
  for (int place = 1; place <= kDraws; ++place) {
    s->dispatch(OpenLesson{15, first + place - 1});
    CHECK(cell_of(s->roofline().call()) == cell_of(sampled_win(recorded(), 0, place)->shape.call));
    CHECK(s->roofline().device() == recorded().device);
  }
}

TEST_CASE("there is one guess, and its error is stored", "[unit]") {
  auto session = at_predictions(1);
  const int first = first_sampled(*session->lesson().lesson());
  REQUIRE(first > 0);
  session->dispatch(OpenLesson{15, first});
  const double right = asked_win(*session);
  session->dispatch(CheckAnswer{"nothing"});
  CHECK_FALSE(session->lesson().done());
  session->dispatch(CheckAnswer{std::to_string(right * 1.5)});
  REQUIRE(session->lesson().done());
  CHECK(session->lesson().checked()->verdict == AnswerVerdict::Wrong);
  CHECK(*session->lesson().task().miss == Approx(0.5).epsilon(0.01));
  session->dispatch(CheckAnswer{std::to_string(right)});  // too late
  CHECK(*session->lesson().task().miss == Approx(0.5).epsilon(0.01));
}

TEST_CASE("five guesses give a verdict, and a repeated lesson asks other calls", "[unit]") {
  auto session = at_predictions(1);
  const int first = first_sampled(*session->lesson().lesson());
  const auto passed = [&] { return Expression::parse("guesses.passed", "")->value(session->lesson().facts())->yes(); };
  std::vector<double> asked;
  for (int i = 0; i < kDraws; ++i) {
    session->dispatch(OpenLesson{15, first + i});
    CHECK_FALSE(passed());
    asked.push_back(asked_win(*session));
    session->dispatch(CheckAnswer{std::to_string(asked.back() * (i < 2 ? 2 : 1.1))});
  }
  CHECK(passed());
  const LessonsProgress kept = session->lesson().progress();
  auto later = at_predictions(first, kept);
  CHECK(later->lesson().done());
  CHECK(asked_win(*later) == asked.front());
  session->dispatch(Action::LessonAgain);
  CHECK(session->lesson().screen_place() == 0);
  CHECK_FALSE(passed());
  std::vector<double> others;
  for (int i = 0; i < kDraws; ++i) {
    session->dispatch(OpenLesson{15, first + i});
    CHECK_FALSE(session->lesson().done());
    others.push_back(asked_win(*session));
  }
  CHECK(others != asked);
}

TEST_CASE("recorded CPU times are found by contender and call", "[unit]") {
  const CpuTimes& cpu = recorded().cpu;
  for (const char* contender : {"naive", "tiled", "untiled"})
    for (const std::int64_t n : {2048, 8192})
      for (const bool causal : {false, true}) {
        CAPTURE(contender, n, causal);
        REQUIRE(cpu.ms_of(contender, n, 64, causal));
        CHECK(*cpu.ms_of(contender, n, 64, causal) > 1);
      }
  CHECK(*cpu.ms_of("tiled", 8192, 64, false) < *cpu.ms_of("untiled", 8192, 64, false));
  CHECK_FALSE(cpu.ms_of("tiled", 4096, 64, false));
}
