// tilewalk lesson: the lessons in the terminal, with prompts; their list; and the check that plays every one of them.

#include "app/cli/lessons.h"
#include "app/cli/output.h"
#include "app/cli/text/lesson_text.h"
#include "app/cli/verbs.h"
#include "app/jobs/long_work.h"
#include "app/streams.h"
#include "base/parse.h"
#include "base/shown.h"
#include "base/words.h"
#include "session/command/command_text.h"
#include "session/script.h"
#include "view/check/lesson_check.h"

namespace tilewalk {
namespace {

constexpr const char* kWords = "   (hint, show, next, back, again, quit)\n";

int list(const std::vector<Lesson>& lessons, const LessonsProgress& progress, bool json) {
  const Result<NewSession> new_session = sessions_with(lessons, progress);
  if (!new_session) return refuse(new_session.issues());
  const std::unique_ptr<Session> session = (*new_session)();
  session->dispatch(Action::ShowLessons);
  const std::vector<LessonEntry> entries = build_lesson_list(*session);
  if (!json) {
    say("{}\nBegin one: tilewalk lesson {}\n", lesson_list_text(entries), entries.empty() ? 1 : entries[0].number);
    return kExitOk;
  }
  Json rows = Json::array();
  for (std::size_t i = 0; i < entries.size(); ++i)
    rows.push_back({{"id", lessons[i].id},
                    {"number", entries[i].number},
                    {"title", entries[i].title},
                    {"phase", entries[i].phase},
                    {"claim", entries[i].claim},
                    {"minutes", entries[i].minutes},
                    {"actions", entries[i].tasks},
                    {"done", entries[i].done}});
  print_json({{"lessons", std::move(rows)}});
  return kExitOk;
}

int review(const std::vector<Lesson>& lessons, const LessonsProgress& progress, bool json) {
  const ReviewModel model = build_review_model(lessons, progress);
  if (!json) return say("{}", review_text(model)), kExitOk;
  Json steps = Json::array(), reading = Json::array();
  for (const ReviewStep& step : model.steps)
    steps.push_back({{"lesson", step.open.number},
                     {"screen", *step.open.screen},
                     {"lesson_title", step.lesson},
                     {"screen_title", step.screen},
                     {"tries", step.tries},
                     {"right", step.right},
                     {"shown", step.shown}});
  for (const Reading& each : readings())
    reading.push_back(
        {{"title", each.title}, {"source", each.source}, {"year", each.year}, {"look_for", each.look_for}});
  print_json({{"asked", model.asked}, {"right", model.right}, {"steps", std::move(steps)}, {"reading", reading}});
  return kExitOk;
}

LessonCheck check_on_terminal(const Lesson& lesson, const NewSession& new_session, double done) {
  Progress progress(fmt::format("Checking lesson {}", lesson.number));
  progress.update(done);
  return check_lesson(lesson, new_session);
}

int check(const std::vector<Lesson>& lessons, const std::vector<const Lesson*>& asked, bool json) {
  const Result<NewSession> new_session = sessions_with(lessons);
  if (!new_session) return refuse(new_session.issues());
  Json rows = Json::array();
  bool all_passed = true;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const Lesson* const lesson = asked[i];
    const LessonCheck check = check_on_terminal(*lesson, *new_session, double(i) / double(asked.size()));
    all_passed = all_passed && check.faults.empty();
    rows.push_back({{"id", check.id},
                    {"title", check.title},
                    {"actions", check.actions},
                    {"passed", check.passed},
                    {"failed", check.failed},
                    {"diagnoses", check.diagnoses},
                    {"faults", check.faults}});
    if (json) continue;
    say("{:>3}  {}: {} actions, {} passed, {} failed, {} diagnoses\n", check.number, check.title, check.actions,
        check.passed, check.failed, check.diagnoses);
    for (const std::string& fault : check.faults) say("     {}\n", fault);
  }
  if (json) print_json({{"lessons", std::move(rows)}});
  return all_passed ? kExitOk : kExitDivergence;
}

class Terminal {
 public:
  Terminal(Session& session, std::string progress_file)
      : session_(session), progress_file_(std::move(progress_file)), kept_(session.lesson().progress()) {}

