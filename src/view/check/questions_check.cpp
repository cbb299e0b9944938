#include "view/check/questions_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "session/script.h"

namespace tilewalk {

std::vector<std::string> faults_of_questions(const NewSession& new_session) {
  std::vector<std::string> faults;
  const std::unique_ptr<Session> session = new_session();
  session->dispatch(Action::ShowQuestions);
  const QuestionsController& controller = session->questions();
  if (controller.questions().empty()) faults.push_back("there are no questions");
  for (std::size_t i = 0; i < controller.questions().size(); ++i) {
    const CommonQuestion& question = controller.questions()[i];
    const auto fault = [&](const std::string& what) {
      faults.push_back(fmt::format("question {} (line {}): {}", i + 1, question.line, what));
    };
    const auto check = [&](const Sentence& sentence) {
      for (const Run& run : sentence)
        if (run.figure)
          if (const Result<Figure> value = run.figure->value(controller.facts()); !value)
            fault("{" + run.figure->text() + "}: " + in_one_line(value.issues()));
    };
    check(question.says);
    check(question.number);
    for (const Paragraph& paragraph : question.answer) check(paragraph.runs);
    if (std::none_of(question.number.begin(), question.number.end(), [](const Run& run) { return run.figure; }))
      fault("its number is typed, not computed");
    if (const Result<Done> done = carry_out(*new_session(), question.show); !done)
      fault("what shows it: " + in_one_line(done.issues()));
  }
  return faults;
}

}  // namespace tilewalk
