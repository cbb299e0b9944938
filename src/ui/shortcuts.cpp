#include "ui/ui.h"

namespace tilewalk {
namespace {

bool pressed(const Chord& chord) {
  if (chord.key == Key::None) return false;
  const ImGuiIO& io = ImGui::GetIO();
  if (io.KeyCtrl != chord.ctrl || io.KeyAlt) return false;
  // "+" needs Shift on many keyboards, so it is taken either way.
  if (chord.key != Key::Plus && io.KeyShift != chord.shift) return false;
  return key_pressed(chord.key);
}

bool belongs_to_navigation(Key key) {
  return key == Key::Space || key == Key::Enter || key == Key::Left || key == Key::Right || key == Key::Up ||
         key == Key::Down;
}

}  // namespace

// The transport owns Space and the arrows unless a text field or keyboard navigation has the focus. Tab begins
// navigation, Esc leaves it. While a dialog is open, only Esc and chords with Ctrl reach the commands.
void read_keys(const UiFrame& f) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool dialog = f.session.view().dialog() != Dialog::None;
  f.ui.close_drop_down = false;
  if (key_pressed(Key::Escape)) {
    if (dialog)
      f.push(Action::CloseDialog);
    else if (f.ui.drop_down)
      f.ui.close_drop_down = true;
    else if (!f.session.compare().transfers_of().empty())
      f.push(ShowTransfers{});
    else if (f.ui.navigating)
      f.ui.navigating = false;
    else if (f.session.page() != Page::Walk)
      f.push(ShowPage{Page::Walk});
    else if (f.session.walk().selection())
      f.push(Action::SelectNothing);
  } else if (!dialog && key_pressed(Key::Tab)) {
    f.ui.navigating = true;
  }
  enable_keyboard_navigation(f.ui.navigating || dialog);
  // Text fields stand in dialogs alone; ImGui may go on wanting text for a frame after one has closed.
  if (dialog && io.WantTextInput) return;
  for (const CommandRow& row : command_table()) {
    if (row.action == Action::CloseDialog) continue;
    for (const Chord& chord : {row.key, row.other}) {
      if (dialog && !chord.ctrl && row.action != Action::ShowKeys) continue;
      if (f.ui.navigating && !chord.shift && !chord.ctrl && belongs_to_navigation(chord.key)) continue;
      if (pressed(chord)) f.push(row.action);
    }
  }
}

}  // namespace tilewalk