  int read(const Lesson& lesson, std::optional<std::int64_t> screen) {
    give(OpenLesson{lesson.number, screen});
    say("{}\n{}\n{}\n", lesson.title, lesson.claim, kWords);
    int shown = -1;
    while (session_.lesson().lesson() == find(lesson)) {
      if (shown != session_.lesson().screen_place()) {
        shown = session_.lesson().screen_place();
        focus_next();
        say("{}", screen_text(session_, lesson_panel()));
        asked_at_ = session_.cursor();
      }
      say("> ");
      std::fflush(stdout);
      const std::optional<TypedLine> line = next_line();
      if (!line) say("\n");
      if (!line) break;
      if (line->too_long)
        say("no That line is longer than {} letters.\n", kMostTyped);
      else if (!take(line->text))
        break;
      keep();
    }
    keep();
    if (lost_.empty()) return kExitOk;
    complain("your progress is not saved: " + lost_);
    return kExitBadInput;
  }

 private:
  const Lesson* find(const Lesson& lesson) const {
    for (const Lesson& each : session_.lesson().lessons())
      if (each.number == lesson.number) return &each;
    return nullptr;
  }
  LessonPanelModel lesson_panel() const { return *build_lesson_panel_model(session_); }
  void give(const Command& command) {
    if (const Result<Done> done = carry_out(session_, {command}); !done) say("no {}\n", text_of(done.issues()));
  }
  void print_notes() { say("{}", notes_text(lesson_panel())); }

  // False: stops reading.
  bool take(const std::string& line) {
    if (line == "quit" || line == "q") return false;
    if (line == "hint") return give(Action::LessonHint), print_notes(), true;
    if (line == "back") return give(Action::PreviousScreen), true;
    if (line == "again") return again(), true;
    if (line == "help" || line == "?") return say("{}", kWords), true;
    if (line == "show") {
      give(Action::LessonAnswer);
      if (by_hand() && !lesson_panel().done) return step_on(), true;
      print_notes();
      return true;
    }
    if (line == "next" || (line.empty() && lesson_panel().done)) {
      if (lesson_panel().last) return print_end(), false;
      return give(Action::NextScreen), true;
    }
    if (line.empty()) return say("{}", kWords), true;
    if (!lesson_panel().task) return say("There is no question here. Enter continues.\n{}", kWords), true;
    answer(line);
    return true;
  }
  // At the end of a lesson that samples its questions: the lesson once more, with others.
  void again() {
    if (lesson_panel().again && lesson_panel().done) return give(Action::LessonAgain);
    say("{}", screen_text(session_, lesson_panel()));
  }
  void print_end() {
    say("That was the last screen. Your progress is saved.\n");
    if (session_.lesson().lesson() == &session_.lesson().lessons().back())
      say("Your wrong answers, and what to read next: tilewalk lesson --review\n");
  }
  // The first open number; if there is none, the next step may ask for more.
  void answer_by_hand(const std::string& line) {
    const HandField* const open = session_.hand().first_open();
    if (!open) return step_on();
    const HandPlace place = open->place;
    give(AnswerField{place, line});
    const HandField* const tried = session_.hand().field(place);
    if (tried && !tried->stands()) return say("{}", wrapped(tried->diagnosis, "no "));
    if (tried) say("ok {} = {}\n", place_name(tried->place), tried->answer);
    step_on();
  }
  // Moves the focus, so that the inputs of that number are printed.
  void focus_next() {
    if (const HandField* open = session_.hand().first_open()) give(FocusField{open->place});
  }
  bool by_hand() const { return lesson_panel().task && lesson_panel().task->kind == TaskKind::ByHand; }
  // A screen that was done before can be worked through again.
  bool finished() const { return lesson_panel().done && (!by_hand() || session_.lesson().fields_stand()); }
  void step_on() {
    while (!finished() && session_.hand().all_right()) {
      const std::int64_t before = session_.cursor();
      give(Action::StepForward);
      if (session_.cursor() == before) break;
    }
    if (finished()) return print_notes();
    focus_next();
    say("{}", session_.cursor() == asked_at_ ? question_text(session_) : asked_text(session_));
    asked_at_ = session_.cursor();
  }
  // Without its place in the line, which is a single command here.
  static std::string not_a_command(const Issues& issues) {
    const Issue& first = issues.front();
    std::string out = first.value.empty() ? first.rule : shown(first.value) + " " + first.rule;
    if (!first.suggestion.empty()) out += ". " + first.suggestion;
    return wrapped(out, "no ");
  }
  // Actions that are clicks in the window are commands here, for every kind of question.
  void answer(const std::string& line) {
    if (by_hand()) return answer_by_hand(line);
    const Result<std::vector<Command>> commands = commands_from(line);
    if (!commands && lesson_panel().task->kind == TaskKind::Do) return say("{}", not_a_command(commands.issues()));
    if (!commands) {
      give(CheckAnswer{line});
      return print_notes();
    }
    const bool was_right = session_.lesson().task().right;
    for (const Command& command : *commands) give(command);
    const LessonPanelModel after = lesson_panel();
    say("{}", scene_text(session_, after));
    if (session_.lesson().task().right && !was_right) return print_notes();
    for (const LessonNote& note : after.notes)
      if (note.kind == LessonNote::Kind::NotYet) say("{}", wrapped(plain_text(note.line), "not yet: "));
  }
  // Progress that could not be saved is tried again at the next answer.
  void keep() {
    const LessonsProgress& now = session_.lesson().progress();
    if (now == kept_) return;
    const Result<KeptFile> saved = save_progress(kept_, now, progress_file_);
    lost_ = saved ? "" : in_one_line(saved.issues());
    if (!saved) return;
    kept_ = now;
    if (!saved->aside.empty()) complain("the file that could not be read is now " + shown(saved->aside));
  }

