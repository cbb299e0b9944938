// The page of the lab: the task, the learner's text with marks beside its lines, and the run at its place: the tiles
// that were visited, the rows after a visit beside what they should be, a thread's variables, bytes beside the ledger.
// Numbers are in the kernel's own units. The scores are float64 products of the inputs, not the learner's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/tasks/holes.h"
#include "session/lesson/lesson.h"
#include "session/session.h"
#include "view/walk/traffic_model.h"
#include "view/walk/verify_model.h"

namespace tilewalk {

struct LabTaskEntry {
  int number = 0, minutes = 0;
  std::string title;
  bool open = false, begun = false, solved = false, shown = false;
};

struct LabLineMark {  // beside a line of the text
  int line = 0;
  bool warning = false;
  std::string words;
};

struct LabTextModel {
  std::string text;
  std::string file;   // "05-fa2-loop.cu"; of a watched file its name
  std::string state;  // "kept", "watched"
  std::string says;   // "compiles · no race · no unfilled read"; without a run of this text, its keys
  std::optional<bool> says_good = true;  // empty: no run of this text
  std::vector<lab::HoleLines> holes;     // empty where the learner is to find the place
  std::string goal;                      // "Your task: fill the hole in line 13.", or of such a task its own words
  std::vector<LabLineMark> marks;
  int line_now = 0;     // the line of the chosen thread; 0: none
  int show_line = 0;    // the line that comes into view: after a run the first wrong one or line_now, else a hole's
  int lines_above = 0;  // the lines that stay in view above show_line
};

// A kernel that is right: what was compared, and the tiles that turn green one by one.
struct LabSuccess {
  std::string words;               // "16 of 16 visits, bit for bit FA-2's"; empty: there is none
  std::vector<std::size_t> tiles;  // of LabMatrixModel, in the order of their visits
  double t = 1;                    // of the flood, 0 to 1
  bool held = false;               // at t
};

struct LabVerdict {          // on the last run
  std::optional<bool> good;  // empty: the text as it is now has not run
  std::string figure;        // "56 of 64 elements wrong"
  std::string words;         // the first wrong number, or what was compared
};

enum class LabMark { ToDo, Right, Wrong, Unjudged };

struct LabVisitBox {
  std::string label;  // "Q2 × K1"
  int group = 0;      // boxes of one Q tile and thread block
  LabMark mark = LabMark::ToDo;
  bool done = false, now = false;
};

struct LabTransportModel {
  std::string place;         // "Tile visit 5 of 16"
  std::string phase;         // "RowMax"; empty without tags
  std::string step;          // "line 47, instruction 1,200 of 42,608"
  std::string wrong;         // "5 of 16 visits wrong"
  std::string verdict;       // one sentence or two
  std::optional<bool> good;  // empty: no run
  std::vector<std::string> findings;
  std::vector<LabVisitBox> visits;
  std::string units[3] = {"by phase", "by barrier", "by line"};
  LabUnit unit = LabUnit::Phase;
  bool playing = false, at_start = true, at_end = true, running = false;
  double fraction = 1;
};

struct LabTile {
  std::int64_t q_tile = 0, kv_tile = 0;
  enum class State { ToDo, Now, Done, Wrong, Skipped } state = State::ToDo;
};

struct LabMatrixModel {
  std::string title, scale;
  std::string title_with_weights;  // "Scores …, P in Q0 × K3 · …": while the tile's cells have its weights
  std::string weights_title, weights_formula;  // of `weights`: "P of Q0 × K3"; empty without them
  std::int64_t rows = 0, cols = 0, br = 1, bc = 1;
  bool own = false;     // the learner's S or P, where the task is to fill it
  bool before = false;  // nothing has run: the scores are shown faintly, or as empty cells where they are asked
  std::int64_t wrong_cell = -1;   // of it, the first wrong one
  std::vector<bool> wrong_cells;  // row-major, of it; empty where none is wrong
  std::vector<LabTile> tiles;     // row-major
  std::vector<double> scores;     // natural; −∞ where masked; empty: too many
  // Of the current tile, before a run of the first: e^(S − m), m the row's largest score so far in the thread block.
  std::vector<double> weights;
  double low = 0, high = 1;
};

struct LabColumn {
  std::string title;
  bool spare = false;  // left out where there is no room for all
};

struct LabRowModel {
  std::string row;
  std::vector<std::string> cells, right;  // by column after the first; right is empty where it is the same
  std::vector<bool> wrong;
};

struct LabStep {  // of the way to a first result: what to do, and what it does
  std::string title, words;
};

struct LabNumbersModel {
  std::string title, where;
  std::vector<LabStep> steps;      // before a run
  std::vector<LabColumn> columns;  // the first names the row
  std::vector<LabRowModel> rows;
  std::string sentence;
  std::string o_title;
  std::int64_t o_rows = 0, o_cols = 0;
  std::vector<float> o, o_right;
  std::vector<bool> o_wrong;
};

struct LabVariable {
  std::string name, value;
};

struct LabThreadModel {
  std::string title;  // "Thread 4 of 16, before line 31"
  std::int64_t thread = 0, threads = 0;
  std::vector<LabVariable> variables;
};

struct LabFact {
  std::string name, value, beside;
};

// What the right kernel gains: the bytes of naive attention on the same problem above the kernel's own.
struct LabGain {
  std::string figure, words;  // "2.5×", "fewer bytes of HBM than naive attention asks for"; empty: there is none
  std::vector<TrafficBar> bars;
};

struct LabPage {
  std::string missing;  // why there are no tasks
  std::vector<LabTaskEntry> tasks;
  std::string head, title;  // "Task 5 of 12 · 15 min"
  std::optional<int> next;  // the task to go on with, once this one is solved
  std::vector<Paragraph> prose;
  std::vector<bool> explains;  // of prose: may be folded
  std::vector<std::string> hints;
  int hints_left = 0;
  bool can_bring_back = false;
  VerifyModel badge;
  LabTextModel text;
  LabTransportModel transport;
  LabMatrixModel matrix;
  LabSuccess success;
  LabGain gain;
  LabVerdict verdict;
  LabNumbersModel numbers;
  LabThreadModel thread;
  std::vector<TrafficBar> bars;
  std::vector<TensorId> legend;
  std::vector<LabFact> facts;
  std::string printed;
};

LabPage build_lab_page(const LabController&);

// Parts of it, in lab_text_model.cpp.
LabTextModel build_lab_text(const LabController&);
std::string text_of_lab_error(const lab::SourceError&);
std::string lab_sentence(const LabController&, const lab::LabReport&);  // of a run, without what the findings say

// Parts of it, in lab_values.cpp.
// S in natural units, a float64 product of the inputs; −∞ where masked. The run must have inputs.
double lab_score(const Problem&, const lab::LabInputs&, std::int64_t batch, std::int64_t head, std::int64_t row,
                 std::int64_t col);
double lab_score(const lab::LabRunResult&, std::int64_t batch, std::int64_t head, std::int64_t row, std::int64_t col);
LabNumbersModel build_lab_numbers(const LabController&);
std::string subtracted(double value);                     // in a formula: "− 3.1000", "+ 3.1000" for a negative one
LabNumbersModel build_lab_element(const LabController&);  // where S or P is the task; in lab_element.cpp
LabThreadModel build_lab_thread(const LabController&);
void build_lab_traffic(const lab::LabRunResult&, LabPage&);
LabSuccess build_lab_success(const LabController&, const LabMatrixModel&);  // in verdict/lab_verdict.cpp
LabGain build_lab_gain(const LabController&);                               // likewise
LabVerdict build_lab_verdict(const LabController&, const LabPage&);         // from its other parts; likewise
bool has_tried(const LabController&);                   // false: the text that ran is the start, whose holes are empty
void forget_wrong(LabPage&);                            // shows a run of that text without its faults
bool has_ledger(const lab::LabSetup&);                  // bytes of a schedule stand beside the kernel's
void build_lab_before(const LabController&, LabPage&);  // what will run; in lab_before.cpp
// The right scores of the first head, of a task that fills P the right weights, with their range; in lab_before.cpp.
// Nothing where they are too many.
void add_right_scores(const lab::LabSetup&, LabMatrixModel&);
std::optional<std::size_t> lab_visit_now(const LabController&);  // the visit that is under way, or has just ended

}  // namespace tilewalk
