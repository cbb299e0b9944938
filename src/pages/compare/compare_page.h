// The page of comparison: the problem beside its baseline, as lanes of one thread block, filled SMs, and a table of
// differences. Timelines, waves and comparisons are modelled again only when a problem or the current thread block
// changes; a step within it only rebuilds rectangles.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pages/compare/blocks/filled_sms.h"
#include "pages/compare/blocks/launches_model.h"
#include "pages/compare/blocks/warps_model.h"
#include "pages/compare/blocks/waves_model.h"
#include "pages/compare/chip_comparison.h"
#include "pages/compare/compare_model.h"
#include "pages/compare/lanes_model.h"
#include "session/session.h"
#include "view/pipes/pipes_model.h"
#include "view/walk/thread_block.h"
#include "view/words/call_times.h"
#include "view/words/in_step_model.h"

namespace tilewalk {

struct BaselineChoice {
  ScheduleKind kind{};
  std::string title;  // "FA-2"
  bool active = false;
};

struct ComparedChoice {
  Compared of{};
  std::string title;  // "this walk: N 16"
  std::string tip;
  bool active = false, enabled = true;
};

struct ComparePage {
  std::string baseline;  // "FA-1"
  std::string block;     // "batch 0, head 0, Q tile 3"
  std::vector<BaselineChoice> choices;
  LanesModel lanes;
  std::string pace, pace_tip;                      // "in step by tile"
  std::int64_t pinned_cursor = 0;                  // of the baseline's own walk
  bool chip_offered = false, chip_pinned = false;  // recorded lanes instead of the baseline's
  std::optional<int> stages;                       // of schedules with a circular buffer
  std::optional<WavesModel> left, right;           // SMs
  std::string left_note, right_note;               // why there is none
  FilledPair filled;                               // all SMs of both sides, large; empty: another filling
  Filling filling = Filling::Sms;
  std::optional<WarpsModel> warps;       // instead of the SMs
  std::optional<double> visit_t;         // of one visit by these warps; none: they rest
  std::optional<LaunchesPair> launches;  // of backward passes, instead of lanes and SMs
  std::optional<PipesModel> pipes;       // instead of everything else
  std::optional<ChipComparison> chip;    // of the recorded lanes, instead of the SMs and the table
  CompareModel compare;
  std::string steps_text;                // "step 45 of 92 · Q tile 2, KV tile 1: accumulate"
  std::string longest_steps_text;        // with the largest numbers and the longest phase
  std::shared_ptr<const Schedule> call;  // that the buttons and tracks move; null: they move the walk, or nothing
  std::int64_t cursor = 0, steps = 0;    // the position in the compared problem, and its steps
  bool of_walk = true;                   // false: of another problem, so nothing goes to a step of the walk
  bool alone = false;                    // a lesson asks about this schedule: the pinned side is not drawn
  // Of the compared or the recorded call, the longest first: "N 8,192 · d 64 · tiles 128×64"; empty: of the walk.
  std::vector<std::string> call_titles = {};
  const char* call_name = "your call: ";  // before a title: whose call it is
  std::vector<ComparedChoice> compared;   // the walk and the window's call; empty: there is no choice
};

struct ComparePageCache {
  std::optional<Problem> now, baseline;
  ThreadBlock block{-1, -1, -1}, pinned_block{-1, -1, -1};
  std::shared_ptr<const Schedule> schedule;         // of another problem than the walk's; else null
  std::shared_ptr<const Schedule> pinned_schedule;  // null where the baseline breaks a rule
  std::optional<Timeline> timeline, pinned_timeline;
  const ChipTimelines* chip = nullptr;
  std::optional<ChipLanes> chip_lanes;
  std::vector<Removal> removals;
  std::optional<RunTime> run, pinned_run;
  std::optional<WarpsModel> warps;  // built at first use
  std::optional<LaunchesPair> launches;
  std::optional<Comparison> comparison;
  const RaceTimes* times = nullptr;        // in the table
  std::optional<Contender> torch_default;  // in the words
  std::optional<CallTimes> call_times;
  bool no_time = false;  // one side cannot run (why_no_time)
  CompareModel compare;
  std::uint64_t models = 0;  // number of expensive builds
};

ComparePage build_compare_page(const Session&, double lanes_width, double waves_width, double waves_height,
                               ComparePageCache&);

}  // namespace tilewalk