  Session& session_;
  const std::string progress_file_;
  LessonsProgress kept_;
  std::string lost_;            // why the last progress was not saved
  std::int64_t asked_at_ = -1;  // the cursor at which the inputs were printed last
};

// Reports flags that the chosen kind of work does not use, and two kinds at once.
Issues misplaced(const CommandLine& line) {
  if (line.has("check")) return not_beside("--check", line, {"check", "number", "lessons"});
  if (line.has("review")) return not_beside("--review", line, {"review", "lessons"});
  if (line.has("list") || !line.option("number")) return not_beside("the list", line, {"list", "lessons"});
  if (line.has("json")) return {{"json", "", "is for lists, checks and reviews", "Add --list, --check or --review"}};
  return {};
}

Result<std::optional<std::int64_t>> screen_asked(const CommandLine& line, const Lesson& lesson) {
  if (!line.option("screen")) return std::optional<std::int64_t>();
  const Result<std::int64_t> screen =
      whole_number("screen", *line.option("screen"), 1, std::int64_t(lesson.screens.size()));
  if (!screen) return screen.issues();
  return std::optional(*screen);
}

}  // namespace

int lesson_verb(const CommandLine& line) {
  if (const Issues issues = misplaced(line); !issues.empty()) return refuse(issues);
  Result<std::vector<Lesson>> lessons = open_lessons(line.option("lessons"));
  if (!lessons) return refuse(lessons.issues());
  const bool json = line.has("json");
  std::vector<const Lesson*> asked;
  for (const Lesson& each : *lessons)
    if (!line.option("number") || *line.option("number") == std::to_string(each.number) ||
        *line.option("number") == each.id)
      asked.push_back(&each);
  if (asked.empty()) {
    std::string numbers;
    for (const Lesson& each : *lessons) add_to_list(numbers, std::to_string(each.number));
    return refuse({{"lesson", line.option("number").value_or(""), "is not there",
                    numbers.empty() ? "The folder has none" : "There are " + numbers}});
  }
  if (line.has("check")) return check(*lessons, asked, json);
  Result<LessonsProgress> progress = load_progress(progress_path());
  if (!progress && line.has("review")) return refuse(progress.issues());
  if (!progress) {
    complain(text_of(progress.issues()));
    complain("so none of it is shown; the file is renamed when a lesson saves something new");
    progress = LessonsProgress{};
  }
  if (line.has("review")) return review(*lessons, *progress, json);
  if (line.has("list") || !line.option("number")) return list(*lessons, *progress, json);
  const Lesson lesson = *asked.front();
  const auto screen = screen_asked(line, lesson);
  if (!screen) return refuse(screen.issues());
  const Result<NewSession> new_session = sessions_with(std::move(*lessons), std::move(*progress));
  if (!new_session) return refuse(new_session.issues());
  const std::unique_ptr<Session> session = (*new_session)();
  return Terminal(*session, progress_path()).read(lesson, *screen);
}

}  // namespace tilewalk
