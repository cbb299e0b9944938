#include "session/command_table.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "session/page/page_commands.h"

namespace tilewalk {
namespace {

constexpr Chord key(Key k) { return {k, false, false}; }
constexpr Chord shift(Key k) { return {k, false, true}; }
constexpr Chord ctrl(Key k) { return {k, true, false}; }
constexpr Chord ctrl_shift(Key k) { return {k, true, true}; }
constexpr Chord kNoKey{};

std::string lower(std::string text) {
  for (char& c : text) c = char(std::tolower((unsigned char)c));
  return text;
}

// Beside the command that they are like.
std::vector<CommandRow> with_those_of_a_page(std::vector<CommandRow> rows) {
  const auto after = std::find_if(rows.begin(), rows.end(),
                                  [](const CommandRow& row) { return row.action == Action::CopyCommandLine; });
  rows.insert(after + 1, page_commands().begin(), page_commands().end());
  return rows;
}

}  // namespace

const std::vector<CommandRow>& command_table() {
  static const std::vector<CommandRow> table = with_those_of_a_page({
      {Action::PlayPause, "play-pause", "Play or pause", key(Key::Space), kNoKey, "Walk",
       "Plays by the chosen unit, or stops."},
      {Action::StepForward, "step-forward", "Step forward", key(Key::Right), key(Key::F10), "Walk",
       "One schedule operation on."},
      {Action::StepBack, "step-back", "Step back", key(Key::Left), shift(Key::F10), "Walk",
       "Exactly the reverse of a step forward."},
      {Action::TileForward, "tile-forward", "Tile forward", shift(Key::Right), key(Key::Period), "Walk",
       "To the end of this tile visit, or of the next."},
      {Action::TileBack, "tile-back", "Tile back", shift(Key::Left), key(Key::Comma), "Walk",
       "To the end of the tile visit before."},
      {Action::QTileForward, "q-tile-forward", "Q tile forward", key(Key::PageDown), kNoKey, "Walk",
       "To the end of this Q tile."},
      {Action::QTileBack, "q-tile-back", "Q tile back", key(Key::PageUp), kNoKey, "Walk",
       "To the start of this Q tile."},
      {Action::First, "first", "To the start", key(Key::Home), kNoKey, "Walk", "Before anything has happened."},
      {Action::Last, "last", "To the end", key(Key::End), kNoKey, "Walk", "When everything is finished."},
      {Action::GoToDialog, "go-to", "Go to …", key(Key::G), kNoKey, "Walk", "To a step or a tile by number."},
      {Action::RunToSelection, "run-to", "Run to the selected tile", key(Key::R), kNoKey, "Walk",
       "Plays until the selected tile, forwards or backwards."},
      {Action::Faster, "faster", "Faster", key(Key::Plus), kNoKey, "Walk", "Doubles the playback speed."},
      {Action::Slower, "slower", "Slower", key(Key::Minus), kNoKey, "Walk", "Halves the playback speed."},
      {Action::NextUnit, "next-unit", "Next step unit", key(Key::U), kNoKey, "Walk", "By phase, by tile, by Q tile."},
      {Action::ZoomIn, "zoom-in", "Zoom in", key(Key::Z), key(Key::W), "Scores",
       "Closer, about the centre of the view; lanes likewise. The wheel does the same."},
      {Action::ZoomOut, "zoom-out", "Zoom out", shift(Key::Z), key(Key::S), "Scores", "Further away."},
      {Action::ZoomFit, "zoom-fit", "Whole matrix", key(Key::Zero), kNoKey, "Scores",
       "Shows the whole score matrix, or all of the lanes."},
      {Action::ZoomToTile, "zoom-tile", "Zoom to the tile at hand", key(Key::X), kNoKey, "Scores",
       "Fills the view with the tile at hand and its neighbours."},
      {Action::SelectNothing, "select-nothing", "Select nothing", kNoKey, kNoKey, "Scores", "Drops the selection."},
      {Action::NextCells, "next-cells", "Scores or weights", key(Key::N), kNoKey, "Scores",
       "The tile at hand shows S, then P, then what the phase makes."},
      {Action::WorkByHand, "work-by-hand", "Work by hand", key(Key::H), kNoKey, "Walk",
       "The numbers that a step makes become fields to fill in; again, and they are shown."},
      {Action::Undo, "undo", "Undo", ctrl(Key::Z), kNoKey, "Problem",
       "Takes back the last change of problem, values, schedule, mistake or pins."},
      {Action::Redo, "redo", "Redo", ctrl_shift(Key::Z), ctrl(Key::Y), "Problem", "Does again what was undone."},
      {Action::EditProblem, "edit-problem", "Edit the problem …", key(Key::E), kNoKey, "Problem",
       "Lengths, tiles, mask, seed, and the values when there are few."},
      {Action::ClearValues, "clear-values", "Drop edited values", kNoKey, kNoKey, "Problem",
       "Q, K and V are the seed's again."},
      {Action::ShowFaults, "faults", "Mistakes …", shift(Key::J), kNoKey, "Problem",
       "Makes a classic mistake on purpose, to see what it does and how it is caught."},
      {Action::ShowPresets, "presets", "Presets …", ctrl(Key::P), kNoKey, "Problem", "Prepared problems."},
      {Action::OpenFileDialog, "open", "Open a session …", ctrl(Key::O), kNoKey, "Problem", "Reads a session file."},
      {Action::SaveFileDialog, "save", "Save the session …", ctrl(Key::S), kNoKey, "Problem",
       "Writes a session file that restores this very view."},
      {Action::CopyCommandLine, "copy-command-line", "Copy the command line", ctrl_shift(Key::C), kNoKey, "Problem",
       "The exact command that reproduces this view as text."},
      {Action::ShowExport, "export", "Export …", ctrl(Key::E), kNoKey, "Problem",
       "A picture, a moving Q tile, counters, lanes or a worksheet, to a file."},
      {Action::StopExport, "export-stop", "Stop the export", kNoKey, kNoKey, "Problem", "Nothing is written then."},
      {Action::CheckLive, "check-live", "Check live on the GPU", key(Key::L), kNoKey, "Problem",
       "Runs the CUDA kernel on the same inputs and compares every bit."},
      {Action::ShowTraffic, "traffic", "Traffic in full …", key(Key::B), kNoKey, "Problem",
       "Every counter by tensor and direction."},
      {Action::ShowCompare, "compare", "Compare", key(Key::C), kNoKey, "Compare",
       "Lanes, SMs and differences beside a pinned schedule, or back to the walk."},
      {Action::NextPace, "next-pace", "In step by …", key(Key::I), kNoKey, "Compare",
       "The pinned side follows by tile, by FLOP, by byte or by modelled time."},
      {Action::ExchangeSides, "exchange", "Exchange pinned and now", key(Key::M), kNoKey, "Compare",
       "The pinned schedule comes on screen, in step, and this one is pinned."},
      {Action::LanesEarlier, "lanes-earlier", "Lanes earlier", key(Key::A), kNoKey, "Compare",
       "Pans zoomed lanes back."},
      {Action::LanesLater, "lanes-later", "Lanes later", key(Key::D), kNoKey, "Compare", "Pans zoomed lanes on."},
      {Action::ShowWarps, "warps", "Warps or SMs", key(Key::V), kNoKey, "Compare",
       "Beside the lanes: what each warp of a thread block owns, or the SMs filled."},
      {Action::PinNow, "pin", "Pin this as the baseline", kNoKey, kNoKey, "Compare",
       "What is on screen now becomes what later settings are compared with."},
      {Action::PinChip, "pin-chip", "Pin the chip's own lanes", kNoKey, kNoKey, "Compare",
       "FA-3: when each warpgroup waited and worked, recorded on an H200, above the modelled lanes."},
      {Action::ShowRace, "race", "Race of the fast kernels", key(Key::K), kNoKey, "Window",
       "Measured speed, recorded on an H200 or run here, or back to the walk."},
      {Action::RaceCpu, "race-cpu", "Run the race on this CPU", kNoKey, kNoKey, "Window",
       "Naive attention beside the tiled kernel, in the background."},
      {Action::RaceGpu, "race-gpu", "Run the race on this GPU", kNoKey, kNoKey, "Window",
       "The rungs of the fast kernels, in the background."},
      {Action::StopRace, "race-stop", "Stop the race", kNoKey, kNoKey, "Window", "Keeps what is finished."},
      {Action::ShowTree, "tree", "Family tree of attention", key(Key::Y), kNoKey, "Window",
       "Who came when and what each changed, or back to the walk."},
      {Action::ShowRoofline, "roofline", "Roofline", key(Key::O), kNoKey, "Window",
       "What tiles win at a length, on a GPU or a CPU, and which roof holds it; or back to the walk."},
      {Action::RevealWin, "reveal", "Reveal the win", kNoKey, kNoKey, "Window",
       "The answers on the page of the roofline, or hidden again."},
      {Action::MeasureMachine, "measure", "Measure this machine", kNoKey, kNoKey, "Window",
       "What its processor, and its GPU, reach: in the background, for the page of the roofline."},
      {Action::StopMeasuring, "measure-stop", "Stop measuring", kNoKey, kNoKey, "Window", "Nothing of it is kept."},
      {Action::ShowWhich, "which", "Which attention runs", key(Key::J), kNoKey, "Window",
       "What PyTorch takes for a call, why, and what brings a faster one, or back to the walk."},
      {Action::WalkWhich, "walk-which", "Walk the attention that runs", kNoKey, kNoKey, "Window",
       "The schedule that shows it, with its kernel's tiles, comes on screen."},
      {Action::ForgetWhich, "forget-which", "A plain call of attention", kNoKey, kNoKey, "Window",
       "The call on the page of which attention runs is the plain one again."},
      {Action::WalkKernel, "walk-kernel", "Walk the kernel that was named", kNoKey, kNoKey, "Window",
       "The schedule that the name of a kernel tells of, with its tiles, comes on screen."},
      {Action::StopProfile, "profile-stop", "Stop reading the profile", kNoKey, kNoKey, "Window",
       "Nothing is told of it then."},
      {Action::ShowLessons, "lessons", "Learn …", ctrl(Key::L), kNoKey, "Learn",
       "The lessons: each asks, checks, and says which mistake an answer shows."},
      {Action::NextScreen, "next-screen", "Next screen", ctrl(Key::PageDown), kNoKey, "Learn",
       "Of the lesson that is open; it works on an unanswered one too."},
      {Action::PreviousScreen, "previous-screen", "Screen before", ctrl(Key::PageUp), kNoKey, "Learn",
       "Of the lesson that is open."},
      {Action::LessonCheck, "check-answer", "Check the answer", kNoKey, kNoKey, "Learn",
       "Says whether what was typed is right and, if not, which mistake it shows."},
      {Action::LessonHint, "hint", "Hint", key(Key::F1), kNoKey, "Learn",
       "Three at most; the last is nearly the answer."},
      {Action::LessonAnswer, "show-answer", "Show me", kNoKey, kNoKey, "Learn",
       "Does the step, or tells the answer, and says so in the progress."},
      {Action::LessonAgain, "lesson-again", "Take this lesson again", kNoKey, kNoKey, "Learn",
       "From its first screen, with nothing done; what a lesson draws is drawn anew."},
      {Action::LeaveLesson, "leave-lesson", "Leave the lesson", kNoKey, kNoKey, "Learn",
       "The window is all yours again; what you have done is kept."},
      {Action::ShowReview, "review", "What went wrong …", kNoKey, kNoKey, "Learn",
       "The steps of the lessons that took more than one try, to take again, and what to read next."},
      {Action::ShowQuestions, "questions", "Questions …", key(Key::Q), kNoKey, "Learn",
       "What people ask and what articles claim, each with its verdict, the recorded number and a way to see it."},
      {Action::ToggleTheme, "theme", "Light or dark", key(Key::T), kNoKey, "Window", "Switches the theme."},
      {Action::ToggleMotion, "motion", "Motion on or off", kNoKey, kNoKey, "Window",
       "Whether what a step loads and stores is seen moving."},
      {Action::TextBigger, "text-bigger", "Larger text", ctrl(Key::Plus), kNoKey, "Window", "Up to 300 %."},
      {Action::TextSmaller, "text-smaller", "Smaller text", ctrl(Key::Minus), kNoKey, "Window", "Down to 80 %."},
      {Action::TextNormal, "text-normal", "Normal text", ctrl(Key::Zero), kNoKey, "Window", "100 %."},
      {Action::FullScreen, "full-screen", "Full screen", key(Key::F), key(Key::F11), "Window",
       "Fills the screen, or goes back."},
      {Action::Present, "present", "Present", key(Key::P), kNoKey, "Present",
       "For a room: one tile, one table and one sentence in large type, or back to the walk."},
      {Action::BlankScreen, "present-blank", "Blank the screen", kNoKey, kNoKey, "Present",
       "While presenting, shows nothing, or all again."},
      {Action::AskFirst, "present-ask", "Ask before the answer", kNoKey, kNoKey, "Present",
       "While presenting, a question stands in place of each answer until the next press."},
      {Action::PlayFromHere, "present-play", "Play from here", kNoKey, kNoKey, "Present",
       "While presenting, goes on by itself, phase by phase."},
      {Action::ShowPalette, "palette", "All commands …", ctrl_shift(Key::P), kNoKey, "Window",
       "Finds a command by its name."},
      {Action::ShowKeys, "keys", "All keys", shift(Key::Slash), kNoKey, "Window", "This list."},
      {Action::CloseDialog, "close", "Close what is open", key(Key::Escape), kNoKey, "Window",
       "Closes the dialog, or leaves keyboard navigation."},
      {Action::Quit, "quit", "Quit", ctrl(Key::Q), kNoKey, "Window", "Closes the window."},
  });
  return table;
}

std::string text_of(const Chord& chord) {
  if (chord.key == Key::None) return "";
  if (chord == shift(Key::Slash)) return "?";
  std::string text;
  if (chord.ctrl) text += "Ctrl+";
  if (chord.shift) text += "Shift+";
  switch (chord.key) {
    case Key::Space: return text + "Space";
    case Key::Left: return text + "←";
    case Key::Right: return text + "→";
    case Key::Up: return text + "↑";
    case Key::Down: return text + "↓";
    case Key::PageUp: return text + "PgUp";
    case Key::PageDown: return text + "PgDn";
    case Key::Home: return text + "Home";
    case Key::End: return text + "End";
    case Key::Enter: return text + "Enter";
    case Key::Escape: return text + "Esc";
    case Key::Tab: return text + "Tab";
    case Key::F1: return text + "F1";
    case Key::F5: return text + "F5";
    case Key::F10: return text + "F10";
    case Key::F11: return text + "F11";
    case Key::Comma: return text + ",";
    case Key::Period: return text + ".";
    case Key::Slash: return text + "/";
    case Key::Plus: return text + "+";
    case Key::Minus: return text + "−";
    case Key::Zero: return text + "0";
    default: return text + char('A' + (int(chord.key) - int(Key::A)));
  }
}

const CommandRow& row_of(Action action) {
  const auto& table = command_table();
  return *std::find_if(table.begin(), table.end(), [&](const CommandRow& row) { return row.action == action; });
}

std::optional<Action> action_for(const Chord& chord) {
  if (chord.key == Key::None) return std::nullopt;
  for (const CommandRow& row : command_table())
    if (row.key == chord || row.other == chord) return row.action;
  return std::nullopt;
}

const std::vector<PresentingKey>& presenting_keys() {
  static const std::vector<PresentingKey> keys = {
      {Key::PageDown, Action::StepForward, "One phase on; with a question open, its answer."},
      {Key::PageUp, Action::StepBack, "One phase back."},
      {Key::B, Action::BlankScreen, "Blanks the screen, or shows it again."},
      {Key::Period, Action::BlankScreen, "Likewise."},
      {Key::F5, Action::PlayFromHere, "Starts from here: goes on by itself."},
      {Key::Q, Action::AskFirst, "A question before each answer, or not."},
      {Key::Escape, Action::Present, "Leaves. Hold the mouse button or Shift for a spotlight."},
  };
  return keys;
}

std::vector<Found> search_commands(const std::string& words) {
  std::vector<std::string> wanted;
  std::istringstream stream(lower(words));
  for (std::string word; stream >> word;) wanted.push_back(word);
  std::vector<Found> offered, in_title, in_help;
  for (const CommandRow& row : command_table()) offered.push_back({row.name, row.title, row.help, row.key, row.action});
  for (const Fault fault : all_faults())
    offered.push_back({std::string("fault ") + name_of(fault), std::string("Mistake: ") + title_of(fault),
                       description_of(fault), kNoKey, SetFault{fault}});
  offered.push_back({"fault none", "Mistake: none", "The walk is right again.", kNoKey, SetFault{}});
  for (Found& row : offered) {
    const std::string title = lower(row.title) + " " + row.name, all = title + " " + lower(row.help);
    const auto holds = [&](const std::string& text) {
      return std::all_of(wanted.begin(), wanted.end(),
                         [&](const std::string& w) { return text.find(w) != std::string::npos; });
    };
    if (holds(title))
      in_title.push_back(std::move(row));
    else if (holds(all))
      in_help.push_back(std::move(row));
  }
  in_title.insert(in_title.end(), in_help.begin(), in_help.end());
  return in_title;
}

}  // namespace tilewalk
