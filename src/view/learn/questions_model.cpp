#include "view/learn/questions_model.h"

#include <algorithm>

#include "base/words.h"
#include "view/learn/figure_text.h"

namespace tilewalk {
namespace {

// A word without its ending: "decod" of decode, decoding, decoder.
std::string stem(std::string word) {
  const auto drop = [&](std::string_view ending) {
    if (word.size() < ending.size() + 4 || !word.ends_with(ending)) return false;
    word.resize(word.size() - ending.size());
    return true;
  };
  const bool plural = word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us") && !word.ends_with("as");
  if (!drop("ing") && !drop("ed") && !drop("er") && plural) drop("s");
  drop("e");
  return word;
}

std::vector<std::string> stems(const std::string& text) {
  std::vector<std::string> out;
  std::string word;
  for (const char c : lower_case(text) + " ") {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (letter) {
      word += c;
    } else if (!word.empty()) {
      out.push_back(stem(std::move(word)));
      word.clear();
    }
  }
  return out;
}

// Short words must be equal; a long one may be the beginning of another: "determin" of "deterministic".
bool is_kin(const std::string& asked, const std::string& other) {
  constexpr std::size_t longest_short = 3;
  return asked == other || (asked.size() > longest_short && other.starts_with(asked));
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
                        .about = question.about,
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
  std::string all = entry.ask + " " + entry.claim + " " + entry.about + " " + plain_text(entry.says) + " " +
                    plain_text(entry.settles);
  for (const LessonLine& line : entry.answer) all += " " + plain_text(line);
  if (lower_case(all).find(lower_case(words)) != std::string::npos) return true;
  const std::vector<std::string> asked = stems(words), there = stems(all);
  return !asked.empty() && std::all_of(asked.begin(), asked.end(), [&](const std::string& word) {
    return std::any_of(there.begin(), there.end(), [&](const std::string& other) { return is_kin(word, other); });
  });
}

}  // namespace tilewalk
