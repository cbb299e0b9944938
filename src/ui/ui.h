// The interface: reads a session and its view models, draws them with Dear ImGui, and returns Commands. It changes only
// UiState, which contains the state of a window that is not the session's: splits, hover, text being typed. One frame:
// ImGui::NewFrame(); read_keys(…); draw_ui(…); ImGui::Render(). Works with no window and no GPU (as in tests).
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/by_type.h"
#include "session/session.h"
#include "ui/layout.h"
#include "ui/rects.h"
#include "ui/theme.h"
#include "ui/tooltip.h"
#include "view/scores/scores_model.h"
#include "view/views.h"

namespace tilewalk {

using Commands = std::vector<Command>;

inline constexpr const char* kLessonPanel = "rail";  // its id among panels

struct DropPlace {  // of the last file
  float x = 0, y = 0;
  std::uint64_t message = 0;  // the serial number of the error about it; 0: none
};

struct UiState {
  Splits splits;
  bool navigating = false;     // Tab was pressed: arrows, Space and Enter belong to keyboard navigation
  int panel_step = 0;          // Tab in this frame: to the next panel, or with Shift to the previous one
  int dialog_step = 0;         // the same within a dialog: to the next item
  std::string panel_at;        // the panel with the focus
  bool key_taken = false;      // a key of the frame before made a Command
  bool escaped_field = false;  // Esc was pressed while a text field had the focus
  Dialog dialog_before = Dialog::None;
  std::map<Dialog, float> sheet_heights;  // height of each when it was last drawn
  std::string path, go_to;
  int stop = 0, stops = 0;  // of the problem's dialog (panels/problem/tab_stops.h): the current one, and their number
  bool lengths_linked = true;
  std::string value_at;                               // the input value being edited, "Q 3 1"
  std::int64_t value_row = 0, value_col = 0;          // the value that the arrows are on, in the current table
  bool drop_down = false, close_drop_down = false;    // of schedules or baselines: is open; Esc was pressed
  bool dragging_border = false;                       // of tiles: this drag has already changed them
  bool stacks = true;                                 // see PageScale::stacked; false: a panel is drawn alone
  bool motion = false;                                // steps are animated: a person watches, and time passes
  std::map<HandKey, std::string> hand_texts;          // typed in the fields of work by hand
  bool hand_active = false, hand_active_now = false;  // the focused field has the caret: in the frame before, now
  bool number_pad = false;    // the number pad is open, under a question's field and under fields of work by hand
  bool lesson_keys = false;   // Enter was pressed: arrows and letters belong to the lesson's question
  int lesson_line = 0;        // the current line, which arrows move
  bool after_answer = false;  // Tab left the field of the answer in this frame, for the button after it
  std::string typed_ahead;    // digits of an answer, typed before its field has the caret
  bool spotlight = false;     // presenting: a spotlight follows the pointer
  TooltipState tooltip;
  DropPlace dropped;
  Rects rects;    // of the frame before
  ByType panels;  // state of each panel

  template <class T>
  T& of() {
    return panels.of<T>();
  }
};

struct UiHost {
  // A picture of a grid too fine to draw cell by cell; null without GL.
  std::function<ImTextureID(const ScoresModel&, int width, int height, const Palette&)> heat_map;
  // Lets a person choose a file on a browser's page, where paths have no meaning; null elsewhere.
  std::function<void()> pick_file;
};

struct UiFrame {
  const Session& session;
  const Views& views;
  const Theme& theme;
  const Layout& layout;
  const UiHost& host;
  UiState& ui;
  Commands& commands;
  double now = 0;  // seconds; for messages that fade

  void push(Command c) const { commands.push_back(std::move(c)); }
};

// Returns the commands for the keys pressed since the frame before. Call between ImGui::NewFrame() and draw_ui.
Commands read_keys(const Session&, UiState&);
void draw_ui(const UiFrame&);

}  // namespace tilewalk
