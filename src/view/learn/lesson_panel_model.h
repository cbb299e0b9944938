// The lesson panel beside the walk: the screen of the lesson that is open, what it asks, and what was said of the
// answer. About 60 words at a time. Right answers are not in it before they were given or shown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/session.h"

namespace tilewalk {

enum class ScreenMark { ToDo, Done, Shown, Now };  // of a screen: its place in the row of marks

struct LessonLine {
  bool item = false;
  Sentence runs;  // no figures left in it
};

std::string plain_text(const LessonLine&);  // without its styles

struct LessonOption {
  std::string letter, text;
  std::string place;  // of Label: what it stands at now
  bool chosen = false;
};

struct LessonField {  // of ByHand: a quantity
  std::string name;
  ScreenMark mark = ScreenMark::ToDo;
  std::string answer = {};  // once all of it stands: its numbers, in the order of rows and columns
};

struct LessonTaskModel {
  TaskKind kind = TaskKind::Number;
  std::string head;        // "Lesson 7 · 8 min"
  std::string short_head;  // "Lesson 7"
  LessonLine ask;
  std::string draft, unit;
  std::vector<LessonOption> options;
  std::vector<LessonField> fields;
  double low = 1, high = 1;
  bool done = false;
  std::string answer;  // once it is done: the right one, as it would be typed
  int hints_left = 0;
};

struct LessonNote {
  enum class Kind { Right, Wrong, NotYet, Hint, Shown } kind = Kind::Right;
  LessonLine line;
};

struct LessonPanelModel {
  std::string head;        // "Lesson 7 · 8 min"
  std::string short_head;  // "Lesson 7"
  std::string title, screen_title;
  std::vector<ScreenMark> marks;  // one a screen
  std::vector<LessonLine> lines;
  std::optional<LessonTaskModel> task;
  std::vector<LessonNote> notes;
  std::vector<LessonLine> after;     // once the task is done
  bool first = false, last = false;  // screen of the lesson
  bool done = false;                 // Next is what is left to do
  std::vector<std::string> outline;
  bool code = false;
  bool numbered = false;  // the halos have numbers, which the text speaks of
  bool again = false;     // the lesson can be taken again: it draws what it asks
};

std::optional<LessonPanelModel> build_lesson_panel_model(const Session&);  // nothing where no lesson is open

struct LessonEntry {
  int number = 0, minutes = 0;
  std::string phase, title, claim;
  int tasks = 0, done = 0;
  int screen = 1;  // where it was left
  bool open = false;
};
std::vector<LessonEntry> build_lesson_list(const Session&);
const LessonEntry* where_to_go_on(const std::vector<LessonEntry>&);  // the open one, or the first with tasks left

}  // namespace tilewalk
