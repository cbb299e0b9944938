#include "view/learn/questions_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "view/learn/figure_text.h"

namespace tilewalk {
namespace {

std::string in_lower(std::string text) {
  for (char& c : text) c = char(std::tolower((unsigned char)c));
  return text;
}

}  // namespace

std::vector<QuestionEntry> build_questions(const QuestionsController& controller) {
  std::vector<QuestionEntry> out;
  const auto line = [&](const Sentence& sentence, bool item = false) {
    return LessonLine{item, with_figures(sentence, controller.facts(), controller.problem())};
  };
  for (const CommonQuestion& question : controller.questions()) {
    QuestionEntry entry{.number = int(out.size()) + 1,
                        .ask = question.ask,
                        .claim = question.claim,
                        .verdict = question.verdict,
                        .says = line(question.says),
                        .settles = line(question.number),
                        .answer = {},
                        .show = question.show,
                        .shows = question.shows,
                        .chosen = controller.chosen() == int(out.size())};
    for (const Paragraph& paragraph : question.answer) entry.answer.push_back(line(paragraph.runs, paragraph.item));
    out.push_back(std::move(entry));
  }
  return out;
}

bool speaks_of(const QuestionEntry& entry, const std::string& words) {
  std::string all = entry.ask + " " + entry.claim + " " + plain_text(entry.says) + " " + plain_text(entry.settles);
  for (const LessonLine& line : entry.answer) all += " " + plain_text(line);
  return in_lower(all).find(in_lower(words)) != std::string::npos;
}

}  // namespace tilewalk
