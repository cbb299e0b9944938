// The interface: reads a session and its view models, draws them with Dear ImGui, and hands back Commands. It changes
// nothing but UiState, which holds what belongs to a window and to no session: splits, hover, text being typed.
// One frame: ImGui::NewFrame(); read_keys(…); draw_ui(…); ImGui::Render(). Works with no window and no GPU (tests do
// that).
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/by_type.h"
#include "session/session.h"
#include "ui/layout.h"
#include "ui/rects.h"
#include "ui/theme.h"
#include "view/scores/scores_model.h"
#include "view/views.h"

namespace tilewalk {

using Commands = std::vector<Command>;

struct UiState {
  Splits splits;
  bool navigating = false;     // Tab was pressed: arrows, Space and Enter belong to keyboard navigation
  int panel_step = 0;          // Tab in this frame: to the next panel, or with Shift to the one before
  int dialog_step = 0;         // the same within a dialog: to the next thing that can be chosen
  std::string panel_at;        // where it is
  bool key_taken = false;      // the frame before made a Command of a key
  bool escaped_field = false;  // Esc was pressed while a text field had the focus
  Dialog dialog_before = Dialog::None;
  std::map<Dialog, float> sheet_heights;  // that each needed when it was drawn last
  std::string path, go_to, preset_words;
  int preset_choice = 0;
  int stop = 0, stops = 0;  // of the problem's dialog (panels/problem/tab_stops.h): the one at hand, and how many
  bool lengths_linked = true;
  std::string value_at;                               // the input value being edited, "Q 3 1"
  std::int64_t value_row = 0, value_col = 0;          // which value the arrows are on, in the table at hand
  bool drop_down = false, close_drop_down = false;    // of schedules or baselines: is open; Esc was pressed
  bool dragging_border = false;                       // of tiles: this drag has changed them already
  bool motion = false;                                // somebody watches, and time goes on: moves may be seen moving
  std::map<HandKey, std::string> hand_texts;          // typed into the fields of work by hand
  bool hand_active = false, hand_active_now = false;  // the one with the focus has the caret: in the frame before, now
  bool number_pad = false;   // digits to click are open, under the field of a question and under those by hand
  bool lesson_keys = false;  // Enter was pressed: arrows and letters belong to the lesson's question
  int lesson_line = 0;       // the line at hand that arrows move
  bool spotlight = false;    // presenting: one follows the pointer
  Rects rects;               // of the frame before
  ByType panels;             // what each panel remembers

  template <class T>
  T& of() {
    return panels.of<T>();
  }
};

struct UiHost {
  // A picture of a grid too fine to draw cell by cell; none where there is no GL.
  std::function<ImTextureID(const ScoresModel&, int width, int height, const Palette&)> heat_map;
  // Lets a person choose a file where paths are of no use to them: on a page in a browser; elsewhere none.
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

// What the keys pressed since the frame before ask for. Comes between ImGui::NewFrame() and draw_ui.
Commands read_keys(const Session&, UiState&);
void draw_ui(const UiFrame&);

}  // namespace tilewalk
