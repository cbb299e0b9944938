// The commands with arguments: a small struct each, and a row of session/command/commands.inc. Reports come from the
// program's own work, all others from a person, a script or a lesson.
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
  bool operator==(const GoToStep&) const = default;
};
struct GoToTile {  // to the end of that tile visit; pauses
  std::int64_t q_tile = 0, kv_tile = 0;
  bool operator==(const GoToTile&) const = default;
};
struct RunToTile {  // plays, forwards or backwards, and pauses at the tile
  std::int64_t q_tile = 0, kv_tile = 0;
  bool operator==(const RunToTile&) const = default;
};
struct GoToHead {  // to the first step of the head
  std::int64_t batch = 0, head = 0;
  bool operator==(const GoToHead&) const = default;
};
struct HoldMotion {  // shows the current step at t, 0 to 1; pauses
  double t = 1;
  bool operator==(const HoldMotion&) const = default;
};
struct HoldZoom {  // the zoom that never ends, at t, 0 to 1
  double t = 1;
  bool operator==(const HoldZoom&) const = default;
};
struct MoveZoom {  // likewise, within a short time
  double t = 1;
  bool operator==(const MoveZoom&) const = default;
};
struct SetSpeed {
  double moves_a_second = 1;
  bool operator==(const SetSpeed&) const = default;
};
struct SetUnit {
  StepUnit unit = StepUnit::Tile;
  bool operator==(const SetUnit&) const = default;
};
struct SelectCell {  // a cell of the score matrix
  std::int64_t row = 0, col = 0;
  bool operator==(const SelectCell&) const = default;
};
struct SetGridView {  // the centre as fractions of the matrix
  double zoom = 1, row = 0.5, col = 0.5;
  bool operator==(const SetGridView&) const = default;
};
struct ShowCells {  // empty: the quantity that the phase computes
  std::optional<Quantity> quantity;
  bool operator==(const ShowCells&) const = default;
};
struct SetTextScale {  // 0.8 to 3
  double scale = 1;
  bool operator==(const SetTextScale&) const = default;
};
struct OpenDialog {
  Dialog dialog = Dialog::None;
  bool operator==(const OpenDialog&) const = default;
};
struct ShowPage {
  Page page = Page::Walk;
  bool operator==(const ShowPage&) const = default;
};

struct SetPace {
  Pace pace = Pace::Tile;
  bool operator==(const SetPace&) const = default;
};
struct ChooseCompared {  // what the page of comparison compares
  Compared of = Compared::Walk;
  bool operator==(const ChooseCompared&) const = default;
};
struct SetLanesView {  // the centre as a fraction of the widest lanes
  double zoom = 1, centre = 0.5;
  bool operator==(const SetLanesView&) const = default;
};
struct SetLaneOption {  // value: 0 or 1; for the stages their number. The cursor does not change.
  LaneOption option = LaneOption::PingPong;
  std::int64_t value = 0;
  bool operator==(const SetLaneOption&) const = default;
};
struct PinSchedule {  // the baseline becomes this problem under that schedule
  ScheduleKind schedule = ScheduleKind::FlashV2;
  bool operator==(const PinSchedule&) const = default;
};
struct ExchangeAt {  // like Action::ExchangeSides, but the baseline starts at this cursor
  std::int64_t cursor = 0;
  bool operator==(const ExchangeAt&) const = default;
};

struct ShowTransfers {  // of one row of the table of differences; empty: of none
  std::string row;
  bool operator==(const ShowTransfers&) const = default;
};

struct ChooseRace {  // selects the race to show; fields without a value do not change
  std::optional<RaceSource> source = {};
  std::optional<RaceMetric> metric = {};
  std::optional<std::string> pass = {};
  std::optional<std::int64_t> n = {}, d = {};
  std::optional<bool> causal = {};
  bool operator==(const ChooseRace&) const = default;
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
  FlashDecoding,
  Ring,
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
  bool operator==(const ChooseMember&) const = default;
};
struct ChooseRoofline {  // the roofline's call; fields without a value do not change. Hides the answers again.
  std::optional<std::string> device = {};
  std::optional<std::int64_t> n = {}, d = {}, heads = {}, kv_heads = {}, batch = {};  // kv_heads 0: as many as heads
  std::optional<bool> causal = {};
  std::optional<DType> dtype = {};
  std::optional<bool> as_raced = {};  // heads and batch follow N and d as in the recorded races
  bool operator==(const ChooseRoofline&) const = default;
};
struct GuessWin {  // predicted speed-up over naive, before the answers are shown
  double times = 1;
  bool operator==(const GuessWin&) const = default;
};
struct EditOwnCard {  // "bandwidth" in GB/s or "peak" in TFLOP/s of the roofline's card; empty: the data sheet's figure
  std::string field, text;
  bool operator==(const EditOwnCard&) const = default;
};
struct WalkMethod {  // opens the roofline's call in the walk, with the method's schedule and tiles
  std::string method;
  bool operator==(const WalkMethod&) const = default;
};
struct EditCall {  // a field of the call on the page of which attention runs; empty: its default
  std::string field, text;
  bool operator==(const EditCall&) const = default;
};
struct TakeAdvice {  // applies one piece of advice to the call; counted from 1 in the order shown
  std::int64_t number = 1;
  bool operator==(const TakeAdvice&) const = default;
};

