#include "view/learn/lesson_panel_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "view/learn/figure_text.h"

namespace tilewalk {

namespace {

struct Telling {
  const Session& session;

  RailLine line(const Sentence& sentence, bool item = false) const {
    return {item, with_figures(sentence, session.lesson().facts(), session.problem())};
  }
  std::vector<RailLine> lines(const Prose& prose) const {
    std::vector<RailLine> out;
    for (const Paragraph& paragraph : prose) out.push_back(line(paragraph.runs, paragraph.item));
    return out;
  }
};

RailLine plain(std::string text) { return {false, {{Run::Style::Plain, std::move(text)}}}; }

const char* head_of(TaskKind kind) {
  switch (kind) {
    case TaskKind::Do: return "Your turn · in the window";
    case TaskKind::Choose: return "Your turn · choose one";
    case TaskKind::Number: return "Your turn · a number";
    case TaskKind::ByHand: return "Your turn · by hand";
    case TaskKind::Predict: return "Your turn · a guess";
    case TaskKind::Order: return "Your turn · put in order";
    case TaskKind::Label: return "Your turn · what belongs where";
  }
  return "";
}

// Of Order and Label what stands at each place, by the letters of the draft; of Choose all that may be chosen.
std::vector<RailOption> options_of(const LessonTask& task, const std::string& draft) {
  std::vector<RailOption> out;
  if (task.kind == TaskKind::Choose) {
    for (std::size_t i = 0; i < task.options.size(); ++i) {
      const std::string letter = letter_of(int(i));
      out.push_back({letter, task.options[i].text, "", draft == letter});
    }
    return out;
  }
  const std::vector<int> shown = shuffled(task);
  for (const char c : draft) {
    const std::size_t place = std::size_t(c - 'a');
    if (c < 'a' || place >= shown.size()) continue;
    const std::size_t at = out.size();
    out.push_back({std::string(1, c), task.options[std::size_t(shown[place])].text,
                   at < task.options.size() ? task.options[at].place : "", false});
  }
  return out;
}

// Each quantity that is asked, and how far it has come: done once all that is asked of it stands.
std::vector<RailField> fields_of(const LessonTask& task, const HandController& hand) {
  std::vector<RailField> out;
  if (!task.by_hand || !task.by_hand->ask) return out;
  for (const Quantity quantity : *task.by_hand->ask) {
    int there = 0, standing = 0;
    std::string numbers;
    for (const HandField& field : hand.fields())
      if (field.place.quantity == quantity) {
        ++there, standing += field.stands() ? 1 : 0;
        add_to_list(numbers, field.answer);
      }
    const RailMark mark = there == 0 ? RailMark::ToDo : standing < there ? RailMark::Now : RailMark::Done;
    out.push_back({ledger_row(quantity).letter, mark, mark == RailMark::Done ? numbers : ""});
  }
  return out;
}

RailTask task_of(const Telling& texts, const LessonTask& task, const LessonController& desk) {
  RailTask out;
  out.kind = task.kind;
  out.head = head_of(task.kind);
  out.ask = texts.line(task.ask);
  out.draft = desk.draft();
  out.unit = task.unit;
  out.options = options_of(task, desk.draft());
  out.low = task.low;
  out.high = task.high;
  out.done = desk.done();
  out.fields = fields_of(task, texts.session.hand());
  out.hints_left = int(task.hints.size()) - desk.task().hints;
  if (out.done && (task.kind == TaskKind::Number || task.kind == TaskKind::Predict))
    if (const Result<Figure> answer = task.answer->value(desk.facts()))
      out.answer = figure_text(*answer, texts.session.problem(), task.unit == "bytes" ? "bytes" : "");
  if (out.done && task.kind == TaskKind::Choose)
    for (std::size_t i = 0; i < task.options.size(); ++i)
      if (task.options[i].right) out.answer = letter_of(int(i)) + ") " + task.options[i].text;
  return out;
}

std::vector<RailNote> notes_of(const Telling& texts, const LessonTask& task, const LessonController& desk) {
  std::vector<RailNote> notes;
  const TaskProgress progress = desk.task();
  if (!progress.done())
    for (int i = 0; i < progress.hints; ++i)
      notes.push_back({RailNote::Kind::Hint, texts.line(task.hints[std::size_t(i)])});
  if (const std::optional<CheckedAnswer>& checked = desk.checked()) {
    const RailNote::Kind kind =
        checked->verdict == AnswerVerdict::Right ? RailNote::Kind::Right : RailNote::Kind::Wrong;
    if (!checked->says.empty()) notes.push_back({kind, texts.line(checked->says)});
    if (!checked->slip.empty()) notes.push_back({kind, plain(checked->slip)});
    if (checked->verdict == AnswerVerdict::Unknown) notes.push_back({kind, plain("This cannot be told here.")});
  }
  if (desk.tried() && !progress.right) notes.push_back({RailNote::Kind::NotYet, texts.line(task.says)});
  if (progress.shown && task.kind == TaskKind::Choose)
    for (const TaskOption& option : task.options)
      if (option.right) notes.push_back({RailNote::Kind::Right, texts.line(option.says)});
  if (progress.shown) notes.push_back({RailNote::Kind::Shown, plain("Shown to you. Try it again whenever you like.")});
  return notes;
}

int tasks_of(const Lesson& lesson) {
  return int(std::count_if(lesson.screens.begin(), lesson.screens.end(),
                           [](const LessonScreen& s) { return s.task.has_value(); }));
}

}  // namespace

std::string words_of(const RailLine& line) {
  std::string out;
  for (const Run& run : line.runs) out += run.text;
  return out;
}

std::optional<LessonPanelModel> build_lesson_panel_model(const Session& session) {
  const LessonController& desk = session.lesson();
  const Lesson* const lesson = desk.lesson();
  if (!lesson) return std::nullopt;
  const LessonScreen& screen = desk.screen();
  const Telling texts{session};
  LessonPanelModel model;
  model.short_head = lesson->asks ? fmt::format("Lesson {}", lesson->number) : lesson->phase;
  model.head = lesson->asks ? fmt::format("{} · {} min", model.short_head, lesson->minutes)
                            : fmt::format("{} min", lesson->minutes);
  model.title = lesson->title;
  model.screen_title = screen.title;
  const auto kept = desk.progress().find(lesson->id);
  for (int i = 0; i < int(lesson->screens.size()); ++i) {
    RailMark mark = RailMark::ToDo;
    if (kept != desk.progress().end())
      if (const auto task = kept->second.tasks.find(i + 1); task != kept->second.tasks.end())
        mark = task->second.right ? RailMark::Done : task->second.shown ? RailMark::Shown : RailMark::ToDo;
    if (!lesson->screens[std::size_t(i)].task && i < desk.screen_place()) mark = RailMark::Done;
    model.marks.push_back(i == desk.screen_place() ? RailMark::Now : mark);
  }
  model.lines = texts.lines(screen.prose);
  model.done = desk.done();
  if (screen.task) {
    model.task = task_of(texts, *screen.task, desk);
    model.notes = notes_of(texts, *screen.task, desk);
    if (model.done) model.after = texts.lines(screen.after);
  }
  model.first = desk.screen_place() == 0;
  model.last = desk.screen_place() + 1 == int(lesson->screens.size());
  model.outline = desk.scene().outline;
  model.code = desk.scene().code;
  model.numbered = !lesson->asks;
  model.again = model.last && std::any_of(lesson->screens.begin(), lesson->screens.end(),
                                          [](const LessonScreen& each) { return each.task && each.task->draw > 0; });
  return model;
}

std::vector<LessonEntry> build_lesson_list(const Session& session) {
  const LessonController& desk = session.lesson();
  std::vector<LessonEntry> out;
  for (const Lesson& lesson : desk.lessons()) {
    LessonEntry entry{.number = lesson.number,
                      .minutes = lesson.minutes,
                      .phase = lesson.phase,
                      .title = lesson.title,
                      .claim = lesson.claim,
                      .tasks = tasks_of(lesson),
                      .open = desk.lesson() == &lesson};
    if (const auto kept = desk.progress().find(lesson.id); kept != desk.progress().end()) {
      entry.screen = kept->second.screen;
      for (const auto& [place, task] : kept->second.tasks) entry.done += task.right ? 1 : 0;
    }
    out.push_back(std::move(entry));
  }
  return out;
}

const LessonEntry* where_to_go_on(const std::vector<LessonEntry>& lessons) {
  const auto first = [&](auto is) { return std::find_if(lessons.begin(), lessons.end(), is); };
  auto at = first([](const LessonEntry& each) { return each.open; });
  if (at == lessons.end() && first([](const LessonEntry& each) { return each.done > 0; }) != lessons.end())
    at = first([](const LessonEntry& each) { return each.done < each.tasks; });
  return at == lessons.end() ? (lessons.empty() ? nullptr : &lessons.front()) : &*at;
}

}  // namespace tilewalk
