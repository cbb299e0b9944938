#include "session/command/command_table.h"

#include <algorithm>
#include <sstream>

#include "base/overloaded.h"
#include "base/words.h"
#include "session/command/page_address.h"
#include "session/command/visit_command.h"

namespace tilewalk {
namespace {

constexpr Chord key(Key k) { return {k, false, false}; }
constexpr Chord shift(Key k) { return {k, false, true}; }
constexpr Chord ctrl(Key k) { return {k, true, false}; }
constexpr Chord ctrl_shift(Key k) { return {k, true, true}; }
constexpr Chord kNoKey{};

}  // namespace

const std::vector<CommandRow>& command_table() {
  static const std::vector<CommandRow> table = [] {
    using enum Reach;
    std::vector<CommandRow> rows = {
#define ACTION(enumerator, name, title, first_key, second_key, group, reach, help, handler) \
  {Action::enumerator, name, title, first_key, second_key, group, help, reach},
#include "session/command/actions.inc"
#undef ACTION
    };
    // Only a page in a browser has an address to copy.
    if (page_address().empty())
      std::erase_if(rows, [](const CommandRow& row) { return row.action == Action::CopyLink; });
    return rows;
  }();
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

// No default, so the compiler warns about a dialog without a case.
Reach reach_of(Dialog dialog) {
  switch (dialog) {
    case Dialog::None:
    case Dialog::Problem:
    case Dialog::Call:
    case Dialog::Presets:
    case Dialog::GoTo:
    case Dialog::Keys:
    case Dialog::Palette:
    case Dialog::Traffic:
    case Dialog::Faults:
    case Dialog::Lessons:
    case Dialog::Review:
    case Dialog::Questions:
    case Dialog::Glossary: return Reach::Scene;
    case Dialog::OpenFile:
    case Dialog::SaveFile:
    case Dialog::Export: break;
  }
  return Reach::Person;
}

Reach reach_of(const Command& command) {
  using enum Reach;
  return visit_command(command, Overloaded{
                                    [](Action action) {
                                      switch (action) {
#define ACTION(enumerator, name, title, first_key, second_key, group, reach, help, handler) \
  case Action::enumerator:                                                                  \
    return reach;
#include "session/command/actions.inc"
#undef ACTION
                                      }
                                      return Person;
                                    },
#define COMMAND(type, name, reach, ...) [](const type& c [[maybe_unused]]) { return reach; },
#define REPORT(type, handler) [](const type&) { return Person; },
#include "session/command/commands.inc"
#undef REPORT
#undef COMMAND
                                });
}

const CommandRow& command_row(Action action) {
  const auto& table = command_table();
  return *std::find_if(table.begin(), table.end(), [&](const CommandRow& row) { return row.action == action; });
}

const std::vector<PresentingKey>& presenting_keys() {
  static const std::vector<PresentingKey> keys = {
      {Key::PageDown, Action::StepForward,
       "On by a phase, a length, a scene or a screen; with a question open, its answer."},
      {Key::PageUp, Action::StepBack, "Back by as much."},
      {Key::B, Action::BlankScreen, "Blanks the screen, or shows it again."},
      {Key::Period, Action::BlankScreen, "Likewise."},
      {Key::F5, Action::PlayFromHere, "Starts from here: goes on by itself."},
      {Key::Q, Action::AskFirst, "A question before each answer, or not."},
      {Key::Escape, Action::Present, "Leaves. Hold the mouse button or Shift for a spotlight."},
  };
  return keys;
}

namespace {

// What a page is for, beside what its own buttons do.
std::vector<Action> actions_of(Page page) {
  using enum Action;
  switch (page) {
    case Page::Walk:
      return {EditProblem, ShowPresets, GoToDialog,  RunToSelection, ZoomToTile, ZoomFit, NextCells, EndlessZoom,
              OneRow,      WorkByHand,  ShowTraffic, ShowFaults,     ToggleCode, Present, LastCard};
    case Page::Compare:
      return {NextPace, ExchangeSides, ShowPipes, ShowWarps, ShowWaves, PinNow, PinChip, LanesEarlier, LanesLater};
    case Page::Race: return {RunRace, ShowWin, RaceCpu, RaceGpu, StopRace, EditCallDialog, WalkCall};
    case Page::Roofline: return {RevealWin, ShowAnswers, MeasureMachine, StopMeasuring, EditCallDialog, WalkCall};
    case Page::Which: return {WalkWhich, EditCallDialog, ForgetWhich, WalkKernel};
    case Page::Tree: return {WalkCall, EditCallDialog};
    case Page::Lab: return {RunKernel, StopKernel, LabHint, ShowHole, ResetKernel};
  }
  return {};
}

constexpr Action kPageActions[] = {Action::ShowCompare, Action::ShowLessons, Action::ShowRace, Action::ShowRoofline,
                                   Action::ShowWhich,   Action::ShowTree,    Action::ShowLab};

// The page's own first, then the pages, then all others as in the table.
std::vector<Found> offered_at(std::optional<Page> at_hand) {
  std::vector<Found> out;
  const auto add = [&](Action action, Found::Part part) {
    for (const Found& has : out)
      if (has.command == Command(action)) return;
    const CommandRow& row = command_row(action);
    out.push_back({row.name, row.title, row.help, row.key, row.action, part});
  };
  if (at_hand) {
    for (const Action action : actions_of(*at_hand)) add(action, Found::Part::OfPage);
    for (const Action action : kPageActions) add(action, Found::Part::Pages);
  }
  for (const CommandRow& row : command_table()) add(row.action, Found::Part::Others);
  return out;
}

}  // namespace

std::vector<Found> search_commands(const std::string& words, std::optional<Page> at_hand) {
  std::vector<std::string> wanted;
  std::istringstream stream(lower_case(words));
  for (std::string word; stream >> word;) wanted.push_back(word);
  std::vector<Found> offered = offered_at(at_hand), in_title, in_help;
  for (const Fault fault : all_faults())
    offered.push_back({std::string("fault ") + name_of(fault), std::string("Mistake: ") + title_of(fault),
                       description_of(fault), kNoKey, SetFault{fault}});
  offered.push_back({"fault none", "Mistake: none", "The walk is right again.", kNoKey, SetFault{}});
  for (Found& row : offered) {
    const std::string title = lower_case(row.title) + " " + row.name, all = title + " " + lower_case(row.help);
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
