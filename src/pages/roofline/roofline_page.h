// The page of the roofline: roofs and points on a log-log chart, the win over N, where each number comes from, and a
// guess before the answers. Places are fractions of a plot, 0 at the left and below.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pages/roofline/roofline_controller.h"
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

struct PlotTick {
  double at = 0;
  std::string text;
};
struct PlotPoint {
  double x = 0, y = 0;
};
enum class RooflineHue { Naive, Tiled1, Tiled2, Tiled3, Guess };
struct RooflinePoint {
  std::string label;  // "FA-3 566"
  RooflineHue hue{};
  std::optional<PlotPoint> predicted, recorded;
  bool part = false;  // one kernel of naive, and no contender
  bool left = false;  // its label stands at the left
  std::string detail;
  std::optional<WalkMethod> walk;  // at a click
};
struct RoofLine {
  std::string label;
  double from_x = 0, from_y = 0, to_x = 0, to_y = 0;
  bool lower = false;  // below the two roofs, dashed
};
struct WinCurve {
  std::string label;  // "FA-3 predicted"
  RooflineHue hue{};
  std::vector<PlotPoint> modelled, recorded;
};
struct RooflineRow {
  std::string title;
  std::vector<std::string> cells;
  std::optional<WalkMethod> walk;
  std::string walk_tip;  // "Opens FA-2 with that kernel's tiles, 128×64"
};
struct RooflineField {  // a rate of your own card
  std::string field, unit, text;
  std::string otherwise;  // what it is as long as nothing is typed
  std::string help, issue;
};

struct RooflineMeasure {  // of the machine at hand
  bool can = true;
  bool running = false, stopping = false;
  double fraction = 0;
  std::string words;          // running: what is measured now; else when it was, why nothing was, or why nothing can be
  std::string help, details;  // of the button, of the words
  bool failed = false;
};

struct RooflinePage {
  std::vector<RooflineTags> choices;
  std::vector<RooflineField> own;  // after the first row of choices
  RooflineMeasure measure;         // after those
  std::string title;
  std::string x_title, y_title;
  std::string hollow;  // what a point that is not recorded is: "predicted", "allowed"
  std::vector<PlotTick> x_ticks, y_ticks, n_ticks, win_ticks;
  std::vector<RoofLine> roofs;
  std::vector<RooflinePoint> points;
  std::vector<WinCurve> wins;
  double n_at = 0;                    // of the N chosen, in the plot over N
  std::optional<double> even_at;      // before the answers: the height of "as fast", 1×
  std::optional<PlotPoint> guess_at;  // and where the guess lies over N
  std::vector<std::string> heads;
  std::vector<RooflineRow> rows;  // before the answers what is asked for is "?"
  std::string question;           // before the answers
  std::vector<RooflineTag> guesses;
  std::string answer, misses;  // after them; misses may be empty
  bool revealed = false;
  std::string sentence, source;
  std::vector<std::string> notes;
  std::string jumps;                 // of the win over N, where its curve has one
  std::vector<std::string> absent;   // who is of another kind of machine
  std::vector<OperationLine> eager;  // empty where it does not run
  std::string trips;                 // what they come to
};

// The win over naive at every N of the list: many predictions, kept until the card or one of the calls is another.
struct RooflineCache {
  struct Win {
    std::int64_t n = 0;
    Contender who{};
    std::optional<double> modelled, recorded;  // times as fast as naive
  };
  std::string device;
  std::optional<double> bandwidth, peak;
  std::vector<AttentionCall> calls;
  std::vector<Win> wins;
};

// The plot over N: its ticks, where the length chosen is, and places in it.
class WinScale {
 public:
  WinScale(RooflinePage&, const std::vector<std::int64_t>& lengths, double most, std::int64_t chosen);
  PlotPoint place(std::int64_t n, double win) const;

 private:
  double first_, last_, top_;
};

// The question with the guesses and an empty chart over N, and once they are revealed the answer and how far the last
// ones were off.
void add_guesses(RooflinePage&, const RooflineController&, std::string question, const std::string& fast,
                 const std::string& slow, bool recorded, double right);

// "?" for every figure but those of `known`, by their titles.
void hide_figures(RooflinePage&, const std::vector<std::string>& known);

RooflinePage build_roofline_page(const RooflineController&, RooflineCache&);

}  // namespace tilewalk
