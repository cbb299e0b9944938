// The shipped questions: every figure has a value, every view opens, and no common question is missing.
#include <algorithm>

#include "session/document/session_file.h"
#include "session/lesson/lesson_file.h"
#include "session/questions/question_file.h"
#include "session/resources.h"
#include "tests/support/catch.h"
#include "tests/support/shipped_setup.h"
#include "view/check/questions_check.h"
#include "view/learn/questions_model.h"

using namespace tilewalk;

namespace {

std::vector<QuestionEntry> entries_of(Session& session) {
  session.dispatch(Action::ShowQuestions);
  return build_questions(session.questions());
}

std::size_t word_count(const std::string& text) { return std::size_t(std::count(text.begin(), text.end(), ' ')) + 1; }

}  // namespace

TEST_CASE("every figure of a question has a value, and every view opens") {
  const std::vector<std::string> faults = faults_of_questions(test::shipped_session);
  for (const std::string& fault : faults) UNSCOPED_INFO(fault);
  CHECK(faults.empty());
}

TEST_CASE("the common questions and claims are there, short, with a verdict") {
  const std::unique_ptr<Session> session = test::shipped_session();
  const std::vector<QuestionEntry> all = entries_of(*session);
  CHECK(all.size() >= 17);
  const std::pair<const char*, AnswerKind> asked[] = {{"approximat", AnswerKind::Wrong},
                                                      {"FLOPs", AnswerKind::Wrong},
                                                      {"memory-bound", AnswerKind::Right},
                                                      {"online softmax", AnswerKind::Right},
                                                      {"FA-1 and FA-2", AnswerKind::Partly},
                                                      {"FA-3 change", AnswerKind::Right},
                                                      {"2 to 4 times", AnswerKind::Depends},
                                                      {"5 to 10 times", AnswerKind::Depends},
                                                      {"256 MB", AnswerKind::Partly},
                                                      {"O(N·d)", AnswerKind::Wrong},
                                                      {"SDPA", AnswerKind::Depends},
                                                      {"CPU", AnswerKind::Depends},
                                                      {"1000 times", AnswerKind::Partly},
                                                      {"P·V", AnswerKind::Wrong},
                                                      {"PyTorch's in the last", AnswerKind::Wrong},
                                                      {"short inputs", AnswerKind::Depends},
                                                      {"decoding", AnswerKind::Partly},
                                                      {"be slower", AnswerKind::Wrong}};
  for (const auto& [words, verdict] : asked) {
    CAPTURE(words);
    CHECK(std::any_of(all.begin(), all.end(), [&, w = words, v = verdict](const QuestionEntry& entry) {
      return entry.verdict == v && (entry.ask + entry.claim).find(w) != std::string::npos;
    }));
  }
  for (const QuestionEntry& entry : all) {
    CAPTURE(entry.ask);
    std::string answer = plain_text(entry.says) + " " + plain_text(entry.settles);
    for (const LessonLine& line : entry.answer) answer += " " + plain_text(line);
    CHECK(answer.find("…") == std::string::npos);
    CHECK(word_count(answer) <= 130);
    CHECK(entry.ask.ends_with("?"));
  }
}

TEST_CASE("an answer stays the same whatever is on screen") {
  const std::unique_ptr<Session> session = test::shipped_session();
  const std::string before = plain_text(entries_of(*session)[8].settles);
  session->dispatch(LoadPreset{"huge"});
  CHECK(plain_text(entries_of(*session)[8].settles) == before);
  CHECK(before.find("256 MiB") != std::string::npos);
}

TEST_CASE("a question is chosen by its number, and another number is refused") {
  const std::unique_ptr<Session> session = test::shipped_session();
  session->dispatch(ChooseQuestion{3});
  CHECK(entries_of(*session)[2].chosen);
  session->dispatch(ChooseQuestion{0});
  for (const QuestionEntry& entry : entries_of(*session)) CHECK_FALSE(entry.chosen);
  session->dispatch(ChooseQuestion{99});
  REQUIRE(session->message());
  CHECK(session->message()->text.find("is not there") != std::string::npos);
  CHECK(speaks_of(entries_of(*session)[3], "Softmax"));
}

TEST_CASE("a question is found by other forms of its words, and by words that people use for it") {
  const std::unique_ptr<Session> session = test::shipped_session();
  const std::vector<QuestionEntry> all = entries_of(*session);
  const auto found = [&](const std::string& words) {
    std::vector<int> out;
    for (const QuestionEntry& entry : all)
      if (speaks_of(entry, words)) out.push_back(entry.number);
    return out;
  };
  const auto finds = [&](const std::string& words, int number) {
    const std::vector<int> numbers = found(words);
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
  };
  for (const char* words : {"decode", "decoding", "decoder", "kv cache", "KV caches", "is_causal"}) {
    CAPTURE(words);
    CHECK(finds(words, 18));
  }
  for (const char* words : {"gqa", "padding", "deterministic", "bias", "windows"}) {
    CAPTURE(words);
    CHECK(finds(words, 11));
  }
  CHECK(finds("nan", 15));
  CHECK(finds("window", 2));
  CHECK(finds("generating tokens", 18));
  CHECK(found("zebra").empty());
  CHECK(found("decode zebra").empty());
}
