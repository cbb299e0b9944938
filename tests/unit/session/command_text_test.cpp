#include "session/command/command_text.h"

#include <set>

#include "core/schedules/registry.h"
#include "session/command/command_table.h"
#include "session/document/words.h"
#include "tests/support/catch.h"
#include "tests/support/random_problem.h"

using namespace tilewalk;

namespace {

constexpr std::size_t kWithoutText = 10;  // Tick, Work and eight reports

class AnyCommand {
 public:
  explicit AnyCommand(std::uint64_t seed) : draw_(seed) {}

  Command operator()() {
    switch (pick(62)) {
      case 0: return command_table()[std::size_t(pick(int(command_table().size())))].action;
      case 1: return GoToStep{whole()};
      case 2: return GoToTile{whole(), whole()};
      case 3: return RunToTile{whole(), whole()};
      case 4: return GoToHead{whole(), whole()};
      case 5: return SetSpeed{real()};
      case 6: return SetUnit{of<StepUnit>(kUnitWords)};
      case 7: return SelectCell{whole(), whole()};
      case 8: return SetGridView{real(), real(), real()};
      case 9: return SetTextScale{real()};
      case 10: return OpenDialog{of<Dialog>(kDialogWords)};
      case 11: return ShowPage{of<Page>(kPageWords)};
      case 12: return SetPace{of<Pace>(kPaceWords)};
      case 13: return SetLanesView{real(), real()};
      case 14: return SetLaneOption{of<LaneOption>(kLaneOptionWords), whole()};
      case 15: return PinSchedule{schedule()};
      case 16: return ExchangeAt{whole()};
      case 17: return race();
      case 18: return SetSchedule{schedule()};
      case 19: return EditField{pick(2) ? "n" : "mask", text()};
      case 20: return pick(2) ? Command(ApplyEdit{}) : ResetEdit{};
      case 21: return EditValue{pick(2) ? TensorId::K : TensorId::dO, whole(), whole(), text()};
      case 22: return LoadPreset{text()};
      case 23: return OpenFile{text()};
      case 24: return ShowTransfers{text()};
      case 25: return pick(2) ? ShowCells{} : ShowCells{quantities_of(QuantityShape::Cell)[std::size_t(pick(4))]};
      case 26: return SetFault{pick(4) ? all_faults()[std::size_t(pick(int(all_faults().size())))] : Fault::None};
      case 27: return ShowFolder{text()};
      case 28: return pick(2) ? SetTiling{whole(), whole(), {}} : SetTiling{whole(), whole(), pick(2) != 0};
      case 29: return AskByHand{hand_rows(), pick(2) ? std::optional(quantities()) : std::nullopt};
      case 30: return AnswerField{hand_place(), text()};
      case 31: return HintField{hand_place()};
      case 32: return ShowField{hand_place()};
      case 33: return pick(2) ? FocusField{hand_place()} : FocusField{};
      case 34: return pick(2) ? OpenLesson{whole(), {}} : OpenLesson{whole(), whole()};
      case 35: return DraftAnswer{text()};
      case 36: return CheckAnswer{text()};
      case 37: return ExportFile{exported(), text(), yes_no_or_neither(), yes_no_or_neither()};
      case 38: return ChooseMember{of<TreeMember>(kTreeWords)};
      case 39: return EditCall{pick(2) ? "n-q" : "attn-mask", text()};
      case 40: return TakeAdvice{whole()};
      case 41: return roofline();
      case 42: return GuessWin{double(pick(100)) / 4};
      case 43: return EditOwnCard{pick(2) ? "bandwidth" : "peak", text()};
      case 44: return WalkMethod{pick(2) ? "naive" : "flash_v3"};
      case 45: return pick(2) ? Command(ReadName{text()}) : OpenExampleProfile{kExampleProfiles[0]};
      case 46: return ChooseQuestion{whole()};
      case 47: return HoldMotion{real()};
      case 48: return HoldZoom{real()};
      case 49: return MoveZoom{real()};
      case 50: return ChooseCompared{of<Compared>(kComparedWords)};
      case 51: return ChooseTask{whole()};
      case 52: return EditKernel{text()};
      case 53: return OpenSharedKernel{whole(), text()};
      case 54: return SetLabUnit{of<LabUnit>(kLabUnitWords)};
      case 55: return SetLabThread{whole()};
      case 56: return GoToLabVisit{whole()};
      case 57: return WatchKernel{text()};
      case 58: return GoToCallStep{whole()};
      case 59: return HoldRow{real()};
      case 60: return MoveRow{real()};
      default: return SaveFile{text()};
    }
  }

