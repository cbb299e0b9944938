#include "view/check/lesson_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/words.h"
#include "session/document/words.h"
#include "session/lesson/marked_tiles.h"
#include "session/lesson/roof_marks.h"
#include "session/script.h"
#include "view/check/answer_in_view.h"
#include "view/learn/figure_text.h"

namespace tilewalk {

namespace {

constexpr int kFewestActions = 3;
constexpr double kSameAnswer = 0.003;  // as a share

class Checker {
 public:
  Checker(const Lesson& lesson, const NewSession& new_session) : lesson_(lesson), new_session_(new_session) {
    out_.number = lesson.number;
    out_.id = lesson.id;
    out_.title = lesson.title;
  }

  LessonCheck all() {
    for (std::size_t i = 0; i < lesson_.screens.size(); ++i) {
      screen_ = &lesson_.screens[i];
      place_ = int(i) + 1;
      const std::size_t faults = out_.faults.size();
      check_scene();
      if (!screen_->task) continue;
      ++out_.actions;
      check_task(*screen_->task);
      ++(out_.faults.size() == faults ? out_.passed : out_.failed);
    }
    if (lesson_.asks && out_.actions < kFewestActions)
      out_.faults.push_back(fmt::format("{}: asks {} time{}; a lesson asks at least {} times", lesson_.id, out_.actions,
                                        out_.actions == 1 ? "" : "s", kFewestActions));
    return out_;
  }

 private:
  void fault(const std::string& what) {
    out_.faults.push_back(fmt::format("{}, screen {} (line {}): {}", lesson_.id, place_, screen_->line, what));
  }
  // A session on this screen; null, with a fault added, where the screen cannot be reached.
  std::unique_ptr<Session> open() {
    std::unique_ptr<Session> session = new_session_();
    const Result<Done> done = carry_out(*session, {OpenLesson{lesson_.number, place_}});
    if (!done) return fault("does not open: " + in_one_line(done.issues())), nullptr;
    return session;
  }
  void check_words(const Sentence& sentence, const Session& session) {
    for (const Run& run : sentence)
      if (run.figure)
        if (const Result<Figure> value = run.figure->value(session.lesson().facts()); !value)
          fault("{" + run.figure->text() + "}: " + in_one_line(value.issues()));
  }
  void check_prose(const Prose& prose, const Session& session) {
    for (const Paragraph& paragraph : prose) check_words(paragraph.runs, session);
  }
  void check_scene() {
    if (screen_->scene) {
      const std::unique_ptr<Session> bare = new_session_();
      if (const Result<Done> done = carry_out(*bare, screen_->scene->commands); !done)
        fault("its scene: " + in_one_line(done.issues()));
    }
    if (const std::unique_ptr<Session> session = open()) {
      for (const Prose* prose : {&screen_->prose, &screen_->terminal}) check_prose(*prose, *session);
      if (screen_->picture) check_picture(*screen_->picture, *session);
    }
  }
  void check_picture(const LessonPicture& picture, Session& session) {
    check_words(picture.title, session);
    check_words(picture.note, session);
    const auto check_value = [&](const Expression& expression) {
      const Result<Figure> value = expression.value(session.lesson().facts());
      if (!value) return fault("its picture: " + expression.text() + ": " + in_one_line(value.issues()));
      if (!value->number()) fault("its picture: " + expression.text() + " is not a number");
    };
    if (picture.mark) check_value(picture.mark->value);
    for (const PictureItem& item : picture.items) {
      check_words(item.says, session);
      for (const Sentence& number : item.numbers) check_words(number, session);
      if (item.value) check_value(*item.value);
    }
    session.dispatch(DraftAnswer{"2"});
    for (const PictureItem& item : picture.items)
      if (item.guess) check_value(*item.guess);
  }

  void check_task(const LessonTask& task) {
    const std::unique_ptr<Session> session = open();
    if (!session) return;
    if (task.answer && task.kind != TaskKind::MarkTiles) check_answer_hidden(task, *session);
    check_words(task.ask, *session);
    for (const Sentence& hint : task.hints) check_words(hint, *session);
    switch (task.kind) {
      case TaskKind::Do: check_deed(task); break;
      case TaskKind::Choose: check_choice(task, *session); break;
      case TaskKind::Order:
      case TaskKind::Label: check_order(task, *session); break;
      case TaskKind::Number:
      case TaskKind::Predict: check_number(task, *session); break;
      case TaskKind::ByHand: check_by_hand(); break;
      case TaskKind::Draw: check_marks(task, *session); break;
      case TaskKind::MarkTiles: check_tiles(task, *session); break;
    }
    check_shown();
  }
  CheckedAnswer given(Session& session, const std::string& text) {
    session.dispatch(CheckAnswer{text});
    return session.lesson().checked().value_or(CheckedAnswer{});
  }
  void expect_right(Session& session, const std::string& text) {
    if (given(session, text).verdict != AnswerVerdict::Right || !session.lesson().task().right)
      fault("the right answer, " + text + ", does not pass");
    check_prose(screen_->after, session);
  }

