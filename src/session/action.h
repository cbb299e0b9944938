// The commands that need no arguments, each with a row in the command table, and the dialogs that some of them open.
#pragma once

namespace tilewalk {

enum class Action {
  PlayPause,
  StepForward,
  StepBack,
  TileForward,
  TileBack,
  QTileForward,
  QTileBack,
  First,
  Last,
  GoToDialog,
  RunToSelection,
  Faster,
  Slower,
  NextUnit,
  ZoomIn,
  ZoomOut,
  ZoomFit,
  ZoomToTile,
  SelectNothing,
  NextCells,
  WorkByHand,
  Undo,
  Redo,
  EditProblem,
  ClearValues,
  ShowFaults,
  ShowPresets,
  OpenFileDialog,
  SaveFileDialog,
  CopyCommandLine,
  CopyLink,  // of a page in a browser
  ShowExport,
  StopExport,
  CheckLive,
  ShowTraffic,
  ShowCompare,  // to the page of comparison, or back to the walk
  NextPace,
  ExchangeSides,  // the baseline comes on screen, in step, and what was there is pinned
  LanesEarlier,
  LanesLater,
  ShowWarps,  // on the page of comparison: one thread block's warps in place of the SMs, or the SMs again
  PinNow,     // the baseline is the problem as it stands
  PinChip,    // FA-3: the lanes recorded from the chip stand above the modelled ones
  ShowRace,   // to the page of the race, or back to the walk
  RaceCpu,
  RaceGpu,
  StopRace,
  ShowTree,        // to the page of the family tree, or back to the walk
  ShowRoofline,    // to the page of the roofline, or back to the walk
  RevealWin,       // its answers, or hidden again
  MeasureMachine,  // what this machine reaches, for the roofline
  StopMeasuring,
  ShowWhich,    // to the page of which attention runs, or back to the walk
  WalkWhich,    // the schedule that shows it, with its kernel's tiles, comes on screen
  ForgetWhich,  // the call is the plain one again
  WalkKernel,   // the schedule that a kernel's name tells of comes on screen
  StopProfile,  // it is read no further
  ShowLessons,
  NextScreen,  // of the lesson that is open
  PreviousScreen,
  LessonCheck,  // of the draft
  LessonHint,
  LessonAnswer,  // shows it
  LessonAgain,   // from its first screen, with nothing done
  LeaveLesson,
  ShowReview,  // what went wrong in the lessons, and what to read next
  ShowQuestions,
  ToggleTheme,
  ToggleMotion,
  TextBigger,
  TextSmaller,
  TextNormal,
  FullScreen,
  Present,       // to a room, in large type, or back to the walk
  BlankScreen,   // presenting: nothing is shown, or all again
  AskFirst,      // presenting: a question stands where the answer will, until the next press
  PlayFromHere,  // presenting
  ShowPalette,
  ShowKeys,
  CloseDialog,
  Quit,
};

enum class Dialog {
  None,
  Problem,
  Presets,
  OpenFile,
  SaveFile,
  GoTo,
  Keys,
  Palette,
  Traffic,
  Faults,
  Lessons,
  Export,
  Review,
  Questions
};

}  // namespace tilewalk