 private:
  int pick(int below) { return int(draw_.upto(0, below - 1)); }
  std::int64_t whole() { return (pick(2) ? 1 : -1) * draw_.upto(0, std::int64_t(1) << pick(62)); }
  std::optional<bool> yes_no_or_neither() { return pick(2) ? std::nullopt : std::optional(pick(2) != 0); }
  double real() { return double(whole()) / 3.0 * (pick(2) ? 1e-12 : 1); }
  ScheduleKind schedule() { return all_schedules()[std::size_t(pick(int(all_schedules().size())))]; }
  template <class E, std::size_t N>
  E of(const char* const (&)[N]) {
    return E(pick(int(N)));
  }
  ExportKind exported() { return kExports[pick(int(std::size(kExports)))].kind; }
  std::string text() {
    std::string out;
    for (int i = pick(9); i > 0; --i) out += std::string("a; ,\"\\/\t\nℓ-9").substr(std::size_t(pick(13)), 1);
    return out;
  }
  HandRows hand_rows() {
    HandRows rows{HandRows::Kind(pick(4)), {}};
    if (rows.kind == HandRows::These)
      for (int i = pick(4); i >= 0; --i) rows.these.push_back(pick(100));
    return rows;
  }
  HandQuantities quantities() {
    HandQuantities out;
    for (int i = pick(4); i >= 0; --i) out.push_back(Quantity(pick(kNamedQuantities)));
    return out;
  }
  HandPlace hand_place() { return {Quantity(pick(kNamedQuantities)), pick(100), pick(2) ? pick(100) : -1}; }
  ChooseRoofline roofline() {
    ChooseRoofline c;
    if (pick(2)) c.device = text();
    if (pick(2)) c.n = whole();
    if (pick(2)) c.heads = whole();
    if (pick(2)) c.kv_heads = whole();
    if (pick(2)) c.batch = whole();
    if (pick(2)) c.causal = pick(2) != 0;
    if (pick(2)) c.dtype = DType(pick(3));
    if (pick(2)) c.as_raced = pick(2) != 0;
    return c;
  }
  ChooseRace race() {
    ChooseRace c;
    if (pick(2)) c.source = of<RaceSource>(kRaceSourceWords);
    if (pick(2)) c.metric = of<RaceMetric>(kRaceMetricWords);
    if (pick(2)) c.pass = text();
    if (pick(2)) c.n = whole();
    if (pick(2)) c.d = whole();
    if (pick(2)) c.causal = pick(2) != 0;
    return c;
  }

  test::Draw draw_;
};

Issue issue_of(std::string_view text) {
  const auto commands = commands_from(text);
  REQUIRE_FALSE(commands.ok());
  return commands.issues().front();
}

}  // namespace

TEST_CASE("the text form of a command is parsed to that command, alone and in a list") {
  AnyCommand any(7);
  std::set<CommandType> kinds;
  std::vector<Command> all;
  std::string text;
  for (int i = 0; i < 4000; ++i) {
    const Command command = any();
    kinds.insert(command.type());
    INFO(text_of(command));
    const auto back = command_from(text_of(command));
    INFO((back ? "" : text_of(back.issues())));
    REQUIRE(back.ok());
    REQUIRE(*back == command);
    if (i >= 200) continue;
    all.push_back(command);
    text += text_of(command) + (i % 2 ? ";" : " ;\n");
  }
  CHECK(kinds.size() == kCommandTypes - kWithoutText);
  const auto back = commands_from(text);
  REQUIRE(back.ok());
  CHECK(*back == all);
}

