// Every view model of a session at one moment, built afresh when the session's revision or the room on screen changes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/session.h"
#include "view/walk/accuracy_model.h"
#include "view/walk/code_model.h"
#include "view/compare/compare_page.h"
#include "view/walk/counters_model.h"
#include "view/walk/hardware_model.h"
#include "view/walk/inspector_model.h"
#include "view/walk/memory_model.h"
#include "view/walk/o_tile_model.h"
#include "view/walk/problem_model.h"
#include "view/race/race_model.h"
#include "view/walk/softmax_model.h"
#include "view/walk/tile_grid_model.h"
#include "view/walk/timeline_model.h"
#include "view/walk/verify_model.h"

namespace tilewalk {

struct ViewRoom {  // what the panels have to draw in; filled by the layout
  double grid_width = 0, grid_height = 0, cell_min_px = 7, grid_gap_px = 5;
  double timeline_width = 0;
  int chips = 6;  // tiles of a tensor that fit in a row
  double lanes_width = 800, waves_width = 300, waves_height = 120;  // in design pixels
  int o_rows = 16, o_cols = 16, o_number_cols = 6;
  bool operator==(const ViewRoom&) const = default;
};

struct HeaderTab {
  ScheduleKind kind{};
  std::string title;
  bool active = false;
  bool backward = false;  // these stand together, behind one word
};

struct HeaderModel {
  std::vector<HeaderTab> tabs;
  std::vector<std::string> problem;  // "N 16 · d 4 · …", then shorter ones
  std::string title;    // of the document
};

struct TransportModel {
  bool playing = false, at_start = false, at_end = false;
  StepUnit unit = StepUnit::Tile;
  std::string speed;  // "1×"
  bool busy = false;
  double progress = 1;
};

struct Views {
  HeaderModel header;
  VerifyModel verify;
  AccuracyModel accuracy;
  MemoryModel memory;
  TileGridModel grid;
  SoftmaxModel softmax;
  OTileModel o_tile;
  CodeModel code;
  TransportModel transport;
  TimelineModel timeline;
  CountersModel counters;
  std::optional<HardwareModel> hardware;   // where its schedule was measured
  std::optional<ComparePage> compare;      // while that page is open
  std::optional<RaceModel> race;           // while that page is open
  std::optional<ProblemModel> problem;     // while the editor is open
  std::optional<InspectorModel> selected;  // while something is selected
};

class ViewBuilder {
 public:
  // Kernel sources by schedule; a missing one gives a panel that says so.
  explicit ViewBuilder(std::map<ScheduleKind, KernelText> kernels) : kernels_(std::move(kernels)) {}
  // What a GPU's own counters said; without it nothing is said of hardware.
  void set_hardware(HardwareTraffic traffic) { hardware_ = std::move(traffic); }
  // Rebuilds what the session's revision or the room makes necessary, and returns all of it.
  const Views& build(const Session&, const ViewRoom&);
  std::uint64_t builds() const { return builds_; }

 private:
  std::map<ScheduleKind, KernelText> kernels_;
  std::optional<HardwareTraffic> hardware_;
  Views views_;
  GridCache grid_cache_;
  ComparePageCache compare_cache_;
  WholeRuns runs_;
  ViewRoom room_;
  std::uint64_t revision_ = ~0ull, builds_ = 0;
  std::optional<Problem> runs_of_;
};

}  // namespace tilewalk
