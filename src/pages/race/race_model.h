// The page of the race as plain values: bars of every rung at one N, head size and mask, and curves over N. A recorded
// race names its card, driver and date. A row whose samples vary too much, or that did not fit in memory, says so
// instead of a figure. Bars start at zero; curves have logarithmic axes. Positions are fractions of the plot, 0 at the
// left and at the bottom. While the race runs, the bars are times on one axis, whatever figure is chosen: each grows
// until its kernel is done. A call that was not raced has bars of predicted times, drawn hollow, and one line names the
// nearest recorded race.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/problem/contender.h"
#include "pages/compare/blocks/axis_ticks.h"
#include "pages/race/race_of_call.h"
#include "pages/race/win/win_frame.h"
#include "session/command/command.h"
#include "view/words/naive_win.h"

namespace tilewalk {

// A rung has the same look everywhere: colour and shape, Tilewalk's filled, others' hollow.
enum class RaceShape { Square, Triangle, Circle, Diamond };
struct RaceLook {
  int colour = 0;  // 0 grey, 1 orange, 2 blue, 3 green; panels map them
  RaceShape shape = RaceShape::Square;
  bool hollow = false;
};

struct RaceBar {
  std::string title;  // "FA-3, here"
  RaceLook look;
  double share = 0;        // of the axis; 0 where there is no figure
  std::string value;       // "730 TFLOP/s"; "out of memory"
  bool counts = true;      // false: `value` says why there is no figure
  bool no_memory = false;  // it has no figure because memory was too small, and not because it is not reported
  bool best = false;       // of the rungs with a figure
  std::optional<double> floor = {};  // of the axis: where its highest floor is
  std::string detail;                // sentences for the tooltip
  bool predicted = false;            // the figure is the model's
  double ran = 1;                    // while the race runs: the part of its work that is done
};

struct RaceLine {  // of the one table: a row's figures, recorded and predicted
  std::string title;
  RaceLook look;
  bool best = false;
  std::vector<std::string> cells;  // as many as table_heads
  bool under_way = false;          // the race runs, and its kernel is not done: the cells keep their space, undrawn
};

struct RacePoint {
  double x = 0, y = 0;
  std::string detail;
  bool joined = false;  // a line connects it to the previous point: every N between them has a figure
};

struct RaceCurve {
  std::string title;
  RaceLook look;
  std::vector<RacePoint> points;            // by N, those with a figure
  std::vector<RacePoint> no_memory;         // memory was too small: a mark at the bottom of the plot
  std::optional<RacePoint> predicted = {};  // at the window's call
  bool recorded_at_call = false;            // that point is of a recorded time
  std::vector<RacePoint> missing;           // not reported: another mark there
  std::string end;                          // beside the last point: why the curve ends before others; may be empty
  bool under_way = false;                   // the race runs, and its kernel is not done: the curve is not drawn yet
};

struct RaceTick {
  double at = 0;
  std::string text;
};

struct RaceTag {
  std::string label;
  ChooseRace choice;
  bool active = false;
};

struct RaceTags {
  std::string title;
  std::vector<RaceTag> tags;
};

struct RaceModel {
  std::vector<RaceTag> sources;  // recorded, CPU, GPU
  bool recorded = false, any = false;
  std::string badge;               // "RECORDED" or "MEASURED HERE"
  std::string heading;             // machine, date
  std::string ceilings;            // "Ceilings of this run: …"
  std::vector<std::string> notes;  // what was left out or not reported
  std::string empty;               // why there is nothing to show, and which button to press

  RaceTags pass;     // for bars and curves; head size, mask and N are the window's call's
  RaceTags lengths;  // that were raced: on the axis of the curves, where a click chooses one
  RaceTags metrics;  // for the bars
  std::string figure,
      figure_words;  // "4.7×", its words (view/words/naive_win.h); may be empty
  std::string bars_title, curves_title;
  bool predicted = false;      // bars and table are of the window's call, which was not raced
  std::string beside_in_room;  // of a class, until the answer is shown: "Predicted; nearest recorded: 5.4× at N 5,000."
  std::string beside;          // then the nearest recorded race: "Recorded beside it: N 4,096: 4.4×.", and why
  bool differs = false;        // the figure is of another call than the window's
  std::string raced_with;      // how it differed, where no figure's words say so
  RaceTag kernels;  // the control that shows all kernels, or a few: "all 9 kernels"; empty where they are few
  std::vector<RaceBar> bars;
  // Contenders with a figure here that ran out of memory at a longer N: "64k: out of memory, …".
  std::vector<RaceBar> no_memory_later;
  TickedAxis axis;                       // of the bars, where they are times
  std::optional<WinFrame> win;           // presented, in place of the bars
  bool runs = false;                     // the bars run
  std::string clock, clock_words;        // the time so far, "2.40 ms"; "so far, shown × 1,000"
  double clock_at = 0;                   // its position on the axis
  std::vector<std::string> table_heads;  // of the same rows: what the bars do not show; predictions if it is recorded
  std::vector<RaceLine> table;
  std::vector<std::string> reasons;  // what bounds each rung that has a figure, in words
  std::string table_note;            // describes floors and predictions, or why there are none
  double peak_share = 0;             // position of the measured ceiling on the bars' axis; 0: outside
  std::string peak_text;
  std::string floor_text;  // explains the floors' ticks; empty where no bar has one
  std::vector<RaceCurve> curves;
  std::vector<double> x_ticks;  // positions of `lengths`
  std::vector<RaceTick> y_ticks;
  std::string curves_peak_text;  // "ceiling of the run, 797 TFLOP/s"
  std::optional<double> peak_y;  // of the measured ceiling on the curves' axis
  std::string marked_n = {};     // of the marks of the call on the curves: "3,000"; empty: there are none
  bool marks_no_memory = false, marks_missing = false;  // the legend explains their marks

  bool running = false, stopping = false, gpu_present = false;
  double fraction = 0;
  std::string progress;  // "cpu_tiled · N 2048 …, 34 %"
  std::string failure;
};

struct CallOfWindow {                                 // what other models know of the window's call
  std::optional<Contender> torch_default = {};        // what PyTorch runs for it, as races name it (default_of_call)
  std::function<std::optional<NaiveWin>()> win = {};  // its speed-up; called where another call was raced
  // Its predicted times; called there too.
  std::function<std::optional<RaceOfCall>()> race = {};
};

RaceModel build_race_model(const Races&, bool gpu_present, const CallOfWindow& = {});

RaceLook look_of(const std::string& rung);

}  // namespace tilewalk