TEST_CASE("commands are equal exactly where their text forms are") {
  AnyCommand any(11);
  std::size_t different = 0;
  for (int i = 0; i < 2000; ++i) {
    const Command a = any(), b = any();
    REQUIRE((a == b) == (text_of(a) == text_of(b)));
    different += a.type() == b.type() && a != b ? 1 : 0;
  }
  CHECK(different > 10);
  CHECK(GoToTile{1, 2} == GoToTile{1, 2});
  CHECK_FALSE(GoToTile{1, 2} == GoToTile{1, 3});
  CHECK(ApplyEdit{} == ApplyEdit{});
  CHECK_FALSE(Command(ApplyEdit{}) == Command(ResetEdit{}));
  CHECK_FALSE(Command(Tick{1}) == Command(Tick{2}));
}

TEST_CASE("every command of the table has a text form, and arguments from the context have none") {
  for (const CommandRow& row : command_table()) {
    CHECK(text_of(row.action) == row.name);
    CHECK(*command_from(row.name) == Command(row.action));
  }
  for (const Command& c :
       {Command(Tick{1}), Command(Work{1}), Command(ReportCheck{}), Command(ReportAccuracy{}), Command(ReportDevices{}),
        Command(ReportRace{}), Command(ReportMeasure{}), Command(ReportKeeping{})})
    CHECK(text_of(c).empty());
  std::set<std::string> names;
  for (const CommandForm& form : command_forms()) {
    INFO(form.text);
    CHECK(names.insert(form.text.substr(0, form.text.find(' '))).second);
    CHECK(form.help.back() == '.');
  }
}

TEST_CASE("commands are read with commas or spaces between their words") {
  const auto commands = commands_from(" go-to-tile 2,1; select 9, 6 ;; show compare;set-field n 64");
  REQUIRE(commands.ok());
  CHECK(*commands ==
        std::vector<Command>{GoToTile{2, 1}, SelectCell{9, 6}, ShowPage{Page::Compare}, EditField{"n", "64"}});
  CHECK(commands_from("")->empty());
  CHECK_FALSE(command_from("").ok());
  CHECK_FALSE(command_from("first; last").ok());
}

TEST_CASE("a bad command is refused with its position and the nearest right one") {
  CHECK(issue_of("first; selct 9,6").text() == "command 2, column 8 = selct: is not a command. The nearest is select");
  CHECK(
      issue_of("show conpare").text() ==
      "command 1, column 6 = conpare: is not one for PAGE. The nearest is compare. All: walk, compare, race, roofline, "
      "which, tree, lab");
  CHECK(issue_of("go-to-tile 2").text() == "command 1, column 13: KV-TILE is missing");
  CHECK(issue_of("go-to-tile 2,x").text() == "command 1, column 14 = x: is not a whole number");
  CHECK(issue_of("select 1 2 3").text() == "command 1, column 12 = 3: is one word too many. Put ';' between commands");
  CHECK(issue_of("set-speed nan").rule == "is not a number");
  CHECK(issue_of("set-field dd 8").suggestion == "The nearest is d");
  CHECK(issue_of("set-lane-option pingpang 0").suggestion ==
        "The nearest is ping-pong. All: warp-specialisation, ping-pong, overlap, conditional-rescale, polynomial-exp2, "
        "stages");
  CHECK(issue_of("choose-race metric speed").field == "command 1, column 20");
  CHECK(issue_of("choose-race shoe 44").rule == "is not a word of choose-race");
  CHECK(issue_of("open-lesson 5 1").suggestion == "The nearest is screen");
  CHECK(issue_of("open-file \"a").rule == "a quote is not closed");
  CHECK(issue_of("set-schedule flash_v9").suggestion.starts_with("The nearest is flash_v"));
  CHECK(commands_from("firts; lst").issues().size() == 2);
}
