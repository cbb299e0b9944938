#include "session/lesson/command_reach.h"

#include "base/overloaded.h"

namespace tilewalk {
namespace {

// No default: the compiler asks where a new one belongs.
Reach reach_of_dialog(Dialog dialog) {
  switch (dialog) {
    case Dialog::None:
    case Dialog::Problem:
    case Dialog::Presets:
    case Dialog::GoTo:
    case Dialog::Keys:
    case Dialog::Palette:
    case Dialog::Traffic:
    case Dialog::Faults:
    case Dialog::Lessons:
    case Dialog::Review:
    case Dialog::Questions: return Reach::Scene;
    case Dialog::OpenFile:
    case Dialog::SaveFile:
    case Dialog::Export: break;
  }
  return Reach::Person;
}

Reach reach_of_action(Action action) {
  switch (action) {
    case Action::PlayPause:
    case Action::StepForward:
    case Action::StepBack:
    case Action::TileForward:
    case Action::TileBack:
    case Action::QTileForward:
    case Action::QTileBack:
    case Action::First:
    case Action::Last:
    case Action::GoToDialog:
    case Action::RunToSelection:
    case Action::ZoomIn:
    case Action::ZoomOut:
    case Action::ZoomFit:
    case Action::ZoomToTile:
    case Action::SelectNothing:
    case Action::NextCells:
    case Action::WorkByHand:
    case Action::Undo:
    case Action::Redo:
    case Action::EditProblem:
    case Action::ClearValues:
    case Action::ShowFaults:
    case Action::ShowPresets:
    case Action::ShowTraffic:
    case Action::ShowCompare:
    case Action::NextPace:
    case Action::ExchangeSides:
    case Action::LanesEarlier:
    case Action::LanesLater:
    case Action::ShowWarps:
    case Action::PinNow:
    case Action::PinChip:
    case Action::ShowRace:
    case Action::ShowTree:
    case Action::ShowRoofline:
    case Action::RevealWin:
    case Action::ShowWhich:
    case Action::WalkWhich:
    case Action::ForgetWhich:
    case Action::WalkKernel:
    case Action::ShowLessons:
    case Action::ShowReview:
    case Action::ShowQuestions:
    case Action::Present:
    case Action::BlankScreen:
    case Action::AskFirst:
    case Action::PlayFromHere:
    case Action::ShowPalette:
    case Action::ShowKeys:
    case Action::CloseDialog: return Reach::Scene;

    case Action::OpenFileDialog:
    case Action::SaveFileDialog:
    case Action::ShowExport:
    case Action::StopExport:
    case Action::CopyCommandLine:
    case Action::CopyLink:
    case Action::CheckLive:
    case Action::RaceCpu:
    case Action::RaceGpu:
    case Action::StopRace:
    case Action::MeasureMachine:
    case Action::StopMeasuring:
    case Action::StopProfile:
    case Action::Faster:  // how one likes to see it is kept
    case Action::Slower:
    case Action::NextUnit:
    case Action::ToggleTheme:
    case Action::ToggleMotion:
    case Action::TextBigger:
    case Action::TextSmaller:
    case Action::TextNormal:
    case Action::FullScreen:
    case Action::NextScreen:  // how far one has come is kept
    case Action::PreviousScreen:
    case Action::LessonCheck:
    case Action::LessonHint:
    case Action::LessonAnswer:
    case Action::LessonAgain:
    case Action::LeaveLesson:
    case Action::Quit: break;
  }
  return Reach::Person;
}

template <class C, class... These>
constexpr bool is_one_of = (std::is_same_v<C, These> || ...);

}  // namespace

Reach reach_of(const Command& command) {
  return std::visit(
      Overloaded{
          [](Action action) { return reach_of_action(action); },
          [](const OpenDialog& c) { return reach_of_dialog(c.dialog); }, [](const OpenLesson&) { return Reach::Link; },
          []<class C>(const C&) {
            const bool looks_or_walks =
                is_one_of<C, GoToStep, GoToTile, RunToTile, GoToHead, SelectCell, SetGridView, ShowCells, ShowPage,
                          SetPace, SetLanesView, SetLaneOption, PinSchedule, ExchangeAt, ShowTransfers, ChooseRace,
                          ChooseMember, ChooseRoofline, GuessWin, EditOwnCard, WalkMethod, EditCall, TakeAdvice,
                          ReadName, ChooseQuestion>;
            const bool asks = is_one_of<C, AskByHand, AnswerField, HintField, ShowField, FocusField>;
            const bool changes_the_problem =
                is_one_of<C, SetSchedule, SetFault, EditField, ApplyEdit, ResetEdit, EditValue, LoadPreset, SetTiling>;
            return looks_or_walks || asks || changes_the_problem ? Reach::Scene : Reach::Person;
          }},
      command);
}

}  // namespace tilewalk
