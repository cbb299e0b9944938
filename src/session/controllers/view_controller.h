// How the window looks: theme, size of text, the open dialog, full screen, presenting. Also requests to the platform:
// quit and clipboard.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "session/command/command.h"

namespace tilewalk {

class ViewController {
 public:
  explicit ViewController(Document& document) : document_(document) {}

  Dialog dialog() const { return dialog_; }
  void open(Dialog dialog) { dialog_ = dialog; }
  bool quit() const { return quit_; }
  bool full_screen() const { return full_screen_; }
  const std::string& clipboard() const { return clipboard_; }
  std::uint64_t clipboard_serial() const { return clipboard_serial_; }  // grows with each text for the clipboard
  void copy(std::string text);

  bool presenting() const { return presenting_; }
  void present(bool on) { presenting_ = on, blank_ = false; }
  bool blank() const { return presenting_ && blank_; }
  void show_again() { blank_ = false; }
  bool asks_first() const { return asks_first_; }
  std::int64_t answered_at() const { return answered_at_; }  // the cursor whose answer is shown
  void answer(std::int64_t cursor) { answered_at_ = cursor; }

  // The kernel's source: on outside lessons, and in a lesson where its screen asks for it, until a person decides.
  std::optional<bool> code(bool in_lesson) const { return in_lesson ? lesson_code_ : code_; }
  void show_code(bool on, bool in_lesson) { (in_lesson ? lesson_code_ : code_) = on; }
  void forget_code_of_lesson() { lesson_code_.reset(); }

  void scale_text(double scale);
  void toggle_theme() { document_.view.dark = !document_.view.dark; }
  void toggle_motion() { document_.view.motion = !document_.view.motion; }
  void toggle_full_screen() { full_screen_ = !full_screen_; }
  void toggle_blank() { blank_ = presenting_ && !blank_; }
  void toggle_asking() { asks_first_ = !asks_first_, answered_at_ = -1; }
  void end() { quit_ = true; }

 private:
  Document& document_;
  Dialog dialog_ = Dialog::None;
  bool quit_ = false, full_screen_ = false;
  bool presenting_ = false, blank_ = false, asks_first_ = false;
  std::int64_t answered_at_ = -1;
  std::optional<bool> code_, lesson_code_;
  std::string clipboard_;
  std::uint64_t clipboard_serial_ = 0;
};

}  // namespace tilewalk
