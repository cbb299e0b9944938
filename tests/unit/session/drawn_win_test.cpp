// What lesson 14 draws to be predicted, and that the method it teaches predicts it.
#include "session/lesson/drawn_win.h"

#include <cmath>
#include <set>

#include "base/median.h"
#include "session/lesson/lesson_file.h"
#include "session/resources.h"
#include "session/session.h"
#include "tests/support/catch.h"

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

const std::vector<WinToAsk>& wins() {
  static const std::vector<WinToAsk> all = wins_to_ask(recorded());
  return all;
}

std::string told(const WinToAsk& win) {
  return std::string(win.fast->id) + " n " + std::to_string(win.call.n) + " d " + std::to_string(win.call.d) +
         (win.call.causal ? " causal" : "") + " heads " + std::to_string(win.call.all_heads());
}

std::unique_ptr<Session> at_lesson_14(int screen, LessonsProgress progress = {}) {
  SessionSetup setup;
  read_from(TILEWALK_SOURCE_DIR, setup);
  setup.load_lessons = [] { return load_lessons(TILEWALK_SOURCE_DIR "/assets/lessons"); };
  setup.presets = *load_presets(TILEWALK_SOURCE_DIR);
  setup.progress = std::move(progress);
  auto session = std::move(*Session::open({}, std::move(setup)));
  session->dispatch(OpenLesson{14, screen});
  return session;
}

int first_drawn(const Lesson& lesson) {
  for (std::size_t i = 0; i < lesson.screens.size(); ++i)
    if (lesson.screens[i].task && lesson.screens[i].task->draw == 1) return int(i) + 1;
  return 0;
}

double asked_win(const Session& session) {
  return *session.lesson().screen().task->answer->value(session.lesson().facts())->number();
}

}  // namespace

TEST_CASE("the method on paper predicts what the lesson may ask within 20 % in the median", "[unit]") {
  REQUIRE(wins().size() >= 20);
  std::vector<double> misses;
  for (const WinToAsk& win : wins()) {
    const double miss = std::fabs(win_on_paper(win) / win.win() - 1);
    CAPTURE(told(win), win.win(), win_on_paper(win));
    CHECK(miss < 0.45);
    misses.push_back(miss);
  }
  CAPTURE(misses.size());
  CHECK(median(misses) <= 0.20);
}

TEST_CASE("on paper every round of five reaches the goal of the path", "[unit]") {
  for (int round = 0; round < 200; ++round) {
    Guesses guesses;
    for (int place = 1; place <= kDraws; ++place) {
      const DrawnWin win = drawn_win(wins(), round, place);
      REQUIRE(win);
      guesses.misses.push_back(win_on_paper(*win) / win->win() - 1);
    }
    CAPTURE(round, guesses.misses);
    CHECK(guesses.median() <= kGoodGuess);
  }
}

TEST_CASE("a round asks five different calls, and another round others", "[unit]") {
  std::set<std::string> seen;
  for (int round = 0; round < 20; ++round) {
    std::set<std::string> five;
    for (int place = 1; place <= kDraws; ++place) five.insert(told(*drawn_win(wins(), round, place)));
    CHECK(five.size() == kDraws);
    seen.insert(five.begin(), five.end());
  }
  CHECK(seen.size() >= 12);
  CHECK_FALSE(drawn_win({}, 0, 1));
}

TEST_CASE("there is one guess, and its miss is kept", "[unit]") {
  auto session = at_lesson_14(1);
  const int first = first_drawn(*session->lesson().lesson());
  REQUIRE(first > 0);
  session->dispatch(OpenLesson{14, first});
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

TEST_CASE("five guesses give a verdict, and the lesson taken again asks others", "[unit]") {
  auto session = at_lesson_14(1);
  const int first = first_drawn(*session->lesson().lesson());
  const auto passed = [&] { return Expression::parse("guesses.passed", "")->value(session->lesson().facts())->yes(); };
  std::vector<double> asked;
  for (int i = 0; i < kDraws; ++i) {
    session->dispatch(OpenLesson{14, first + i});
    CHECK_FALSE(passed());
    asked.push_back(asked_win(*session));
    session->dispatch(CheckAnswer{std::to_string(asked.back() * (i < 2 ? 2 : 1.1))});
  }
  CHECK(passed());
  const LessonsProgress kept = session->lesson().progress();
  auto later = at_lesson_14(first, kept);
  CHECK(later->lesson().done());
  CHECK(asked_win(*later) == asked.front());
  session->dispatch(Action::LessonAgain);
  CHECK(session->lesson().screen_place() == 0);
  CHECK_FALSE(passed());
  std::vector<double> others;
  for (int i = 0; i < kDraws; ++i) {
    session->dispatch(OpenLesson{14, first + i});
    CHECK_FALSE(session->lesson().done());
    others.push_back(asked_win(*session));
  }
  CHECK(others != asked);
}

TEST_CASE("what a CPU took is told by contender and call", "[unit]") {
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
