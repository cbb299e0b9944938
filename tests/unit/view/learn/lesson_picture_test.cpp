// The picture of a lesson's screen: values by expressions, and nothing of what is asked before it is answered.
#include <cmath>

#include "session/lesson/lesson_file.h"
#include "tests/support/catch.h"
#include "view/check/every_text.h"
#include "view/learn/lesson_panel_model.h"

using namespace tilewalk;

namespace {

constexpr const char* kPictured = R"(# A title

```lesson
number = 5
phase = "First"
claim = "A claim."
minutes = 3
```

## Bars

```picture
kind = "bars"
title = "Two bars"
mark = "60"
mark_name = "sixty"
[[item]]
heading = "Bytes"
name = "K"
hue = "K"
value = "40"
says = "{40}"
[[item]]
heading = "Times"
name = "short"
value = "10"
[[item]]
name = "asked"
value = "777"
says = "{777}"
asked = true
```

```number
ask = "How many?"
answer = "777"
```

## Trips

```picture
kind = "trips"
title = "Your order"
```

```order
ask = "Put them in order."
says = "No."
[[option]]
text = "load S"
loads = "S"
[[option]]
text = "write S"
writes = "S"
```
)";

constexpr const char* kPairs = R"(# Pairs

```lesson
number = 5
phase = "P"
claim = "C"
minutes = 1
```

## One

```picture
kind = "pairs"
title = "T"
[[item]]
name = "Q tiles"
hue = "Q"
value = "4"
[[item]]
name = "K tiles"
hue = "K"
value = "3"
[[item]]
name = "Visits"
hue = "SRAM"
value = "12"
says = "twelve"
asked = true
```

```number
ask = "How many?"
answer = "12"
```
)";

std::unique_ptr<Session> at_screen(int screen, const std::string& text = kPictured) {
  SessionSetup setup;
  setup.load_lessons = [text]() -> Result<std::vector<Lesson>> {
    Result<Lesson> lesson = parse_lesson(text, "05.md");
    if (!lesson) return lesson.issues();
    return std::vector<Lesson>{*lesson};
  };
  auto opened = Session::open(Document{}, std::move(setup));
  REQUIRE(opened.ok());
  (*opened)->dispatch(OpenLesson{5, screen});
  REQUIRE((*opened)->lesson().lesson());
  return std::move(*opened);
}

LessonPictureModel picture_of(const Session& session) {
  const auto panel = build_lesson_panel_model(session);
  REQUIRE(panel);
  REQUIRE(panel->picture);
  return *panel->picture;
}

bool says(const Session& session, const std::string& what) {
  for (const ShownText& text : every_text(*build_lesson_panel_model(session)))
    if (text.where == "picture" && text.text.find(what) != std::string::npos) return true;
  return false;
}

std::string refusal_of(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  const Result<Lesson> lesson = parse_lesson(text, "05.md");
  return lesson ? "" : text_of(lesson.issues());
}

}  // namespace

TEST_CASE("a lesson's picture hides what is asked, and has one scale before and after the answer") {
  const auto session = at_screen(1);
  LessonPictureModel m = picture_of(*session);
  REQUIRE(m.items.size() == 3);
  CHECK(m.items[0].hue == TensorId::K);
  CHECK(m.items[0].share == 1);  // one scale for the bars under a heading
  CHECK(m.items[2].hidden);
  CHECK(m.items[2].words == "?");
  CHECK(m.items[2].share == 0);
  CHECK(m.items[1].share == Approx(10 / 60.0 / 16));  // 60 is a sixteenth of the width: 777 fits
  CHECK(m.mark == 1 / 16.0);
  CHECK_FALSE(says(*session, "777"));
  session->dispatch(CheckAnswer{"777"});
  m = picture_of(*session);
  CHECK(m.done);
  CHECK_FALSE(m.items[2].hidden);
  CHECK(m.items[2].share == Approx(777 / 60.0 / 16));
  CHECK(m.items[1].share == Approx(10 / 60.0 / 16));
  CHECK(m.mark == 1 / 16.0);
  CHECK(says(*session, "777"));
}