  // A wrong answer that the lesson names gets the lesson's reply to it.
  void expect_said(Session& session, const std::string& text, const Sentence& says, const std::string& which) {
    check_words(says, session);
    const CheckedAnswer answer = given(session, text);
    if (answer.verdict != AnswerVerdict::Wrong || answer.says != says)
      fault("is not recognised: " + which);
    else
      ++out_.diagnoses;
  }

  void check_answer_hidden(const LessonTask& task, Session& session) {
    while (session.busy()) session.dispatch(Work{64});
    const Result<Figure> right = task.answer->value(session.lesson().facts());
    if (!right || !right->number()) return;
    for (const ShownText& shown : texts_with_answer(session, *right->number(), task.unit))
      out_.faults.push_back(
          fmt::format("{}.md, line {}: the answer of screen {}, {}, is visible on the {} page, at {}: \"{}\"",
                      lesson_.id, task.line, place_, format_number_of(*right->number()),
                      kPageWords[int(session.page())], shown.where, shown.text));
  }

  void check_deed(const LessonTask& task) {
    const std::unique_ptr<Session> session = open();
    if (!session) return;
    if (session->lesson().task().right) return fault("its goal is met before anything is done");
    if (const Result<Done> done = carry_out(*session, task.show); !done)
      return fault("what shows it: " + in_one_line(done.issues()));
    if (!session->lesson().task().right) {
      const Result<Figure> goal = task.goal->value(session->lesson().facts());
      return fault("what shows it does not meet its goal" + (goal ? "" : ": " + in_one_line(goal.issues())));
    }
    check_prose(screen_->after, *session);
  }
  void check_choice(const LessonTask& task, Session& session) {
    std::set<std::string> said;
    for (std::size_t i = 0; i < task.options.size(); ++i) {
      if (task.options[i].right) continue;
      const CheckedAnswer answer = given(session, letter_of(int(i)));
      if (answer.verdict != AnswerVerdict::Wrong) fault("option " + letter_of(int(i)) + " is not marked wrong");
      check_words(answer.says, session);
      said.insert(sentence_text(answer.says, session.lesson().facts(), session.problem()));
    }
    if (stands_out(task.options)) fault("its right option is by far the longest");
    if (said.size() + 1 != task.options.size()) fault("two wrong options are answered by the same words");
    out_.diagnoses += int(said.size());
    expect_right(session, right_answer(task, session.lesson().facts()));
  }
  // A right option much longer than each other gives itself away.
  static bool stands_out(const std::vector<TaskOption>& options) {
    constexpr double kFar = 1.6;
    constexpr std::size_t kShort = 30;  // letters: among short options a few letters are a large share
    std::size_t right = 0, other = 0;
    for (const TaskOption& option : options) {
      std::size_t& longest = option.right ? right : other;
      longest = std::max(longest, option.text.size());
    }
    return right > kShort && double(right) > kFar * double(other);
  }
  void check_order(const LessonTask& task, Session& session) {
    std::string untouched;
    for (std::size_t i = 0; i < task.options.size(); ++i) untouched += letter_of(int(i)) + " ";
    if (given(session, untouched).verdict != AnswerVerdict::Wrong) fault("what stands there first is not marked wrong");
    check_words(task.says, session);
    ++out_.diagnoses;
    for (const OrderSlip& slip : task.slips) check_slip(task, slip, session);
    expect_right(session, right_answer(task, session.lesson().facts()));
  }
  // The right order, but with `early` moved to the place before `late`.
  void check_slip(const LessonTask& task, const OrderSlip& slip, Session& session) {
    std::vector<int> order;
    for (int i = 0; i < int(task.options.size()); ++i) {
      if (i == slip.late) order.push_back(slip.early);
      if (i != slip.early) order.push_back(i);
    }
    const std::vector<int> shown = shuffled(task);
    std::string text;
    for (const int option : order)
      add_to_list(text, letter_of(int(std::find(shown.begin(), shown.end(), option) - shown.begin())), " ");
    expect_said(session, text, slip.says, "a slip of the order: " + task.options[std::size_t(slip.early)].text);
  }
  // Each named wrong position of a mark, with the others in their right places.
  void check_marks(const LessonTask& task, Session& session) {
    const Facts& facts = session.lesson().facts();
    const PlacedMarks right = placed_marks(task, right_marks(task, facts)).marks;
    for (std::size_t i = 0; i < task.marks.size(); ++i) {
      const std::optional<PlacedMark> place = right_place(task.marks[i], facts);
      if (!place) fault("the place of " + task.marks[i].name + " cannot be computed");
      if (!place || task.marks[i].given) continue;
      for (const WrongMark& wrong : task.marks[i].wrong) {
        PlacedMarks marks = right;
        const auto number = [&](const std::optional<Expression>& of, double otherwise) {
          const Result<Figure> value = of ? of->value(facts) : Result<Figure>(Figure::of(otherwise));
          if (value && value->number()) return *value->number();
          fault("a wrong place of " + task.marks[i].name + " cannot be computed: " + of->text());
          return otherwise;
        };
        marks[i] = {number(wrong.x, place->x), number(wrong.y, place->y)};
        expect_said(session, text_of_marks(task, marks), wrong.says, "a wrong place of " + task.marks[i].name);
      }
    }
    expect_right(session, right_marks(task, facts));
  }
  // The right tiles, with those of each named kind beside them; and without one of them.
  void check_tiles(const LessonTask& task, Session& session) {
    const int side = side_of(task, session.lesson().facts());
    if (side == 0) return fault("its number of tiles cannot be computed: " + task.answer->text());
    const TileMarks right = right_tiles(task, side);
    for (const WrongTiles& wrong : task.wrong_tiles) {
      LessonTask other = task;
      other.tiles = wrong.kind;
      TileMarks marks = right_tiles(other, side);
      for (std::size_t i = 0; i < marks.marked.size(); ++i) marks.marked[i] = marks.marked[i] || right.marked[i];
      expect_said(session, text_of(marks), wrong.says, std::string("tiles that are ") + name_of(wrong.kind));
    }
    TileMarks fewer = right;
    *std::find(fewer.marked.begin(), fewer.marked.end(), true) = false;
    if (given(session, text_of(fewer)).verdict == AnswerVerdict::Right) fault("a missing tile passes");
    expect_right(session, right_answer(task, session.lesson().facts()));
  }
  void check_number(const LessonTask& task, Session& session) {
    const Facts& facts = session.lesson().facts();
    const Result<Figure> right = task.answer->value(facts);
    if (!right || !right->number())
      return fault("its answer cannot be computed: " + (right ? "it is no number" : in_one_line(right.issues())));
    if (task.kind == TaskKind::Predict && (*right->number() < task.low || *right->number() > task.high))
      fault(fmt::format("its answer, {}, lies outside its scale", *right->number()));
    std::vector<double> wrong_values;
    for (const WrongAnswer& wrong : task.wrong) {
      const Result<Figure> value = wrong.value.value(facts);
      if (!value || !value->number()) {
        fault("a wrong answer cannot be computed: " + wrong.value.text() +
              (value ? "" : ": " + in_one_line(value.issues())));
        continue;
      }
      const double number = *value->number();
      // Of another call it is a mistake; of this one it is the method's answer, or near enough for a guess.
      if (is_by_method(task, number, facts) || (task.draw > 0 && stands(task, number, *right->number()))) continue;
      for (const double other : wrong_values)
        if (task.draw == 0 && std::abs(number - other) <= kSameAnswer * std::abs(other))
          fault("two wrong answers are the same: " + wrong.value.text());
      wrong_values.push_back(number);
      expect_said(session, format_number_of(number), wrong.says, "a wrong answer: " + wrong.value.text());
    }
    expect_right(session, right_answer(task, facts));
  }
  // Answers each field with the number of the walk.
  void check_by_hand() {
    const std::unique_ptr<Session> session = open();
    if (!session) return;
    constexpr int kMostSteps = 40;
    int wrong = 0;
    for (int i = 0; i < kMostSteps && !session->lesson().task().done(); ++i) {
      for (const HandField& field : std::vector<HandField>(session->hand().fields())) {
        if (field.stands()) continue;
        session->dispatch(AnswerField{field.place, "123456"});
        const HandField* const tried = session->hand().field(field.place);
        if (tried && tried->state == HandState::Wrong && !tried->diagnosis.empty()) ++wrong;
        session->dispatch(ShowField{field.place});
      }
      if (!session->lesson().task().done()) session->dispatch(Action::StepForward);
      while (session->busy()) session->dispatch(Work{64});
    }
    if (wrong == 0) fault("asks for nothing by hand");
    if (!session->lesson().task().done()) fault("what is asked by hand never comes to its end");
    check_prose(screen_->after, *session);
  }
  static std::string format_number_of(double number) { return fmt::format("{:.6g}", number); }

  // "Show me" must work on every screen and lead on.
  void check_shown() {
    const std::unique_ptr<Session> session = open();
    if (!session) return;
    if (const Result<Done> done = carry_out(*session, {Action::LessonAnswer}); !done)
      fault("its answer cannot be shown: " + in_one_line(done.issues()));
    for (int i = 0; i < 20 && !session->lesson().task().done(); ++i) session->dispatch(Action::LessonAnswer);
    if (!session->lesson().task().done()) fault("its answer cannot be shown");
  }

  const Lesson& lesson_;
  const NewSession& new_session_;
  LessonCheck out_;
  const LessonScreen* screen_ = nullptr;
  int place_ = 0;
};

}  // namespace

LessonCheck check_lesson(const Lesson& lesson, const NewSession& new_session) {
  return Checker(lesson, new_session).all();
}

}  // namespace tilewalk
