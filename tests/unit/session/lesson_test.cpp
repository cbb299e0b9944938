#include <cmath>

#include "session/lesson/lesson_file.h"
#include "session/session.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace tilewalk;

namespace {

constexpr const char* kLesson = R"(# A title

```lesson
number = 5
phase = "First"
claim = "A claim."
minutes = 3
```

## One

There are {tiles.visited} visits, and **m** is a max.

```scene
then = "go-to-step 3"
outline = ["tile"]
```

```number
ask = "How many bytes is S?"
answer = "n * n * 4"
unit = "bytes"
hints = ["n × n", "times 4"]
[[wrong]]
value = "n * d * 4"
says = "That is Q, {n * d * 4 : bytes}."
```

Right: {n * n * 4 : bytes}.

## Two

```choose
ask = "Which?"
[[option]]
text = "This"
says = "No."
[[option]]
text = "That"
right = true
says = "Yes."
```

## Three

```do
ask = "Go to the end."
goal = "finished"
show = "last"
```

## Four

```order
ask = "In order?"
says = "The first comes first."
[[option]]
text = "first"
[[option]]
text = "second"
[[option]]
text = "third"
```
)";

std::unique_ptr<Session> session_on(const char* text) {
  Result<Lesson> lesson = parse_lesson(text, "05-one.md");
  REQUIRE(lesson.ok());
  SessionSetup setup;
  setup.load_lessons = [lesson] { return std::vector{*lesson}; };
  auto session = Session::open({}, std::move(setup));
  REQUIRE(session.ok());
  return std::move(*session);
}

Result<Figure> value_of(Session& session, const std::string& text) {
  Result<Expression> expression = Expression::parse(text, "here");
  REQUIRE(expression.ok());
  return expression->value(session.lesson().facts());
}

std::string refused(const std::string& text) {
  const Result<Expression> expression = Expression::parse(text, "here");
  REQUIRE_FALSE(expression.ok());
  return text_of(expression.issues());
}

std::string refused_lesson(std::string from, const std::string& to) {
  std::string text = kLesson;
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  const Result<Lesson> lesson = parse_lesson(text, "05-one.md");
  REQUIRE_FALSE(lesson.ok());
  return text_of(lesson.issues());
}

