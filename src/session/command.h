// A Command is the only thing that changes a Session. Keys, clicks, menus, the palette, scripts and the command line
// all make the same Commands; Session::dispatch carries them out. A plain value that compares equal field by field, so
// a test can say exactly which Command a click must make.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "session/document.h"
#include "session/race_report.h"
#include "trace/accuracy.h"
#include "trace/verdict.h"

namespace tilewalk {

enum class CommandId {
  None,
  PlayPause,
  StepForward,
  StepBack,
  TileForward,
  TileBack,
  QTileForward,
  QTileBack,
  First,
  Last,
  GoToStep,   // a: cursor. Pauses.
  GoToTile,   // a: Q tile, b: KV tile: the end of that visit. Pauses.
  RunToTile,  // a: Q tile, b: KV tile: plays, forwards or backwards, and pauses there
  RunToSelection,
  Faster,
  Slower,
  SetSpeed,  // x: moves a second
  SetUnit,   // a: StepUnit
  NextUnit,
  SelectCell,  // a: row, b: column of the score matrix
  SelectNothing,
  SetSchedule,  // a: ScheduleKind
  GoToHead,     // a: batch, b: head: its first step
  ToggleTheme,
  TextBigger,
  TextSmaller,
  TextNormal,
  SetTextScale,  // x: 0.8 to 3
  ZoomIn,
  ZoomOut,
  ZoomFit,
  ZoomToTile,
  SetGridView,  // x: zoom, y, z: centre row and column as fractions of the matrix
  OpenDialog,   // a: Dialog
  EditProblem,
  ShowPresets,
  OpenFileDialog,
  SaveFileDialog,
  GoToDialog,
  ShowKeys,
  ShowPalette,
  ShowTraffic,
  CloseDialog,
  EditField,  // field, text: into the draft; nothing else changes until it is applied
  ApplyEdit,
  ResetEdit,
  EditValue,  // field: Q, K, V or dO; a: row, b: column (of the head in view); text: the number
  ClearValues,
  LoadPreset,  // a: index into presets()
  OpenFile,    // text: path
  SaveFile,    // text: path
  CopyCommandLine,
  CheckLive,
  FullScreen,
  Quit,
  Tick,            // x: seconds, any origin, never read from a clock here
  Work,            // a: tile visits of replay to do now
  ReportCheck,     // report, about a: problem_revision; of another problem it is dropped
  ShowCompare,     // to the page of comparison, or back to the walk
  SetPage,         // a: Page
  ShowWarps,       // on the page of comparison: one thread block's warps in place of the SMs, or the SMs again
  PinSchedule,     // a: ScheduleKind: the baseline is this problem under that schedule
  ExchangeSides,  // the baseline comes on screen, and what was there is pinned. a: its cursor; 0: where it is in step
  SetPace,        // a: Pace
  NextPace,
  SetLanesView,  // x: zoom, y: centre as a fraction of the widest lanes
  LanesEarlier,
  LanesLater,
  PinNow,          // the baseline is the problem as it stands
  PinChip,         // FA-3: the lanes recorded from the chip stand above the modelled ones
  SetLaneOption,   // field: a name of what_it_removes, a: 0 or 1; or field "stages", a: count. The cursor stays.
  ReportAccuracy,  // accuracy, about a: problem_revision; b: 1 if it is the baseline's
  ReportDevices,   // a: 1 if there is a GPU to check on; text: why not, otherwise
  ShowRace,        // to the page of the race, or back to the walk
  ChooseRace,      // field: source, metric, n, d, causal (a) or pass (text)
  RaceCpu,
  RaceGpu,
  StopRace,
  ReportRace,  // race
};

enum class Dialog { None, Problem, Presets, OpenFile, SaveFile, GoTo, Keys, Palette, Traffic };

struct Command {
  CommandId id = CommandId::None;
  std::int64_t a = 0, b = 0;
  double x = 0, y = 0, z = 0;
  std::string field, text;
  std::shared_ptr<const CheckReport> report;
  std::shared_ptr<const AccuracyReport> accuracy;
  std::shared_ptr<const RaceNews> race;

  bool operator==(const Command&) const = default;
};

namespace command {
inline Command simple(CommandId id) {
  Command c;
  c.id = id;
  return c;
}
inline Command with(CommandId id, std::int64_t a, std::int64_t b = 0) {
  Command c = simple(id);
  c.a = a;
  c.b = b;
  return c;
}
inline Command with_text(CommandId id, std::string text) {
  Command c = simple(id);
  c.text = std::move(text);
  return c;
}
inline Command with_real(CommandId id, double x) {
  Command c = simple(id);
  c.x = x;
  return c;
}
inline Command go_to(std::int64_t cursor) { return with(CommandId::GoToStep, cursor); }
inline Command tick(double seconds) { return with_real(CommandId::Tick, seconds); }
inline Command edit(std::string field, std::string text) {
  Command c = with_text(CommandId::EditField, std::move(text));
  c.field = std::move(field);
  return c;
}
inline Command edit_value(std::string tensor, std::int64_t row, std::int64_t col, std::string text) {
  Command c = with(CommandId::EditValue, row, col);
  c.field = std::move(tensor);
  c.text = std::move(text);
  return c;
}
inline Command lane_option(std::string name, std::int64_t value) {
  Command c = with(CommandId::SetLaneOption, value);
  c.field = std::move(name);
  return c;
}
inline Command grid_view(double zoom, double row, double col) {
  Command c = with_real(CommandId::SetGridView, zoom);
  c.y = row;
  c.z = col;
  return c;
}
inline Command report(CheckReport r, std::uint64_t problem_revision) {
  Command c = with(CommandId::ReportCheck, std::int64_t(problem_revision));
  c.report = std::make_shared<const CheckReport>(std::move(r));
  return c;
}
inline Command accuracy(AccuracyReport r, std::uint64_t problem_revision, bool of_baseline = false) {
  Command c = with(CommandId::ReportAccuracy, std::int64_t(problem_revision), of_baseline ? 1 : 0);
  c.accuracy = std::make_shared<const AccuracyReport>(std::move(r));
  return c;
}
inline Command devices(bool gpu_present, std::string reason) {
  Command c = with_text(CommandId::ReportDevices, std::move(reason));
  c.a = gpu_present ? 1 : 0;
  return c;
}
inline Command choose_race(std::string field, std::int64_t a, std::string text = {}) {
  Command c = with(CommandId::ChooseRace, a);
  c.field = std::move(field);
  c.text = std::move(text);
  return c;
}
inline Command race_news(RaceNews news) {
  Command c = simple(CommandId::ReportRace);
  c.race = std::make_shared<const RaceNews>(std::move(news));
  return c;
}
}  // namespace command

}  // namespace tilewalk
