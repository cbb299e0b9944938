// The lesson panel beside the walk: the screen of the lesson that is open, what it asks, and what was said of the
// answer. About 60 words at a time. Right answers are not in it before they were given or shown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/session.h"

namespace tilewalk {

enum class RailMark { ToDo, Done, Shown, Now };  // of a screen: its place in the row of marks

struct RailLine {
  bool item = false;
  Sentence runs;  // no figures left in it
};

std::string words_of(const RailLine&);  // without its styles

struct RailOption {
  std::string letter, text;
  std::string place;  // of Label: what it stands at now
  bool chosen = false;
};

struct RailField {  // of ByHand: a quantity
  std::string name;
  RailMark mark = RailMark::ToDo;
  std::string answer = {};  // once all of it stands: its numbers, in the order of rows and columns
};

struct RailTask {
  TaskKind kind = TaskKind::Number;
  std::string head;        // "Lesson 7 · 8 min"
  std::string short_head;  // "Lesson 7"
  RailLine ask;
  std::string draft, unit;
  std::vector<RailOption> options;
  std::vector<RailField> fields;
  double low = 1, high = 1;
  bool done = false;
  std::string answer;  // once it is done: the right one, as it would be typed
  int hints_left = 0;
};

struct RailNote {
  enum class Kind { Right, Wrong, NotYet, Hint, Shown } kind = Kind::Right;
  RailLine line;
};

struct LessonPanelModel {
  std::string head;        // "Lesson 7 · 8 min"
  std::string short_head;  // "Lesson 7"
  std::string title, screen_title;
  std::vector<RailMark> marks;  // one a screen
  std::vector<RailLine> lines;
  std::optional<RailTask> task;
  std::vector<RailNote> notes;
  std::vector<RailLine> after;       // once the task is done
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