TEST_CASE("the outline of what is asked follows the guess, on the scale of the others under its heading") {
  std::string text = kPictured;
  text.replace(text.find("asked = true"), 12, "guess = \"10 * guess\"\nasked = true");
  const auto opened = at_screen(1, text);
  Session& session = *opened;
  CHECK_FALSE(picture_of(session).items[2].guess);
  session.dispatch(DraftAnswer{"1"});
  const PictureItemModel first = picture_of(session).items[2];
  REQUIRE(first.guess);
  CHECK(*first.guess == Approx(picture_of(session).items[1].share));  // 10, as the bar above
  CHECK(first.hidden);
  session.dispatch(DraftAnswer{"2"});
  CHECK(*picture_of(session).items[2].guess == Approx(2 * *first.guess));
  CHECK_FALSE(picture_of(session).items[2].beyond);
  session.dispatch(DraftAnswer{"2000"});
  CHECK(picture_of(session).items[2].guess == 1.0);
  CHECK(picture_of(session).items[2].beyond);
  session.dispatch(DraftAnswer{"many"});
  CHECK_FALSE(picture_of(session).items[2].guess);
  session.dispatch(CheckAnswer{"777"});
  CHECK_FALSE(picture_of(session).items[2].hidden);
  CHECK_FALSE(picture_of(session).items[2].guess);
}

TEST_CASE("a picture of tiles hides which are skipped, and what it says of them, until the answer is known") {
  std::string text = kPictured;
  const std::size_t begin = text.find("kind = \"bars\""), end = text.find("```", begin);
  text.replace(
      begin, end - begin,
      "kind = \"tiles\"\ntitle = \"Tiles\"\n[[item]]\nname = \"six\"\nvalue = \"6\"\nsays = \"15 are skipped\"\n"
      "shape_asked = true\n");
  const auto session = at_screen(1, text);
  CHECK(picture_of(*session).items[0].count == 6);
  CHECK(picture_of(*session).items[0].plain);
  CHECK_FALSE(says(*session, "15"));
  session->dispatch(CheckAnswer{"777"});
  CHECK_FALSE(picture_of(*session).items[0].plain);
  CHECK(says(*session, "15"));
}

TEST_CASE("tiles that a learner marks are in the picture, and those told to be wrong stay marked as wrong") {
  std::string text = kPictured;
  const std::size_t begin = text.find("kind = \"bars\""), end = text.find("```", begin);
  text.replace(begin, end - begin,
               "kind = \"tiles\"\ntitle = \"Tiles\"\n[[item]]\nname = \"three\"\nvalue = \"3\"\nshape_asked = true\n");
  const std::string number = "```number\nask = \"How many?\"\nanswer = \"777\"\n";
  text.replace(text.find(number), number.size(),
               "```mark-tiles\nask = \"Which?\"\nside = \"3\"\ntiles = \"skipped\"\n[[wrong]]\ntiles = \"cut\"\n"
               "says = \"They are visited.\"\n");
  const auto session = at_screen(1, text);
  using enum TileMark;
  const auto marks = [&] { return picture_of(*session).items[0].marks; };
  CHECK(marks() == std::vector<TileMark>(9, None));
  session->dispatch(DraftAnswer{"0,0-1"});
  CHECK(marks() == std::vector{Marked, Marked, None, None, None, None, None, None, None});
  session->dispatch(Action::LessonCheck);
  REQUIRE(session->lesson().checked());
  CHECK(session->lesson().checked()->verdict == AnswerVerdict::Wrong);
  CHECK(session->lesson().checked()->slip == "1 of 2 marked tiles is wrong: 0,0 (Q tile, K tile).");
  CHECK(plain_text({false, session->lesson().checked()->says}) == "They are visited.");
  session->dispatch(DraftAnswer{"0,0-1 1,2"});
  CHECK(marks() == std::vector{Wrong, Marked, None, None, None, Marked, None, None, None});
  session->dispatch(CheckAnswer{"0,1 1,2"});
  CHECK(session->lesson().checked()->slip == "2 marked, all of them right. There are more.");
  CHECK(picture_of(*session).items[0].plain);
  session->dispatch(CheckAnswer{"0,7"});
  CHECK(session->lesson().checked()->verdict == AnswerVerdict::Unread);
  session->dispatch(CheckAnswer{"0,1-2 1,2"});
  CHECK(session->lesson().done());
  CHECK(marks().empty());
  CHECK_FALSE(picture_of(*session).items[0].plain);
  CHECK(build_lesson_panel_model(*session)->task->answer == "3 of 9 tiles, 0,1-2 1,2");
}

