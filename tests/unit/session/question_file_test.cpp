#include "session/questions/question_file.h"

#include "session/command/command_text.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

const std::string kGood = R"(# Questions

## Is it so?

```question
claim = "It is so."
verdict = "it depends"
says = "Now and then."
number = "{n} of them."
show = "load-preset picture; last"
shows = "The end"
```

It *is*. Sometimes.

- {n * 2} times.
)";

std::string with_change(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

}  // namespace

TEST_CASE("a question has its claim, verdict, number, view and answer") {
  const Result<std::vector<CommonQuestion>> read = parse_questions(kGood, "q.md");
  INFO((read ? "" : text_of(read.issues())));
  REQUIRE(read.ok());
  REQUIRE(read->size() == 1);
  const CommonQuestion& q = read->front();
  CHECK(q.ask == "Is it so?");
  CHECK(q.line == 3);
  CHECK(q.verdict == AnswerKind::Depends);
  CHECK(q.show.size() == 2);
  CHECK(text_of(q.show[1]) == "last");
  CHECK(q.answer.size() == 2);
  CHECK(q.answer[1].item);
  CHECK(q.number.front().figure);
}

TEST_CASE("errors in a file of questions are reported with their line") {
  const std::pair<std::string, const char*> wrong[] = {
      {with_change(kGood, "\"it depends\"", "\"maybe\""), "must be one of right, partly, wrong, it depends"},
      {with_change(kGood, "shows = \"The end\"\n", ""), "q.md, line 5 = shows: is missing"},
      {with_change(kGood, "{n} of", "{m} of"), "q.md, line 5, number"},
      {with_change(kGood, "load-preset", "lode-preset"), "lode-preset"},
      {with_change(kGood, "It *is*. Sometimes.\n\n- {n * 2} times.\n", ""), "has no answer"},
      {with_change(kGood, "```question", "```scene"), "each question has one ```question block"},
      {with_change(kGood, "claim =", "claims ="), "line 6, claims"},
      {"# Questions\n", "contains no question"},
      {"Text\n" + kGood, "is before the first question"}};
  for (const auto& [text, part] : wrong) {
    const Result<std::vector<CommonQuestion>> read = parse_questions(text, "q.md");
    CAPTURE(part);
    REQUIRE_FALSE(read.ok());
    INFO(text_of(read.issues()));
    CHECK(text_of(read.issues()).find(part) != std::string::npos);
  }
}
