#include "view/learn/questions_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "session/script.h"
#include "view/learn/figure_text.h"

namespace tilewalk {
namespace {

std::string in_lower(std::string text) {
  for (char& c : text) c = char(std::tolower((unsigned char)c));
  return text;
}

}  // namespace

std::vector<QuestionEntry> build_questions(const QuestionsController& desk) {
  std::vector<QuestionEntry> out;
  const auto line = [&](const Sentence& sentence, bool item = false) {
    return RailLine{item, with_figures(sentence, desk.facts(), desk.problem())};
  };
  for (const CommonQuestion& question : desk.questions()) {
    QuestionEntry entry{.number = int(out.size()) + 1,
                        .ask = question.ask,
                        .claim = question.claim,
                        .verdict = question.verdict,
                        .says = line(question.says),
                        .settles = line(question.number),
                        .answer = {},
                        .show = question.show,
                        .shows = question.shows,
                        .chosen = desk.chosen() == int(out.size())};
    for (const Paragraph& paragraph : question.answer) entry.answer.push_back(line(paragraph.runs, paragraph.item));
    out.push_back(std::move(entry));
  }
  return out;
}

bool speaks_of(const QuestionEntry& entry, const std::string& words) {
  std::string all = entry.ask + " " + entry.claim + " " + words_of(entry.says) + " " + words_of(entry.settles);
  for (const RailLine& line : entry.answer) all += " " + words_of(line);
  return in_lower(all).find(in_lower(words)) != std::string::npos;
}

std::vector<std::string> faults_of_questions(const NewSession& new_session) {
  std::vector<std::string> faults;
  const std::unique_ptr<Session> session = new_session();
  session->dispatch(Action::ShowQuestions);
  const QuestionsController& desk = session->questions();
  if (desk.questions().empty()) faults.push_back("there are no questions");
  for (std::size_t i = 0; i < desk.questions().size(); ++i) {
    const CommonQuestion& question = desk.questions()[i];
    const auto fault = [&](const std::string& what) {
      faults.push_back(fmt::format("question {} (line {}): {}", i + 1, question.line, what));
    };
    const auto check = [&](const Sentence& sentence) {
      for (const Run& run : sentence)
        if (run.figure)
          if (const Result<Figure> value = run.figure->value(desk.facts()); !value)
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
