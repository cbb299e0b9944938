#include <algorithm>
#include <utility>

#include "ui/code_editor.h"
#include "ui/ui.h"

namespace tilewalk {
namespace {

// The next open field in that direction; without a focused one the first, or the last.
std::optional<HandPlace> next_field(const HandController& hand, int direction) {
  const std::vector<HandField>& all = hand.fields();
  const std::int64_t count = std::int64_t(all.size());
  std::int64_t at = direction > 0 ? -1 : count;
  for (std::int64_t i = 0; i < count; ++i)
    if (hand.focused() && all[std::size_t(i)].place == hand.focused()->place) at = i;
  for (std::int64_t i = 1; i <= count; ++i) {
    const HandField& field = all[std::size_t(((at + direction * i) % count + count) % count)];
    if (!field.stands()) return field.place;
  }
  return std::nullopt;
}

bool pressed(const Chord& chord) {
  if (chord.key == Key::None) return false;
  const ImGuiIO& io = ImGui::GetIO();
  if (io.KeyCtrl != chord.ctrl || io.KeyAlt) return false;
  // "+" needs Shift on many keyboards, so Shift is ignored.
  if (chord.key != Key::Plus && io.KeyShift != chord.shift) return false;
  return key_pressed(chord.key);
}

bool has_another_meaning(const Chord& chord) {  // while presenting
  if (chord.ctrl || chord.shift) return false;
  const auto& keys = presenting_keys();
  return std::any_of(keys.begin(), keys.end(), [&](const PresentingKey& p) { return p.key == chord.key; });
}

bool belongs_to_navigation(Key key) {
  return key == Key::Space || key == Key::Enter || key == Key::Left || key == Key::Right || key == Key::Up ||
         key == Key::Down;
}

// The chords that still work while a text field has the caret: those with Ctrl, except its own undo and redo.
bool passes_text(const CommandRow& row, const Chord& chord) {
  return chord.ctrl && row.action != Action::Undo && row.action != Action::Redo;
}

// A field of work by hand gets every key: typed text is its text, and these keys act on it. Esc leaves it.
Commands keys_of_field(const HandController& hand, UiState& ui) {
  const HandField& field = *hand.focused();
  for (const CommandRow& row : command_table())
    for (const Chord& chord : {row.key, row.other})
      if (passes_text(row, chord) && pressed(chord)) return {row.action};
  const ImGuiIO& io = ImGui::GetIO();
  if (key_pressed(Key::Escape)) return {FocusField{}};
  if (key_pressed(Key::F1)) return {HintField{field.place}};
  if (key_pressed(Key::Tab)) return {FocusField{next_field(hand, io.KeyShift ? -1 : 1)}};
  if (!enter_pressed()) return {};
  if (io.KeyShift) return {ShowField{field.place}};
  return {AnswerField{field.place, ui.hand_texts[HandKey{field.made_at, field.place}]}};
}

bool asks_for_number(const Session& session) {
  if (session.lesson().done() || !session.lesson().screen().task) return false;
  const TaskKind kind = session.lesson().screen().task->kind;
  return kind == TaskKind::Number || kind == TaskKind::Predict;
}

bool is_digit(Key key) { return key == Key::Zero; }  // the only digit with a command

// A digit begins the answer to a question for a number. Its field gets the caret a frame later, and then the digits.
void type_answer(const Session& session, UiState& ui, Commands& commands) {
  ImVector<ImWchar>& typed = ImGui::GetIO().InputQueueCharacters;
  const auto digit = [](ImWchar c) { return c >= '0' && c <= '9'; };
  if (ui.typed_ahead.empty()) {
    if (typed.empty() || !digit(typed.front())) return;
    if (!session.lesson().draft().empty()) commands.push_back(DraftAnswer{""});
    ui.lesson_keys = true;
    ui.navigating = false;
  }
  for (const ImWchar c : typed)
    if (digit(c) || c == '.') ui.typed_ahead += char(c);
  typed.resize(0);
}

void give_typed_ahead(UiState& ui) {
  ImVector<ImWchar>& typed = ImGui::GetIO().InputQueueCharacters;
  const std::string ahead = std::exchange(ui.typed_ahead, {});
  for (std::size_t i = ahead.size(); i > 0; --i) typed.push_front(ImWchar(ahead[i - 1]));
}

// Tab goes from the field of an answer to the button that checks it, Shift+Tab to the panel before.
void leave_answer(UiState& ui, int step) {
  drop_caret();
  ui.lesson_keys = false;
  ui.navigating = true;
  ui.panel_at = kLessonPanel;
  if (step > 0)
    ui.after_answer = true;
  else
    ui.panel_step = step;
}

// Enter moves the keys to the question; once it is answered, Enter goes to the next screen.
void take_up_lesson(const Session& session, UiState& ui, Commands& commands) {
  if (session.lesson().done()) return commands.push_back(Action::NextScreen);
  ui.lesson_keys = true;
  ui.lesson_line = 0;
}

}  // namespace

// Space and the arrows belong to the transport unless a text field or keyboard navigation has the focus. Tab starts
// navigation, Esc leaves it. While a dialog is open or a text field has the caret, only Esc and chords with Ctrl reach
// the commands.
Commands read_keys(const Session& session, UiState& ui) {
  ImGuiIO& io = ImGui::GetIO();
  Commands commands;
  const bool on_walk = session.page() == Page::Walk && !session.presents_page();  // fields are presented too
  if (session.hand().focused() && on_walk && session.view().dialog() == Dialog::None)
    return keys_of_field(session.hand(), ui);
  const bool dialog = session.view().dialog() != Dialog::None;
  const bool lesson = !dialog && !session.view().presenting() && session.lesson().lesson();
  const bool typing = text_has_caret();
  const bool number = lesson && asks_for_number(session);
  if (!lesson || session.lesson().done()) ui.lesson_keys = false;
  ui.close_drop_down = false;
  ui.escaped_field = false;
  if (key_pressed(Key::Escape)) {
    if (ui.lesson_keys || (lesson && typing))
      ui.lesson_keys = false;
    else if (typing)
      ui.escaped_field = dialog && ui.value_at.empty();  // Esc restores a value being edited first
    else if (dialog)
      commands.push_back(Action::CloseDialog);
    else if (ui.drop_down)
      ui.close_drop_down = true;
    else if (!session.compare().transfers_of().empty())
      commands.push_back(ShowTransfers{});
    else if (ui.navigating)
      ui.navigating = false;
    else if (session.view().presenting() || session.shows_animation())
      commands.push_back(session.way_out());
    else if (session.page() != Page::Walk)
      commands.push_back(ShowPage{Page::Walk});
    else if (session.shows_last_card())
      commands.push_back(Action::CloseLastCard);
    else if (session.walk().selection())
      commands.push_back(Action::SelectNothing);
  } else if ((!typing || (lesson && ui.lesson_keys)) && key_pressed(Key::Tab)) {
    const int step = io.KeyShift ? -1 : 1;
    if (typing)
      leave_answer(ui, step);
    else if (dialog)
      ui.dialog_step = step;
    else if (on_walk && session.hand().open() > 0)
      commands.push_back(FocusField{next_field(session.hand(), step)});
    else
      ui.navigating = true, ui.panel_step = step;
  } else if (lesson && !ui.navigating && !typing && !ui.lesson_keys && enter_pressed()) {
    take_up_lesson(session, ui, commands);
  } else if (session.page() == Page::Lab && !dialog && !ui.navigating && !typing && enter_pressed()) {
    ui.of<EditorUi>().takes_keys = true;
  }
  for (const CommandRow& row : command_table()) {
    if (row.action == Action::CloseDialog) continue;
    for (const Chord& chord : {row.key, row.other}) {
      if (number && !chord.ctrl && is_digit(chord.key)) continue;
      if (typing && !passes_text(row, chord)) continue;
      if (session.view().presenting() && has_another_meaning(chord)) continue;
      if (dialog && !chord.ctrl && row.action != Action::ShowKeys) continue;
      if (ui.navigating && !chord.shift && !chord.ctrl && belongs_to_navigation(chord.key)) continue;
      if (ui.lesson_keys && !chord.ctrl && belongs_to_navigation(chord.key)) continue;
      if (!pressed(chord)) continue;
      commands.push_back(row.action);
    }
  }
  if (session.view().presenting() && !dialog)
    for (const PresentingKey& key : presenting_keys())
      if (key.key != Key::Escape && pressed({key.key})) commands.push_back(key.action);
  // The letter of a key comes with the key or, from ImGui 1.87 on, a frame later; a field that the key opened must not
  // get it.
  const bool taken = !commands.empty();
  if (taken || ui.key_taken) io.InputQueueCharacters.resize(0);
  ui.key_taken = taken;
  if (!number)
    ui.typed_ahead.clear();
  else if (typing && ui.lesson_keys)
    give_typed_ahead(ui);
  else if (!typing)
    type_answer(session, ui, commands);
  return commands;
}

}  // namespace tilewalk
