// A Command is the only thing that changes a Session. Keys, clicks, menus, the palette, scripts and the command line
// all make the same Commands; Session::dispatch carries them out. A plain value that compares equal by value, so a test
// can say exactly which Command a click must make. A command without arguments is an Action, a row of
// session/command/actions.inc; each other is a small struct here and a row of session/command/commands.inc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "core/chip/lane_option.h"
#include "core/problem/tensor.h"
#include "core/values/quantity.h"
#include "session/command/action.h"
#include "session/command/export_report.h"
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
struct GoToTile {  // to the end of that visit; pauses
  std::int64_t q_tile = 0, kv_tile = 0;
  bool operator==(const GoToTile&) const = default;
};
struct RunToTile {  // plays, forwards or backwards, and pauses there
  std::int64_t q_tile = 0, kv_tile = 0;
  bool operator==(const RunToTile&) const = default;
};
struct GoToHead {  // to its first step
  std::int64_t batch = 0, head = 0;
  bool operator==(const GoToHead&) const = default;
};
struct HoldMotion {  // the picture of the step at hand at t, 0 to 1; pauses
  double t = 1;
  bool operator==(const HoldMotion&) const = default;
};
struct SetSpeed {
  double moves_a_second = 1;
  bool operator==(const SetSpeed&) const = default;
};
struct SetUnit {
  StepUnit unit = StepUnit::Tile;
  bool operator==(const SetUnit&) const = default;
};
struct SelectCell {  // of the score matrix
  std::int64_t row = 0, col = 0;
  bool operator==(const SelectCell&) const = default;
};
struct SetGridView {  // the centre as fractions of the matrix
  double zoom = 1, row = 0.5, col = 0.5;
  bool operator==(const SetGridView&) const = default;
};
struct ShowCells {  // empty: what the phase makes
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
struct SetLanesView {  // the centre as a fraction of the widest lanes
  double zoom = 1, centre = 0.5;
  bool operator==(const SetLanesView&) const = default;
};
struct SetLaneOption {  // 0 or 1; of the stages: how many. The cursor stays.
  LaneOption option = LaneOption::PingPong;
  std::int64_t value = 0;
  bool operator==(const SetLaneOption&) const = default;
};
struct PinSchedule {  // the baseline is this problem under that schedule
  ScheduleKind schedule = ScheduleKind::FlashV2;
  bool operator==(const PinSchedule&) const = default;
};
struct ExchangeAt {  // as Action::ExchangeSides, but the baseline comes on screen at this cursor
  std::int64_t cursor = 0;
  bool operator==(const ExchangeAt&) const = default;
};

struct ShowTransfers {  // behind a row of the table of differences; empty: of none
  std::string row;
  bool operator==(const ShowTransfers&) const = default;
};

struct ChooseRace {  // what of a race is shown; what is not given stays
  std::optional<RaceSource> source = {};
  std::optional<RaceMetric> metric = {};
  std::optional<std::string> pass = {};
  std::optional<std::int64_t> n = {}, d = {};
  std::optional<bool> causal = {};
  bool operator==(const ChooseRace&) const = default;
};

enum class TreeMember {  // of the family tree, oldest first; what each is: view/tree
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
struct ChooseMember {  // of the family tree: what is said of it
  TreeMember member = TreeMember::Flash2;
  bool operator==(const ChooseMember&) const = default;
};
struct ChooseRoofline {  // what the roofline is of; what is not given stays. The answers are hidden again.
  std::optional<std::string> device = {};
  std::optional<std::int64_t> n = {}, d = {}, heads = {}, kv_heads = {}, batch = {};  // 0 KV heads: as many as heads
  std::optional<bool> causal = {};
  std::optional<DType> dtype = {};
  std::optional<bool> as_raced = {};  // heads and batch follow N and d, as in the recorded races
  bool operator==(const ChooseRoofline&) const = default;
};
struct GuessWin {  // how many times as fast as naive, before the answers are shown
  double times = 1;
  bool operator==(const GuessWin&) const = default;
};
struct EditOwnCard {  // "bandwidth" in GB/s or "peak" in TFLOP/s of the roofline's card; empty: what it has itself
  std::string field, text;
  bool operator==(const EditOwnCard&) const = default;
};
struct WalkMethod {  // the roofline's call, by the schedule and with the tiles of that method
  std::string method;
  bool operator==(const WalkMethod&) const = default;
};
struct EditCall {  // a field of the call whose attention is asked for; empty: as it is by itself
  std::string field, text;
  bool operator==(const EditCall&) const = default;
};
struct TakeAdvice {  // from 1, in the order in which they are shown: the call is changed so
  std::int64_t number = 1;
  bool operator==(const TakeAdvice&) const = default;
};

struct ReadName {  // of a GPU's kernel, as profilers print it: the page of which attention runs tells what it tells
  std::string name;
  bool operator==(const ReadName&) const = default;
};

struct AskByHand {  // these numbers become fields; what was open is forgotten
  HandRows rows;
  std::optional<HandQuantities> ask = {};  // without it: every one that the walk makes
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
struct ShowField {  // its answer
  HandPlace field;
  bool operator==(const ShowField&) const = default;
};
struct FocusField {  // without one: none
  std::optional<HandPlace> field = {};
  bool operator==(const FocusField&) const = default;
};

struct SetSchedule {
  ScheduleKind schedule = ScheduleKind::FlashV2;
  bool operator==(const SetSchedule&) const = default;
};
struct SetFault {  // the mistake that is made on purpose; the cursor stays
  Fault fault = Fault::None;
  bool operator==(const SetFault&) const = default;
};
struct EditField {  // into the draft; nothing else changes until it is applied
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
  std::optional<bool> again = {};  // a drag goes on: undone with what began it
  bool operator==(const SetTiling&) const = default;
};
struct OpenFile {
  std::string path;
  bool operator==(const OpenFile&) const = default;
};
struct SaveFile {
  std::string path;
  std::optional<bool> replace = {};  // whatever stands there; else a file that is not the one open is asked about
  bool operator==(const SaveFile&) const = default;
};

struct OpenLesson {  // by its number, where it was left
  std::int64_t number = 1;
  std::optional<std::int64_t> screen = {};  // from 1
  bool operator==(const OpenLesson&) const = default;
};
struct DraftAnswer {  // as far as it is typed
  std::string text;
  bool operator==(const DraftAnswer&) const = default;
};
struct CheckAnswer {
  std::string text;
  bool operator==(const CheckAnswer&) const = default;
};

struct ChooseQuestion {  // from 1, whose answer is told; 0: of none
  std::int64_t number = 0;
  bool operator==(const ChooseQuestion&) const = default;
};

struct ExportFile {
  ExportKind kind = ExportKind::Picture;
  std::string path;
  std::optional<bool> replace = {};  // else a file that stands there is asked about
  bool operator==(const ExportFile&) const = default;
};

struct Tick {  // seconds, any origin, never read from a clock here
  double now = 0;
  bool operator==(const Tick&) const = default;
};
struct Work {  // replay to do now
  std::int64_t visits = 1;
  bool operator==(const Work&) const = default;
};
struct ReportCheck {
  CheckReport report;
  std::uint64_t problem_revision = 0;  // the report of another one is dropped
  bool operator==(const ReportCheck&) const = default;
};
struct ReportAccuracy {
  AccuracyReport report;
  std::uint64_t revision = 0;  // of the problem, or of the baseline
  bool of_baseline = false;
  bool operator==(const ReportAccuracy&) const = default;
};
struct ReportDevices {
  bool gpu_present = false;  // is there a GPU to check on
  std::string reason;        // why not, otherwise
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

struct ReportKeeping {  // what could not be kept, or read, of what is kept between starts
  std::string words;
  bool operator==(const ReportKeeping&) const = default;
};

struct ReportExport {
  ExportNews news;
  bool operator==(const ReportExport&) const = default;
};

// One alternative for each row of session/command/commands.inc.
using Command = std::variant<Action
#define COMMAND(type, ...) , type
#define REPORT(type, ...) , type
#include "session/command/commands.inc"
#undef REPORT
#undef COMMAND
                             >;

}  // namespace tilewalk
