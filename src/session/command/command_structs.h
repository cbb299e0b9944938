// The commands with arguments: a small struct each, and a row of session/command/commands.inc. Reports come from the
// program's own work, all others from a person, a script or a lesson: two of these are equal if all arguments of their
// rows are (command.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/chip/lane_option.h"
#include "core/problem/tensor.h"
#include "core/values/quantity.h"
#include "session/command/export_report.h"
#include "session/command/lab_unit.h"
#include "session/command/measure_report.h"
#include "session/command/profile_report.h"
#include "session/command/race_report.h"
#include "session/document/document.h"
#include "session/hand/hand_field.h"
#include "trace/accuracy.h"
#include "trace/verdict.h"

namespace tilewalk {

struct GoToStep {  // pauses
  std::int64_t cursor = 0;
};
struct GoToTile {  // to the end of that tile visit; pauses
  std::int64_t q_tile = 0, kv_tile = 0;
};
struct RunToTile {  // plays, forwards or backwards, and pauses at the tile
  std::int64_t q_tile = 0, kv_tile = 0;
};
struct GoToHead {  // to the first step of the head
  std::int64_t batch = 0, head = 0;
};
struct HoldMotion {  // shows the current step at t, 0 to 1; pauses
  double t = 1;
};
struct HoldZoom {  // the zoom out of one score, at t, 0 to 1
  double t = 1;
};
struct MoveZoom {  // likewise, within a short time
  double t = 1;
};
struct HoldRow {  // the explanation of one row, at t, 0 to 1
  double t = 1;
};
struct MoveRow {  // likewise, within a short time
  double t = 1;
};
struct SetSpeed {
  double moves_a_second = 1;
};
struct SetUnit {
  StepUnit unit = StepUnit::Tile;
};
struct SelectCell {  // a cell of the score matrix
  std::int64_t row = 0, col = 0;
};
struct SetGridView {  // the centre as fractions of the matrix
  double zoom = 1, row = 0.5, col = 0.5;
};
struct ShowCells {  // empty: the quantity that the phase computes
  std::optional<Quantity> quantity;
};
struct SetTextScale {  // 0.8 to 3
  double scale = 1;
};
struct OpenDialog {
  Dialog dialog = Dialog::None;
};
struct ShowPage {
  Page page = Page::Walk;
};

struct SetPace {
  Pace pace = Pace::Tile;
};
struct ChooseCompared {  // what the page of comparison compares
  Compared of = Compared::Walk;
};
struct GoToCallStep {  // the call that the page of comparison compares, to the state after so many of its steps
  std::int64_t cursor = 0;
};
struct SetLanesView {  // the centre as a fraction of the widest lanes
  double zoom = 1, centre = 0.5;
};
struct SetLaneOption {  // value: 0 or 1; for the stages their number. The cursor does not change.
  LaneOption option = LaneOption::PingPong;
  std::int64_t value = 0;
};
struct PinSchedule {  // the baseline becomes this problem under that schedule
  ScheduleKind schedule = ScheduleKind::FlashV2;
};
struct ExchangeAt {  // like Action::ExchangeSides, but the baseline starts at this cursor
  std::int64_t cursor = 0;
};

struct ShowTransfers {  // of one row of the table of differences; empty: of none
  std::string row;
};

struct ChooseRace {  // selects the race to show; fields without a value do not change
  std::optional<RaceSource> source = {};
  std::optional<RaceMetric> metric = {};
  std::optional<std::string> pass = {};
  std::optional<std::int64_t> n = {}, d = {};
  std::optional<bool> causal = {};
  std::optional<bool> all = {};
};

enum class TreeMember {  // members of the family tree, oldest first; pages/tree/tree_table has a row for each
  OnlineSoftmax,
  ApexFmha,
  LazySoftmax,
  Flash1,
  Xformers,
  TritonTutorial,
  Flash2,
  Paged,
  Ring,
  FlashDecoding,
  Cudnn,
  Flash3,
  FlexAttention,
  Sage,
  FlashInfer,
  FlashMla,
  Flash4
};
struct ChooseMember {  // the member of the family tree to describe
  TreeMember member = TreeMember::Flash2;
};
struct ChooseRoofline {  // the roofline's call; fields without a value do not change. Hides the answers again.
  std::optional<std::string> device = {};
  std::optional<std::int64_t> n = {}, d = {}, heads = {}, kv_heads = {}, batch = {};  // kv_heads 0: as many as heads
  std::optional<bool> causal = {};
  std::optional<DType> dtype = {};
  std::optional<bool> as_raced = {};  // heads and batch follow N and d as in the recorded races
};
struct GuessWin {  // predicted speed-up over naive, before the answers are shown
  double times = 1;
};
struct EditOwnCard {  // "bandwidth" in GB/s or "peak" in TFLOP/s of the roofline's card; empty: the data sheet's figure
  std::string field, text;
};
struct WalkMethod {  // opens the roofline's call in the walk, with the method's schedule and tiles
  std::string method;
};
struct EditCall {  // a field of the call on the page of which attention runs; empty: its default
  std::string field, text;
};
struct TakeAdvice {  // applies one piece of advice to the call; counted from 1 in the order shown
  std::int64_t number = 1;
};

struct ReadName {  // a GPU kernel's name as a profiler prints it; the page of which attention runs explains it
  std::string name;
};

struct OpenExampleProfile {  // one of kExampleProfiles, on the page of which attention runs
  std::string name;
};

struct ChooseTask {  // of the lab, by its number
  std::int64_t number = 1;
};
struct EditKernel {  // the learner's text of the lab's task
  std::string text;
};
struct OpenSharedKernel {  // a text from a link, for a task of the lab; see text_in_link (pages/lab/lab_controller.h)
  std::int64_t task = 1;
  std::string text;
};
struct SetLabUnit {  // what a step in the lab moves by
  LabUnit unit = LabUnit::Phase;
};
struct SetLabThread {  // of the thread block: whose lines a step in the lab follows
  std::int64_t thread = 0;
};
struct GoToLabVisit {  // to the end of that tile visit of the learner's run, counted from 1
  std::int64_t visit = 1;
};
struct WatchKernel {  // a file whose text is the learner's, and runs at each change; empty: none
  std::string path;
};

struct AskByHand {  // turns these numbers into fields; earlier fields are dropped
  HandRows rows;
  std::optional<HandQuantities> ask = {};  // without a value: every quantity that the walk computes
};
struct AnswerField {
  HandPlace field;
  std::string text;  // as typed
};
struct HintField {
  HandPlace field;
};
struct ShowField {  // shows the field's answer
  HandPlace field;
};
struct FocusField {  // without a value: no field
  std::optional<HandPlace> field = {};
};

struct SetSchedule {
  ScheduleKind schedule = ScheduleKind::FlashV2;
};
struct SetFault {  // the deliberate mistake; the cursor does not change
  Fault fault = Fault::None;
};
struct EditField {  // changes the draft alone until it is applied
  std::string field, text;
};
struct ApplyEdit {};
struct ResetEdit {};
struct EditValue {  // of the head in view
  TensorId tensor = TensorId::Q;
  std::int64_t row = 0, col = 0;
  std::string text;  // the number, as typed
};
struct LoadPreset {
  std::string name;
};
struct ShowFolder {  // in the dialogs that open and save
  std::string path;
};
struct SetTiling {  // as a border is dragged
  std::int64_t br = 1, bc = 1;
  std::optional<bool> again = {};  // true: the drag continues, and one undo covers all of it
};
struct OpenFile {
  std::string path;
};
struct SaveFile {
  std::string path;
  std::optional<bool> replace = {};  // overwrites any file; else saving over a file that is not open asks first
};

struct OpenLesson {  // by its number, at the screen that was open last
  std::int64_t number = 1;
  std::optional<std::int64_t> screen = {};  // from 1
};
struct DraftAnswer {  // the text typed so far
  std::string text;
};
struct CheckAnswer {
  std::string text;
};

struct ChooseQuestion {  // counted from 1; shows its answer. 0: none
  std::int64_t number = 0;
};

struct ExportFile {
  ExportKind kind = ExportKind::Picture;
  std::string path;
  std::optional<bool> replace = {};  // overwrites any file; else an existing file is asked about first
  std::optional<bool> square = {};   // a picture or film of 1200×1200 in large type; else as large as the window
};

struct Tick {  // seconds, any origin, never read from a clock here
  double now = 0;
  bool operator==(const Tick&) const = default;
};
struct Work {  // seconds from any origin; no clock is read here
  std::int64_t visits = 1;
  bool operator==(const Work&) const = default;
};
struct ReportCheck {
  CheckReport report;
  std::uint64_t problem_revision = 0;  // a report about another problem revision is dropped
  bool operator==(const ReportCheck&) const = default;
};
struct ReportAccuracy {
  AccuracyReport report;
  std::uint64_t revision = 0;  // of the problem, or of the baseline
  bool of_baseline = false;
  bool operator==(const ReportAccuracy&) const = default;
};
struct ReportDevices {
  bool gpu_present = false;  // true if there is a GPU to check on
  std::string reason;        // otherwise the reason
  bool operator==(const ReportDevices&) const = default;
};
struct ReportRace {
  RaceNews news;
  bool operator==(const ReportRace&) const = default;
};

struct ReportMeasure {
  MeasureNews news;
  bool operator==(const ReportMeasure&) const = default;
};

struct ReportProfile {
  ProfileNews news;
  bool operator==(const ReportProfile&) const = default;
};

struct ReportKeeping {  // an error of reading or writing the settings or the progress of lessons
  std::string words;
  bool operator==(const ReportKeeping&) const = default;
};

struct ReportExport {
  ExportNews news;
  bool operator==(const ReportExport&) const = default;
};

}  // namespace tilewalk
