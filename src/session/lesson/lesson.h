// A lesson: screens of a few sentences, each with at most one thing to do. Plain data, as a Markdown file in
// assets/lessons tells it (session/lesson/lesson_file); figures are expressions and are never typed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/command/command.h"
#include "session/lesson/expression.h"

namespace tilewalk {

// A piece of a sentence: words, or a figure with how many digits it is to have.
struct Run {
  enum class Style { Plain, Strong, Emphasis, Code } style = Style::Plain;
  std::string text;
  std::optional<Expression> figure = {};
  std::string format = {};  // of a figure: a number of decimals, "bytes", "plain"; empty: as it counts
  bool operator==(const Run&) const = default;
};
using Sentence = std::vector<Run>;

struct Paragraph {
  bool item = false;  // of a list
  Sentence runs;
  bool operator==(const Paragraph&) const = default;
};
using Prose = std::vector<Paragraph>;

// What a lesson can point at in the window: each has a halo while a screen speaks of it.
inline constexpr const char* kOutlineWords[] = {"hbm",   "moves",     "sram",    "scores", "tile",  "table",    "m",
                                                "m new", "tile max",  "alpha",   "l",      "l new", "sentence", "o",
                                                "code",  "transport", "traffic", "badge",  "tabs"};

// What a screen can keep out of sight until its task is done: how far apart the two memories are, bytes of HBM traffic,
// what would let a backend through, what a switch of the lanes saves, and times that were recorded or predicted.
inline constexpr const char* kHideWords[] = {"levels", "traffic", "advice", "saves", "times"};

// What the window shows while a screen is read, carried out as ordinary Commands.
struct LessonScene {
  std::vector<Command> commands;
  std::vector<std::string> outline;  // what is spoken of: some of kOutlineWords
  std::vector<std::string> hides;    // some of kHideWords
  bool code = false;                 // the lesson speaks of the kernel's lines
};

enum class TaskKind { Do, Choose, Number, ByHand, Predict, Order, Label };

struct TaskOption {  // of Choose: what may be picked; of Order: one step, in its right place; of Label: a name
  std::string text;
  std::string place;  // Label: where it belongs
  bool right = false;
  Sentence says;  // why that is wrong, or why it is right
};

struct WrongAnswer {
  Expression value;
  Sentence says;
};

struct LessonTask {
  TaskKind kind = TaskKind::Number;
  int line = 0;
  Sentence ask;
  std::vector<Sentence> hints;  // three at most
  std::vector<Command> show;    // Do: does it. Else what is carried out once it is answered, so that it can be seen
  std::optional<Expression> answer, goal;
  std::string unit;          // "bytes", or a word to stand behind the field
  double within = 0;         // relative; 0: two significant digits
  double low = 1, high = 1;  // Predict: the ends of the scale, which is logarithmic
  std::int64_t draw = 0;     // Predict: which of the sampled calls it asks, from 1; 0: none. One guess, then the reveal
  std::vector<WrongAnswer> wrong;
  std::vector<TaskOption> options;
  Sentence says;                     // Order, Label, Do: what to say of a wrong one
  std::optional<AskByHand> by_hand;  // ByHand: which numbers of which rows
};

struct LessonScreen {
  std::string title;
  int line = 0;
  std::optional<LessonScene> scene;  // none: that of the screen before
  Prose prose;
  std::optional<LessonTask> task;
  Prose after;  // once the task is done
};

struct Lesson {
  int number = 0;
  std::string id, title, phase, claim;
  int minutes = 0;
  bool asks = true;  // false: it only points at things
  std::vector<LessonScreen> screens;
  std::vector<std::string> ask_class, usual_mistakes;  // for the teacher's page
};

const char* name_of(TaskKind);  // "do", "choose", … as a file spells it

}  // namespace tilewalk
