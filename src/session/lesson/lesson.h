// A lesson: screens of a few sentences, each with at most one task. Plain data, read from a Markdown file in
// assets/lessons (session/lesson/lesson_file). Figures are expressions and are never typed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/command/command.h"
#include "session/lesson/lesson_picture.h"
#include "session/lesson/lesson_text.h"

namespace tilewalk {

// The parts of the window that a lesson can outline. Each has a halo while a screen outlines it.
inline constexpr const char* kOutlineWords[] = {"hbm", "moves", "sram", "scores", "tile", "table", "m", "m new",
                                                "tile max", "alpha", "l", "l new", "sentence", "o", "code", "transport",
                                                "traffic", "badge", "tabs",
                                                // the length in the header
                                                "n",
                                                // the call in the header
                                                "call",
                                                // of the comparison: the page shows its lanes alone then
                                                "lanes",
                                                // of the lab
                                                "lab-text", "lab-numbers", "lab-verdict"};

// What a screen can hide until its task is done: how far apart the two memories are, bytes of HBM traffic, advice to
// change a backend's choice, savings of the lanes' options, recorded or predicted times, and the pinned side's lanes.
inline constexpr const char* kHideWords[] = {"levels", "traffic", "advice", "saves", "times", "pinned"};

// The state of the window for a screen, set by ordinary Commands.
struct LessonScene {
  std::vector<Command> commands;
  std::vector<std::string> outline;  // some of kOutlineWords
  std::vector<std::string> hides;    // some of kHideWords
  bool code = false;                 // shows the kernel's lines
  bool dims = false;                 // the page is dimmed but for the outlined parts
};

enum class TaskKind { Do, Choose, Number, ByHand, Predict, Order, Label, Draw, MarkTiles };

struct TaskOption {  // Choose: an option; Order: one step, in its right place; Label: a name
  std::string text;
  std::string place;  // Label: the name of its place
  bool right = false;
  bool with_previous = false;  // Order: it and the option before it may change places
  Sentence says;               // why it is wrong or right
  TripStep trip = {};          // Order: what the step moves, for a picture of trips
};

struct WrongAnswer {
  Expression value;
  Sentence says;
};

struct OrderSlip {  // Order: the option `early` placed before the option `late`, which belongs before it
  int early = 0, late = 0;
  Sentence says;
};

struct WrongMark {  // Draw: a wrong position of a mark; of a point, x or y may be left out
  std::optional<Expression> x, y;
  Sentence says;
};

// Draw: something that is placed on the axes of a roofline: FLOP per byte across, TFLOP/s up.
struct RoofMark {
  enum class Kind { Slope, Ceiling, Point } kind = Kind::Point;
  std::string name;             // one word
  std::optional<Expression> x;  // Point: FLOP per byte
  std::optional<Expression> y;  // Slope: TB/s; Ceiling and Point: TFLOP/s
  bool given = false;           // it is already there
  std::vector<WrongMark> wrong = {};
};
const char* name_of(RoofMark::Kind);  // "slope", "ceiling", "point": the spelling in a file

enum class TileKind { Full, Cut, Skipped };  // under a causal mask
const char* name_of(TileKind);               // "full", "cut", "skipped": the spelling in a file

struct WrongTiles {  // MarkTiles: a tile of that kind is marked
  TileKind kind = TileKind::Cut;
  Sentence says;
};

struct LessonTask {
  TaskKind kind = TaskKind::Number;
  int line = 0;
  Sentence ask;
  std::vector<Sentence> hints;  // three at most
  std::vector<Command> show;    // Do: the commands of "Show me". Else run once it is answered, to show the answer
  std::optional<Expression> answer, goal;  // answer of MarkTiles: tiles a side
  std::string unit;                        // "bytes", or a word shown after the field
  double within = 0;                       // relative; 0: two significant digits. Draw: of each number of a mark
  double low = 1, high = 1;                // Predict: the ends of the logarithmic scale
  std::int64_t draw = 0;             // Predict: number of the sampled call, from 1; 0: none. One guess, then the reveal
  std::optional<Expression> method;  // Predict: the answer by the method that is taught; never said to be a mistake
  std::vector<WrongAnswer> wrong;
  std::vector<TaskOption> options;
  std::vector<OrderSlip> slips;         // Order
  std::vector<RoofMark> marks;          // Draw
  TileKind tiles = TileKind::Skipped;   // MarkTiles: those to mark
  std::vector<WrongTiles> wrong_tiles;  // MarkTiles
  Sentence says;                        // Order, Label, Do: the text about a wrong one
  std::optional<AskByHand> by_hand;     // ByHand: rows and quantities
  std::string button;                   // Do: a button below the question; empty: none
  std::vector<Command> opens;           // Do: what the button does
};

struct LessonScreen {
  std::string title;
  int line = 0;
  std::optional<LessonScene> scene;  // empty: that of the screen before
  std::optional<LessonPicture> picture;
  Prose prose;
  Prose terminal;  // in the place of `prose` where there is no window; empty: the same
  std::optional<LessonTask> task;
  Prose after;  // shown once the task is done
};

struct Lesson {
  int number = 0;
  std::string id, title, phase, claim;
  int minutes = 0;
  int parts = 1;     // that it is best taken in, of about as many minutes each
  bool asks = true;  // false: it only points at parts of the window
  std::vector<LessonScreen> screens;
  std::vector<std::string> ask_class, usual_mistakes;  // for the teacher's page
};

const char* name_of(TaskKind);  // "do", "choose", …: the spelling in a file

}  // namespace tilewalk