bool has(const std::string& text, const char* part) {
  CAPTURE(text, part);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("an expression is evaluated as written") {
  const auto session = session_on(kLesson);
  const struct {
    const char* text;
    double value;
  } rows[] = {{"1 + 2 * 3", 7},
              {"(1 + 2) * 3", 9},
              {"2 ^ 3 ^ 2", 512},
              {"-2 ^ 2", -4},
              {"8 / 4 / 2", 1},
              {"max(1, 2, min(5, 3))", 3},
              {"floor(log2(65504) / log2(exp(1))) + 1", 12},
              {"n * d", 64},
              {"[n=64 br=16 bc=16 sram=65536 mask=none] tiles.visited", 16},
              {"tiles.visited", 16},
              {"traffic.this.K.read", 1024},
              {"cursor", 0},
              {"q 0 0 - q 0 0", 0}};
  for (const auto& row : rows) {
    CAPTURE(row.text);
    const Result<Figure> value = value_of(*session, row.text);
    REQUIRE(value.ok());
    REQUIRE(value->number());
    CHECK(*value->number() == Approx(row.value));
  }
  CHECK(value_of(*session, "schedule == \"flash_v2\" and not finished")->yes());
  CHECK(value_of(*session, "false or 1 < 2")->yes());
  CHECK(value_of(*session, "traffic.this.total")->counts == Counts::Bytes);
  CHECK(value_of(*session, "traffic.this.total / traffic.standard.total")->counts == Counts::Plain);
}

TEST_CASE("values of the walk are facts once the walk has computed them, in the units of the screen") {
  const auto session = session_on(kLesson);
  CHECK_FALSE(value_of(*session, "row 0.m").ok());
  CHECK_FALSE(value_of(*session, "cursor > 0 and step.phase == \"load\"")->yes());
  session->dispatch(GoToTile{2, 1});
  const State& state = session->state();
  CHECK(*value_of(*session, "row 9.m")->number() == Approx(state.m[1] * std::log(2.0)));
  CHECK(*value_of(*session, "row 9.l")->number() == Approx(state.l[1]));
  CHECK(*value_of(*session, "row 9.alpha")->number() == Approx(state.alpha[1]));
  CHECK(*value_of(*session, "p 9 6")->number() == Approx(state.p[1 * 4 + 2]));
  CHECK(*value_of(*session, "o 9 3")->number() == Approx(state.o[1 * 4 + 3]));
  CHECK_FALSE(value_of(*session, "row 3.m").ok());
  CHECK_FALSE(value_of(*session, "p 9 9").ok());
  CHECK_FALSE(value_of(*session, "q 16 0").ok());
  CHECK_FALSE(value_of(*session, "selected.row").ok());
  CHECK_FALSE(value_of(*session, "[br=64 bc=64] tiles.visited").ok());  // does not fit
}

TEST_CASE("text that is not an expression is refused with its position and the nearest right word") {
  CHECK(has(refused("1 +"), "column 4"));
  CHECK(has(refused("(1"), "bracket is not closed"));
  CHECK(has(refused("1 2"), "nothing was expected"));
  CHECK(has(refused("tils.visited"), "nearest is tiles"));
  CHECK(has(refused("tiles.vsited"), "nearest is visited"));
  CHECK(has(refused("traffic.flash_v2"), "is not finished"));
  CHECK(has(refused("row.alpha"), "takes 1"));
  CHECK(has(refused("[heds=4] tiles.visited"), "nearest is heads"));
  CHECK(has(refused("[n=4] cursor"), "another problem does not have it"));
  CHECK(has(refused(std::string(300, '(')), "too many brackets"));
  CHECK(has(refused(std::string(500, '1')), "at most 400"));
}

TEST_CASE("a lesson file is refused with its line, its value and what to do") {
  CHECK(has(refused_lesson("number = 5", "number = -1"), "line 4"));
  CHECK(has(refused_lesson("{tiles.visited}", "{tiles.vsited}"), "line 12"));
  CHECK(has(refused_lesson("{tiles.visited}", "{tiles.visited"), "brace is not closed"));
  CHECK(has(refused_lesson("go-to-step 3", "go-to-stp 3"), "line 15"));
  CHECK(has(refused_lesson("[\"tile\"]", "[\"tiel\"]"), "nearest is tile"));
  CHECK(has(refused_lesson("```choose", "```chose"), "nearest is ```choose"));
  CHECK(has(refused_lesson("answer = \"n * n * 4\"", "anser = \"1\""), "the nearest is answer"));
  CHECK(has(refused_lesson("right = true\n", ""), "one is right"));
  CHECK(has(refused_lesson("```do", "```do\nask = \"a\"\ngoal = \"finished\"\nshow = \"last\"\n```\n\n```do"),
            "second task"));
  CHECK(has(refused_lesson("goal = \"finished\"", ""), "goal: is missing"));
  CHECK(has(refused_lesson("# A title\n", ""), "first heading"));
  CHECK(has(refused_lesson("There are", "> There are"), "only paragraphs and lists"));
}

TEST_CASE("a lesson names problems, and figures can use them") {
  const std::string head = "minutes = 3\n", told = "{tiles.visited}";
  const auto with = [&](const std::string& problems, const std::string& figure) {
    std::string text = kLesson;
    text.replace(text.find(told), told.size(), figure);
    return text.replace(text.find(head), head.size(), head + "[problems]\n" + problems + "\n");
  };
  const std::string text = with("large = \"n=64 br=16 bc=16 sram=65536 mask=none\"", "{[large] tiles.visited}");
  const auto session = session_on(text.c_str());
  const auto visits = [&](const std::string& lesson) {
    const Result<Lesson> read = parse_lesson(lesson, "x.md");
    REQUIRE(read.ok());
    return *read->screens[0].prose[0].runs[1].figure->value(session->lesson().facts())->number();
  };
  CHECK(visits(text) == 16);
  const std::string large = "large = \"n=64 br=16 bc=16 sram=65536\"";
  CHECK(visits(with(large, "{[large mask=causal] tiles.visited}")) == 10);

  const auto why = [&](const std::string& problems, const std::string& asked) {
    const Result<Lesson> lesson = parse_lesson(with(problems, asked), "05-one.md");
    REQUIRE_FALSE(lesson.ok());
    return text_of(lesson.issues());
  };
  CHECK(has(why("large = \"heds=4\"", told), "line 9, large"));
  CHECK(has(why("large = \"heds=4\"", told), "nearest is heads"));
  CHECK(has(why("large = \"n\"", told), "line 9, large"));
  CHECK(has(why("large = 3", told), "must contain only texts"));
  CHECK(has(why("large = \"n=64\"", "{[lage] tiles.visited}"), "lage is not the name of a problem here"));
  CHECK(has(why("large = \"n=64\"", "{[lage] tiles.visited}"), "[large]"));
}

TEST_CASE("a screen asks, checks, and explains the mistake behind an answer") {
  const auto session = session_on(kLesson);
  session->dispatch(OpenLesson{5});
  REQUIRE(session->lesson().lesson());
  CHECK(session->cursor() == 3);  // its scene
  const auto verdict_of = [&](const char* text) {
    session->dispatch(CheckAnswer{text});
    return session->lesson().checked()->verdict;
  };
  CHECK(verdict_of("lots") == AnswerVerdict::Unread);
  CHECK(session->lesson().task().tries == 0);
  CHECK(verdict_of("256") == AnswerVerdict::Wrong);
  CHECK(session->lesson().checked()->says.size() == 3);  // the lesson's own text, with a figure in it
  CHECK(verdict_of("8192") == AnswerVerdict::Wrong);
  CHECK(has(session->lesson().checked()->slip, "bits"));
  CHECK(verdict_of("1 kB") == AnswerVerdict::Right);  // to two digits
  CHECK(session->lesson().task().tries == 2);
  CHECK(session->lesson().done());

  session->dispatch(Action::NextScreen);
  CHECK_FALSE(session->lesson().done());
  CHECK(verdict_of("a") == AnswerVerdict::Wrong);
  CHECK(verdict_of("B") == AnswerVerdict::Right);

  session->dispatch(Action::NextScreen);
  session->dispatch(Action::StepForward);
  CHECK_FALSE(session->lesson().done());
  session->dispatch(Action::Last);
  CHECK(session->lesson().task().right);

  session->dispatch(Action::NextScreen);
  const std::string right = right_answer(*session->lesson().screen().task, session->lesson().facts());
  CHECK(right != "a b c");
  CHECK(verdict_of("a b c") == AnswerVerdict::Wrong);
  CHECK(verdict_of("a a b") == AnswerVerdict::Unread);
  CHECK(verdict_of(right.c_str()) == AnswerVerdict::Right);
  session->dispatch(Action::LeaveLesson);
  CHECK_FALSE(session->lesson().lesson());
  CHECK(session->lesson().progress().at("05-one").tasks.size() == 4);
}

TEST_CASE("bytes are distinguished from bits, elements and other units") {
  const auto session = session_on(kLesson);
  session->dispatch(OpenLesson{5, 1});
  const auto slip_of = [&](const char* text) {
    session->dispatch(CheckAnswer{text});
    return session->lesson().checked()->slip;
  };
  CHECK(has(slip_of("1 MiB"), "1,024 apart"));
  CHECK(has(slip_of("128"), "eighth"));
  CHECK(has(slip_of("512"), "half"));
  CHECK(has(slip_of("2048"), "double"));
  CHECK(has(slip_of("3000"), "too large"));
  CHECK(has(slip_of("700"), "too small"));
}

TEST_CASE("shown answers and hints are stored apart from answered questions") {
  const auto session = session_on(kLesson);
  session->dispatch(OpenLesson{5, 1});
  session->dispatch(Action::LessonHint);
  session->dispatch(Action::LessonHint);
  session->dispatch(Action::LessonHint);
  CHECK(session->lesson().task().hints == 2);
  session->dispatch(Action::LessonAnswer);
  CHECK(session->lesson().task().shown);
  CHECK_FALSE(session->lesson().task().right);
  session->dispatch(OpenLesson{5, 3});
  session->dispatch(Action::LessonAnswer);
  CHECK(session->cursor() == session->schedule().step_count());
  CHECK(session->lesson().task().shown);
  session->dispatch(OpenLesson{6});
  CHECK(session->message()->error);
  session->dispatch(OpenLesson{5, 9});
  CHECK(session->message()->error);
  CHECK(session->lesson().screen_place() == 2);
}

TEST_CASE("progress is read back the same, and a damaged file of it is refused") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("state/tilewalk/progress.toml");
  CHECK(load_progress(path)->empty());
  LessonsProgress progress;
  progress["05-one"].screen = 3;
  progress["05-one"].round = 2;
  progress["05-one"].tasks[1] = {.tries = 2, .hints = 1, .right = true, .shown = false, .miss = -0.125};
  progress["a \"b\""].tasks[7] = {.tries = 0, .hints = 0, .right = false, .shown = true};
  REQUIRE(save_progress({}, progress, path).ok());
  const auto again = load_progress(path);
  REQUIRE(again.ok());
  CHECK(*again == progress);
  CHECK(has(text_of(parse_progress("[a]\nscreen = 0\n", "p").issues()), "line 2"));
  CHECK(has(text_of(parse_progress("[a]\nscrean = 1\n", "p").issues()), "nearest is screen"));
  CHECK(has(text_of(parse_progress("a = 1\n", "p").issues()), "is not a key"));
}