struct ReadName {  // a GPU kernel's name as a profiler prints it; the page of which attention runs explains it
  std::string name;
  bool operator==(const ReadName&) const = default;
};

struct OpenExampleProfile {  // one of kExampleProfiles, on the page of which attention runs
  std::string name;
  bool operator==(const OpenExampleProfile&) const = default;
};

struct ChooseTask {  // of the lab, by its number
  std::int64_t number = 1;
  bool operator==(const ChooseTask&) const = default;
};
struct EditKernel {  // the learner's text of the lab's task
  std::string text;
  bool operator==(const EditKernel&) const = default;
};
struct OpenSharedKernel {  // a text from a link, for a task of the lab; see text_in_link (pages/lab/lab_controller.h)
  std::int64_t task = 1;
  std::string text;
  bool operator==(const OpenSharedKernel&) const = default;
};
struct SetLabUnit {  // what a step in the lab moves by
  LabUnit unit = LabUnit::Phase;
  bool operator==(const SetLabUnit&) const = default;
};
struct SetLabThread {  // of the thread block: whose lines a step in the lab follows
  std::int64_t thread = 0;
  bool operator==(const SetLabThread&) const = default;
};
struct GoToLabVisit {  // to the end of that tile visit of the learner's run, counted from 1
  std::int64_t visit = 1;
  bool operator==(const GoToLabVisit&) const = default;
};
struct WatchKernel {  // a file whose text is the learner's, and runs at each change; empty: none
  std::string path;
  bool operator==(const WatchKernel&) const = default;
};

struct AskByHand {  // turns these numbers into fields; earlier fields are dropped
  HandRows rows;
  std::optional<HandQuantities> ask = {};  // without a value: every quantity that the walk computes
  bool operator==(const AskByHand&) const = default;
};
struct AnswerField {
  HandPlace field;
  std::string text;  // as typed
  bool operator==(const AnswerField&) const = default;
};
struct HintField {
  HandPlace field;
  bool operator==(const HintField&) const = default;
};
struct ShowField {  // shows the field's answer
  HandPlace field;
  bool operator==(const ShowField&) const = default;
};
struct FocusField {  // without a value: no field
  std::optional<HandPlace> field = {};
  bool operator==(const FocusField&) const = default;
};

struct SetSchedule {
  ScheduleKind schedule = ScheduleKind::FlashV2;
  bool operator==(const SetSchedule&) const = default;
};
struct SetFault {  // the deliberate mistake; the cursor does not change
  Fault fault = Fault::None;
  bool operator==(const SetFault&) const = default;
};
struct EditField {  // changes the draft alone until it is applied
  std::string field, text;
  bool operator==(const EditField&) const = default;
};
struct ApplyEdit {
  bool operator==(const ApplyEdit&) const = default;
};
struct ResetEdit {
  bool operator==(const ResetEdit&) const = default;
};
struct EditValue {  // of the head in view
  TensorId tensor = TensorId::Q;
  std::int64_t row = 0, col = 0;
  std::string text;  // the number, as typed
  bool operator==(const EditValue&) const = default;
};
struct LoadPreset {
  std::string name;
  bool operator==(const LoadPreset&) const = default;
};
struct ShowFolder {  // in the dialogs that open and save
  std::string path;
  bool operator==(const ShowFolder&) const = default;
};
struct SetTiling {  // as a border is dragged
  std::int64_t br = 1, bc = 1;
  std::optional<bool> again = {};  // true: the drag continues, and one undo covers all of it
  bool operator==(const SetTiling&) const = default;
};
struct OpenFile {
  std::string path;
  bool operator==(const OpenFile&) const = default;
};
struct SaveFile {
  std::string path;
  std::optional<bool> replace = {};  // overwrites any file; else saving over a file that is not open asks first
  bool operator==(const SaveFile&) const = default;
};

struct OpenLesson {  // by its number, at the screen that was open last
  std::int64_t number = 1;
  std::optional<std::int64_t> screen = {};  // from 1
  bool operator==(const OpenLesson&) const = default;
};
struct DraftAnswer {  // the text typed so far
  std::string text;
  bool operator==(const DraftAnswer&) const = default;
};
struct CheckAnswer {
  std::string text;
  bool operator==(const CheckAnswer&) const = default;
};

struct ChooseQuestion {  // counted from 1; shows its answer. 0: none
  std::int64_t number = 0;
  bool operator==(const ChooseQuestion&) const = default;
};

struct ExportFile {
  ExportKind kind = ExportKind::Picture;
  std::string path;
  std::optional<bool> replace = {};  // overwrites any file; else an existing file is asked about first
  std::optional<bool> square = {};   // a picture or film of 1200×1200 in large type; else as large as the window
  bool operator==(const ExportFile&) const = default;
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
