// The page of the roofline: roofs and points on a log-log chart, the win over N, the source of each number, and a guess
// before the answers. Positions are fractions of a plot, 0 at the left and at the bottom.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pages/roofline/plot_axes.h"
#include "pages/roofline/roof_drawing.h"
#include "pages/roofline/roofline_controller.h"
#include "pages/roofline/win_plot.h"
#include "view/words/naive_win.h"
#include "view/words/predict_words.h"

namespace tilewalk {

struct RooflineTag {
  std::string label;
  bool active = false;
  Command choice;
};
struct RooflineTags {
  std::string title;
  std::vector<RooflineTag> tags;
};

struct RooflinePoint {
  std::string label;  // "FA-3 566"
  RooflineHue hue{};
  std::optional<PlotPoint> predicted, recorded;
  bool part = false;  // a kernel of naive, not a contender
  bool left = false;  // its label is at the left
  std::string detail;
  std::optional<WalkMethod> walk;  // the command of a click
};
struct RooflineTrail {  // the way of a mark as N rises, by prediction
  RooflineHue hue{};
  std::vector<PlotPoint> line;
  std::vector<std::pair<PlotPoint, std::string>> lengths;  // "N 1k": at some of its points
};
struct WinArrow {  // from naive's mark to that of the fastest kernel
  PlotPoint from, to;
  std::string label;  // "4.7×"
};
struct RoofLine {
  std::string label;
  double from_x = 0, from_y = 0, to_x = 0, to_y = 0;
  bool lower = false;  // dashed, below the two roofs
};
struct RooflineRow {
  std::string title;
  std::vector<std::string> cells;
  std::optional<WalkMethod> walk;
  std::string walk_tip;     // "Opens FA-2 with that kernel's tiles, 128×64"
  std::string reason = {};  // which roof bounds it, and what its time is beyond that; may be empty
};
struct RooflineField {  // a rate of an own card
  std::string field, unit, text;
  std::string otherwise;  // the default, used while the field is empty
  std::string help, issue;
};

struct RooflineMeasure {  // of the local machine
  bool can = true;
  bool running = false, stopping = false;
  double fraction = 0;
  std::string words;          // running: the current measurement; else its date, or why there is none
  std::string help, details;  // of the button; of the words
  bool failed = false;
};

struct RooflinePage {
  std::optional<RoofDrawing> drawing;  // a lesson asks for one; it takes the place of everything else on the page
  std::vector<RooflineTags> choices;   // machines, then heads and batch as raced
  std::string machine;                 // the chosen one
  std::vector<RooflineField> own;
  RooflineMeasure measure;
  std::string title, not_followed;  // of the call; what of the window's call the page cannot show
  std::string x_title, y_title;
  std::string hollow;  // the word for a point that is not recorded: "predicted", "allowed"
  std::string filled;  // for a recorded one; empty where the plot has none
  std::string off;     // of the distance from a recorded point to that: "error of the prediction"
  std::vector<PlotTick> x_ticks, y_ticks, n_ticks, win_ticks;
  std::vector<RoofLine> roofs;
  std::vector<RooflinePoint> points;
  std::vector<RooflineTrail> trails;  // of naive and of the fastest kernel, with the answers
  std::optional<WinArrow> arrow;      // with the answers
  std::vector<WinCurve> wins;
  double n_at = 0;                                       // position of the chosen N in the plot over N
  std::vector<std::pair<double, std::int64_t>> lengths;  // with their positions there; a click chooses the nearest
  std::optional<double> even_at;                         // before the answers: the height of "as fast", 1×
  std::optional<PlotPoint> guess_at;                     // position of the guess in the plot over N
  std::vector<std::string> heads;
  std::vector<RooflineRow> rows;  // before the answers, hidden figures are "?"
  std::string question;           // before the answers
  std::vector<RooflineTag> guesses;
  std::string figure;          // after them: the win, "3.2×"
  std::string caption;         // "as fast as naive"
  std::string because;         // why it is faster; may be empty
  std::string answer, misses;  // misses may be empty
  bool hides_times = false;    // a lesson asks for the times: the plot with naive attention is all that is shown
  bool revealed = false, guesses_first = false;  // guesses_first: as the user chose, for each call
  std::string sentence, source;  // sentence: the win, where no figure says it; the panel adds one row's reason
  std::vector<std::string> notes;
  std::vector<std::string> unplotted;  // methods that have no mark in the plot, and why
  std::string over_n;                  // the heads at each N: "each N with 2×32 heads"
  std::string jumps;                   // explains a jump in the curve of the win; may be empty
  std::vector<std::string> absent;     // methods for another kind of machine
  std::vector<OperationLine> eager;    // empty where it does not run
  std::string trips;                   // the sum of the trips
};

// Adds the question with the guesses and an empty chart over N; once revealed, the answer and the errors of the last
// guesses.
void add_guesses(RooflinePage&, const RooflineController&, std::string question, const NaiveWin& right);

// The arrow between the marks of those two methods, with the page's figure. Nothing where one has no mark, or before
// the answers.
void add_arrow(RooflinePage&, const char* naive, const char* fast);

// Replaces every figure by "?" except those of `known`, by their titles.
void hide_figures(RooflinePage&, const std::vector<std::string>& known);

// torch_default: what PyTorch runs for the call, as races name it (default_of_call). short_rule: adds the times by the
// rule for short calls, which one lesson teaches.
RooflinePage build_roofline_page(const RooflineController&, RooflineCache&, std::optional<Contender> torch_default = {},
                                 bool short_rule = false);

}  // namespace tilewalk
