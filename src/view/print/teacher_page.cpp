#include "view/print/teacher_page.h"

#include <fmt/format.h>

#include "base/words.h"
#include "session/script.h"
#include "view/learn/figure_text.h"
#include "view/learn/lesson_panel_model.h"

namespace tilewalk {

namespace {

class PageWriter {
 public:
  PageWriter(const Lesson& lesson, const NewSession& new_session) : lesson_(lesson), new_session_(new_session) {}

  PrintDocument all() {
    out_.title = fmt::format("Lesson {} · {}", lesson_.number, lesson_.title);
    out_.label = "teacher's page";
    out_.foot = lesson_.phase;
    heading(out_.title, fmt::format("{} min", lesson_.minutes));
    lines({lesson_.claim});
    list("Ask the class", lesson_.ask_class);
    list("What is often said wrongly", lesson_.usual_mistakes);
    for (std::size_t i = 0; i < lesson_.screens.size(); ++i)
      if (lesson_.screens[i].task) question(int(i) + 1, lesson_.screens[i]);
    return std::move(out_);
  }

 private:
  void heading(std::string text, std::string note = "") {
    out_.blocks.push_back(PrintHeading{std::move(text), std::move(note)});
  }
  void lines(std::vector<std::string> all) {
    out_.blocks.push_back(PrintLines{.lines = std::move(all), .formulas = false});
  }
  void list(const char* title, const std::vector<std::string>& all) {
    if (all.empty()) return;
    heading(title);
    std::vector<std::string> items;
    for (const std::string& each : all) items.push_back("– " + each);
    lines(std::move(items));
  }

  void question(int place, const LessonScreen& screen) {
    const LessonTask& task = *screen.task;
    const std::unique_ptr<Session> session = new_session_();
    if (!carry_out(*session, {OpenLesson{lesson_.number, place}}).ok()) return;
    const auto words = [&](const Sentence& sentence) {
      return sentence_text(sentence, session->lesson().facts(), session->problem());
    };
    const std::string unit = task.unit == "bytes" ? "bytes" : "";
    heading(fmt::format("{} · {}", place, screen.title));
    std::vector<std::string> all = {words(task.ask)};
    std::vector<std::string> mistakes;
    for (const WrongAnswer& wrong : task.wrong)
      if (const Result<Figure> value = wrong.value.value(session->lesson().facts()))
        mistakes.push_back(fmt::format("– {}: {}", figure_text(*value, session->problem(), unit), words(wrong.says)));
    for (const RoofMark& mark : task.marks)
      for (const WrongMark& wrong : mark.wrong)
        mistakes.push_back(fmt::format("– {}: {}", mark.name, words(wrong.says)));
    for (const WrongTiles& wrong : task.wrong_tiles)
      mistakes.push_back(fmt::format("– {} tiles: {}", name_of(wrong.kind), words(wrong.says)));
    for (const OrderSlip& slip : task.slips)
      mistakes.push_back(fmt::format("– {} before {}: {}", task.options[std::size_t(slip.early)].text,
                                     task.options[std::size_t(slip.late)].text, words(slip.says)));
    for (const TaskOption& option : task.options)
      if (task.kind == TaskKind::Choose && !option.right)
        mistakes.push_back(fmt::format("– {}: {}", option.text, words(option.says)));
    all.push_back("Answer: " + answer(task, *session));
    all.insert(all.end(), mistakes.begin(), mistakes.end());
    lines(std::move(all));
  }

  // The text that the lesson itself shows once the answer is shown.
  static std::string answer(const LessonTask& task, Session& session) {
    constexpr int kMostSteps = 20;
    for (int i = 0; i < kMostSteps && !session.lesson().task().done(); ++i) session.dispatch(Action::LessonAnswer);
    const std::optional<LessonPanelModel> lesson_panel = build_lesson_panel_model(session);
    if (!lesson_panel || !lesson_panel->task) return "";
    std::string out = lesson_panel->task->answer;
    const auto add = [&](const std::string& part) { add_to_list(out, part, "; "); };
    for (const LessonField& field : lesson_panel->task->fields) add(field.name + " = " + field.answer);
    if (task.kind == TaskKind::Order || task.kind == TaskKind::Label)
      for (const TaskOption& option : task.options)
        add(option.place.empty() ? option.text : option.text + ": " + option.place);
    for (const LessonMark& mark : lesson_panel->task->marks) add(mark.name + " " + mark.words);
    if (task.kind == TaskKind::Do && !task.hints.empty())
      add("in the window; " + sentence_text(task.hints.front(), session.lesson().facts(), session.problem()));
    return out;
  }

  const Lesson& lesson_;
  const NewSession& new_session_;
  PrintDocument out_;
};

}  // namespace

PrintDocument build_teacher_page(const Lesson& lesson, const NewSession& new_session) {
  return PageWriter(lesson, new_session).all();
}

}  // namespace tilewalk
