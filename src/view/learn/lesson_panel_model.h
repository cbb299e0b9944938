// The lesson panel beside the walk: the screen of the open lesson, its task, and the reply to the answer. About 60
// words at a time. Right answers are included only after they were given or shown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/session.h"
#include "view/learn/lesson_picture_model.h"

namespace tilewalk {

enum class ScreenMark { ToDo, Done, Shown, Now };  // one for each screen in the row of marks

struct LessonLine {
  bool item = false;
  Sentence runs;  // figures are replaced by words
};

std::string plain_text(const LessonLine&);  // without styles

struct LessonOption {
  std::string letter, text;
  std::string place;  // Label: the name of its current place
  bool chosen = false;
};

struct LessonField {  // ByHand: one quantity
  std::string name;
  ScreenMark mark = ScreenMark::ToDo;
  std::string answer = {};  // its numbers, in the order of rows and columns, once all are known
};

struct LessonMark {                    // Draw: one mark to place
  std::string name, words;             // words: its place, "4.28 TB/s"; empty until it is placed
  ScreenMark mark = ScreenMark::ToDo;  // Now: placed, not judged; Shown: judged wrong
};

// "a: ℓ · b: O · c: both"; empty without choices.
std::string text_of_choices(const std::vector<LessonOption>&);

struct LessonTaskModel {
  TaskKind kind = TaskKind::Number;
  std::string head;        // "Lesson 7 · 8 min"
  std::string short_head;  // "Lesson 7"
  LessonLine ask;
  std::string draft, unit;
  std::vector<LessonOption> options;
  std::vector<LessonField> fields;
  std::vector<LessonMark> marks;
  std::string marked = {};  // MarkTiles: "3 of 36 tiles marked"
  double low = 1, high = 1;
  bool done = false;
  std::string answer;  // the right answer as a person types it, once the task is done
  int hints_left = 0;
  std::string button = {};  // Do: below the question; empty: none
  std::vector<Command> opens = {};
};

struct LessonNote {
  enum class Kind { Right, Wrong, NotYet, Hint, Shown } kind = Kind::Right;
  LessonLine line;
};

struct LessonPanelModel {
  std::string head;        // "Lesson 7 · 8 min"
  std::string short_head;  // "Lesson 7"
  std::string title, screen_title;
  std::vector<ScreenMark> marks;            // one for each screen
  std::vector<std::string> screen_titles;   // likewise
  std::vector<LessonLine> lines, terminal;  // terminal: in their place where there is no window; empty: the same
  std::optional<LessonTaskModel> task;
  std::vector<LessonNote> notes;
  std::vector<LessonLine> after;     // shown once the task is done
  bool first = false, last = false;  // the first or last screen of the lesson
  bool done = false;                 // only Next is left to do
  std::optional<LessonPictureModel> picture;
  std::vector<std::string> outline;
  bool code = false;
  bool dims = false;   // the page, but for the outlined parts
  bool again = false;  // the lesson can be repeated with other sampled calls
};

std::optional<LessonPanelModel> build_lesson_panel_model(const Session&);  // empty where no lesson is open

struct LessonEntry {
  int number = 0, minutes = 0;
  std::string time;  // "8 min", of one in parts "2 × 12 min"
  std::string phase, title, claim;
  int tasks = 0, done = 0;
  int screen = 1, screens = 0;  // the last screen shown, and their number
  bool begun = false;
  bool open = false;
};
std::vector<LessonEntry> build_lesson_list(const Session&);
// The open one, else the last one begun, else the first with open tasks.
const LessonEntry* where_to_go_on(const std::vector<LessonEntry>&);

struct LearnModel {             // the way to the lessons, in the header
  std::string words = "Learn";  // "Lesson 7" while it is open; "Continue 5 · 2 of 7" where one was begun
  std::string help;
  Command opens;
};
LearnModel build_learn_model(const Session&, const std::optional<LessonPanelModel>& open);

}  // namespace tilewalk