TEST_CASE("a picture of trips has the steps in the learner's order") {
  const auto session = at_screen(2);
  session->dispatch(DraftAnswer{"a b"});
  const std::vector<PictureTrip> trips = picture_of(*session).trips;
  REQUIRE(trips.size() == 2);
  session->dispatch(DraftAnswer{"b a"});
  const std::vector<PictureTrip> turned = picture_of(*session).trips;
  CHECK(trips[0].text == turned[1].text);
  CHECK((trips[0].moves.loads.empty() ? trips[0].moves.writes : trips[0].moves.loads) == std::vector{TensorId::S});
}

TEST_CASE("a picture that cannot be drawn is refused with its line") {
  CHECK(refusal_of(kPictured, "kind = \"bars\"", "kind = \"pie\"").find("is not a kind of picture") !=
        std::string::npos);
  CHECK(refusal_of(kPictured, "hue = \"K\"", "hue = \"X\"").find("is not a tensor") != std::string::npos);
  CHECK(refusal_of(kPictured, "value = \"40\"\n", "").find("is missing") != std::string::npos);
  const std::string cells = "kind = \"cells\"", ringed = "value = \"40\"\nrings = \"3 x\"";
  std::string of_cells = kPictured;
  of_cells.replace(of_cells.find("value = \"40\""), 12, ringed);
  CHECK(refusal_of(of_cells, "kind = \"bars\"", cells).find("rings = x: is not the number of a cell") !=
        std::string::npos);
  CHECK(refusal_of(kPictured, "loads = \"S\"\n", "").empty());
  std::string still = kPictured;
  still.replace(still.find("writes = \"S\"\n"), 13, "");
  CHECK(refusal_of(still, "loads = \"S\"\n", "").find("needs an order task") != std::string::npos);
}

TEST_CASE("a picture of pairs has three items, and the pairs are asked") {
  const auto session = at_screen(1, kPairs);
  LessonPictureModel m = picture_of(*session);
  REQUIRE(m.kind == PictureKind::Pairs);
  CHECK(m.items[0].count == 4);
  CHECK(m.items[1].count == 3);
  CHECK(m.items[2].hidden);
  CHECK(m.items[2].count == 0);
  CHECK(m.items[2].sram);  // a hue that is no tensor's
  CHECK_FALSE(m.items[2].hue);
  CHECK_FALSE(says(*session, "twelve"));
  session->dispatch(CheckAnswer{"12"});
  CHECK(says(*session, "twelve"));
  std::string two = kPairs;
  const std::size_t from = two.find("[[item]]\nname = \"K tiles\""), to = two.find("[[item]]\nname = \"Visits\"");
  const Result<Lesson> lesson = parse_lesson(two.erase(from, to - from), "05.md");
  REQUIRE_FALSE(lesson);
  CHECK(text_of(lesson.issues()).find("is not the number of items of pairs") != std::string::npos);
}

TEST_CASE("the bars under a heading with same_scale have the scale of those above it") {
  std::string text = kPictured;
  const auto shares = [&] {
    const auto session = at_screen(1, text);
    const LessonPictureModel m = picture_of(*session);
    return std::pair{m.items[0].share, m.items[1].share};
  };
  CHECK(shares().first == 1);
  text.replace(text.find("heading = \"Times\""), 17, "heading = \"Times\"\nsame_scale = true");
  CHECK(shares().first == Approx(4 * shares().second));  // 40 and 10
}

TEST_CASE("logarithmic bars have a line at each power of 10, on one scale before and after the answer") {
  std::string text = kPictured;
  text.replace(text.find("mark = \"60\""), 11, "logarithmic = true\nmark = \"100\"");
  const auto session = at_screen(1, text);
  LessonPictureModel m = picture_of(*session);
  REQUIRE(m.ticks.size() == 4);  // 777 is below 1,000
  CHECK(m.ticks[0].words == "1");
  CHECK(m.ticks[3].words == "1,000");
  CHECK(m.ticks[3].share == 1);
  CHECK(*m.mark == Approx(2 / 3.0));
  CHECK(m.items[1].share == Approx(1 / 3.0));  // 10
  CHECK(m.items[2].share == 0);                // asked
  CHECK_FALSE(says(*session, "777"));
  session->dispatch(CheckAnswer{"777"});
  m = picture_of(*session);
  CHECK(m.items[1].share == Approx(1 / 3.0));
  CHECK(m.items[2].share == Approx(std::log10(777) / 3));
}
