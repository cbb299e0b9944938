#include "view/learn/lesson_panel_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "session/command/command_table.h"
#include "session/lesson/marked_tiles.h"
#include "session/lesson/roof_marks.h"
#include "view/learn/figure_text.h"

namespace tilewalk {

namespace {

struct LessonTexts {
  const Session& session;

  LessonLine line(const Sentence& sentence, bool item = false) const {
    return {item, with_figures(sentence, session.lesson().facts(), session.problem())};
  }
  std::vector<LessonLine> lines(const Prose& prose) const {
    std::vector<LessonLine> out;
    for (const Paragraph& paragraph : prose) out.push_back(line(paragraph.runs, paragraph.item));
    return out;
  }
};

LessonLine plain(std::string text) { return {false, {{Run::Style::Plain, std::move(text)}}}; }

const char* head_of(TaskKind kind) {
  switch (kind) {
    case TaskKind::Do: return "Your turn · in the window";
    case TaskKind::Choose: return "Your turn · choose one";
    case TaskKind::Number: return "Your turn · a number";
    case TaskKind::ByHand: return "Your turn · by hand";
    case TaskKind::Predict: return "Your turn · a guess";
    case TaskKind::Order: return "Your turn · put in order";
    case TaskKind::Label: return "Your turn · what belongs where";
    case TaskKind::Draw: return "Your turn · draw";
    case TaskKind::MarkTiles: return "Your turn · mark tiles";
  }
  return "";
}

// Order and Label: the option at each place, by the letters of the draft; Choose: every option.
std::vector<LessonOption> options_of(const LessonTask& task, const std::string& draft) {
  std::vector<LessonOption> out;
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

// One entry for each quantity with fields; done once all its fields are.
std::vector<LessonField> fields_of(const LessonTask& task, const HandController& hand) {
  std::vector<LessonField> out;
  if (!task.by_hand || !task.by_hand->ask) return out;
  for (const Quantity quantity : *task.by_hand->ask) {
    int there = 0, standing = 0;
    std::string numbers;
    for (const HandField& field : hand.fields())
      if (field.place.quantity == quantity) {
        ++there, standing += field.stands() ? 1 : 0;
        add_to_list(numbers, field.answer);
      }
    const ScreenMark mark = there == 0 ? ScreenMark::ToDo : standing < there ? ScreenMark::Now : ScreenMark::Done;
    out.push_back({ledger_row(quantity).letter, mark, mark == ScreenMark::Done ? numbers : ""});
  }
  return out;
}

std::vector<LessonMark> marks_of(const LessonTask& task, const LessonController& controller) {
  std::vector<LessonMark> out;
  if (task.kind != TaskKind::Draw) return out;
  const PlacedMarks placed = placed_marks(task, controller.draft()).marks;
  for (std::size_t i = 0; i < task.marks.size(); ++i) {
    if (task.marks[i].given) continue;
    LessonMark mark{.name = task.marks[i].name, .words = ""};
    if (placed[i]) {
      const bool right = judged(task, i, *placed[i], controller.facts()).right;
      mark.words = words_of(task.marks[i], *placed[i]);
      mark.mark = !controller.checked() && !controller.done() ? ScreenMark::Now
                  : right                                     ? ScreenMark::Done
                                                              : ScreenMark::Shown;
    }
    out.push_back(std::move(mark));
  }
  return out;
}

LessonTaskModel task_of(const LessonTexts& texts, const LessonTask& task, const LessonController& controller) {
  LessonTaskModel out;
  out.kind = task.kind;
  out.head = head_of(task.kind);
  out.ask = texts.line(task.ask);
  out.draft = controller.draft();
  out.unit = task.unit;
  out.options = options_of(task, controller.draft());
  out.low = task.low;
  out.high = task.high;
  out.done = controller.done();
  out.fields = fields_of(task, texts.session.hand());
  out.marks = marks_of(task, controller);
  if (task.kind == TaskKind::MarkTiles) {
    const TileMarks marks = read_tile_marks(controller.draft(), side_of(task, controller.facts())).marks;
    out.marked = fmt::format("{} of {} tiles marked", marks.count(), marks.side * marks.side);
    if (out.done) {
      const TileMarks right = right_tiles(task, marks.side);
      out.answer = fmt::format("{} of {} tiles, {}", right.count(), marks.side * marks.side, text_of(right));
    }
  }
  out.hints_left = int(task.hints.size()) - controller.task().hints;
  out.button = task.button;
  out.opens = task.opens;
  if (out.done && (task.kind == TaskKind::Number || task.kind == TaskKind::Predict))
    if (const Result<Figure> answer = task.answer->value(controller.facts()))
      out.answer = figure_text(*answer, texts.session.problem(), task.unit == "bytes" ? "bytes" : "");
  if (out.done && task.kind == TaskKind::Choose)
    for (std::size_t i = 0; i < task.options.size(); ++i)
      if (task.options[i].right) out.answer = letter_of(int(i)) + ") " + task.options[i].text;
  return out;
}

std::vector<LessonNote> notes_of(const LessonTexts& texts, const LessonTask& task, const LessonController& controller) {
  std::vector<LessonNote> notes;
  const TaskProgress progress = controller.task();
  if (!progress.done())
    for (int i = 0; i < progress.hints; ++i)
      notes.push_back({LessonNote::Kind::Hint, texts.line(task.hints[std::size_t(i)])});
  if (const std::optional<CheckedAnswer>& checked = controller.checked()) {
    const LessonNote::Kind kind =
        checked->verdict == AnswerVerdict::Right ? LessonNote::Kind::Right : LessonNote::Kind::Wrong;
    if (!checked->says.empty()) notes.push_back({kind, texts.line(checked->says)});
    if (!checked->slip.empty()) notes.push_back({kind, plain(checked->slip)});
    if (checked->verdict == AnswerVerdict::Unknown) notes.push_back({kind, plain("This cannot be checked here.")});
  }
  if (controller.tried() && !progress.right) notes.push_back({LessonNote::Kind::NotYet, texts.line(task.says)});
  if (progress.shown && task.kind == TaskKind::Choose)
    for (const TaskOption& option : task.options)
      if (option.right) notes.push_back({LessonNote::Kind::Right, texts.line(option.says)});
  if (progress.shown)
    notes.push_back({LessonNote::Kind::Shown, plain("Shown to you. Try it again whenever you like.")});
  return notes;
}

int tasks_of(const Lesson& lesson) {
  return int(std::count_if(lesson.screens.begin(), lesson.screens.end(),
                           [](const LessonScreen& s) { return s.task.has_value(); }));
}

}  // namespace

std::string plain_text(const LessonLine& line) {
  std::string out;
  for (const Run& run : line.runs) out += run.text;
  return out;
}

namespace {

std::string time_text(const Lesson& lesson) {
  const int each = (lesson.minutes + lesson.parts - 1) / lesson.parts;
  return lesson.parts > 1 ? fmt::format("{} × {} min", lesson.parts, each) : fmt::format("{} min", each);
}

}  // namespace

std::optional<LessonPanelModel> build_lesson_panel_model(const Session& session) {
  const LessonController& controller = session.lesson();
  const Lesson* const lesson = controller.lesson();
  if (!lesson) return std::nullopt;
  const LessonScreen& screen = controller.screen();
  const LessonTexts texts{session};
  LessonPanelModel model;
  model.short_head = lesson->asks ? fmt::format("Lesson {}", lesson->number) : lesson->phase;
  const std::string time = time_text(*lesson);
  model.head = lesson->asks ? fmt::format("{} · {}", model.short_head, time) : time;
  model.title = lesson->title;
  model.screen_title = screen.title;
  const auto kept = controller.progress().find(lesson->id);
  for (int i = 0; i < int(lesson->screens.size()); ++i) {
    ScreenMark mark = ScreenMark::ToDo;
    if (kept != controller.progress().end())
      if (const auto task = kept->second.tasks.find(i + 1); task != kept->second.tasks.end())
        mark = task->second.right ? ScreenMark::Done : task->second.shown ? ScreenMark::Shown : ScreenMark::ToDo;
    if (!lesson->screens[std::size_t(i)].task && i < controller.screen_place()) mark = ScreenMark::Done;
    model.marks.push_back(i == controller.screen_place() ? ScreenMark::Now : mark);
    model.screen_titles.push_back(lesson->screens[std::size_t(i)].title);
  }
  model.lines = texts.lines(screen.prose);
  model.terminal = texts.lines(screen.terminal);
  model.done = controller.done();
  if (screen.task) {
    model.task = task_of(texts, *screen.task, controller);
    model.notes = notes_of(texts, *screen.task, controller);
    if (model.done) model.after = texts.lines(screen.after);
  }
  model.first = controller.screen_place() == 0;
  model.last = controller.screen_place() + 1 == int(lesson->screens.size());
  model.picture = build_lesson_picture_model(session);
  model.outline = controller.scene().outline;
  model.code = controller.scene().code;
  model.dims = controller.scene().dims;
  model.again = model.last && std::any_of(lesson->screens.begin(), lesson->screens.end(),
                                          [](const LessonScreen& each) { return each.task && each.task->draw > 0; });
  return model;
}

std::vector<LessonEntry> build_lesson_list(const Session& session) {
  const LessonController& controller = session.lesson();
  std::vector<LessonEntry> out;
  for (const Lesson& lesson : controller.lessons()) {
    LessonEntry entry{.number = lesson.number,
                      .minutes = lesson.minutes,
                      .time = time_text(lesson),
                      .phase = lesson.phase,
                      .title = lesson.title,
                      .claim = lesson.claim,
                      .tasks = tasks_of(lesson),
                      .screens = int(lesson.screens.size()),
                      .open = controller.lesson() == &lesson};
    if (const auto kept = controller.progress().find(lesson.id); kept != controller.progress().end()) {
      entry.screen = kept->second.screen;
      entry.begun = entry.screen > 1 || !kept->second.tasks.empty();
      for (const auto& [place, task] : kept->second.tasks)
        if (place <= entry.screens && lesson.screens[std::size_t(place - 1)].task) entry.done += task.right ? 1 : 0;
    }
    out.push_back(std::move(entry));
  }
  return out;
}

namespace {

// The last lesson that was begun and is not finished; null: there is none.
const LessonEntry* last_begun(const std::vector<LessonEntry>& lessons) {
  const auto last = std::find_if(lessons.rbegin(), lessons.rend(), [](const LessonEntry& each) {
    return each.begun && (each.done < each.tasks || each.screen < each.screens);
  });
  return last == lessons.rend() ? nullptr : &*last;
}

}  // namespace

std::string text_of_choices(const std::vector<LessonOption>& options) {
  std::string out;
  for (const LessonOption& option : options) add_to_list(out, option.letter + ": " + option.text, " · ");
  return out;
}

const LessonEntry* where_to_go_on(const std::vector<LessonEntry>& lessons) {
  const auto first = [&](auto is) { return std::find_if(lessons.begin(), lessons.end(), is); };
  auto at = first([](const LessonEntry& each) { return each.open; });
  if (const LessonEntry* const begun = last_begun(lessons); begun && at == lessons.end()) return begun;
  if (at == lessons.end() && first([](const LessonEntry& each) { return each.done > 0; }) != lessons.end())
    at = first([](const LessonEntry& each) { return each.done < each.tasks; });
  return at == lessons.end() ? (lessons.empty() ? nullptr : &lessons.front()) : &*at;
}

LearnModel build_learn_model(const Session& session, const std::optional<LessonPanelModel>& open) {
  const std::string key = " (" + text_of(command_row(Action::ShowLessons).key) + ")";
  if (open) return {.words = open->short_head, .help = "The lessons" + key, .opens = Action::ShowLessons};
  const std::vector<LessonEntry> lessons = build_lesson_list(session);
  const LessonEntry* const last = last_begun(lessons);
  if (!last) return {.words = "Learn", .help = "The lessons" + key, .opens = Action::ShowLessons};
  return {.words = fmt::format("Continue {} · {} of {}", last->number, last->screen, last->screens),
          .help = fmt::format("Opens lesson {}, {}, at its screen {}. All lessons:{}", last->number, last->title,
                              last->screen, key),
          .opens = OpenLesson{.number = last->number}};
}

}  // namespace tilewalk
