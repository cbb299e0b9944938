// How the window looks and what lies over it: theme, size of text, the open dialog, full screen. What the surroundings
// must act on (leaving, the clipboard) is asked for here.
#pragma once

#include <cstdint>
#include <string>

#include "session/command.h"

namespace tilewalk {

class ViewDesk {
 public:
  explicit ViewDesk(Document& document) : document_(document) {}

  Dialog dialog() const { return dialog_; }
  void open(Dialog dialog) { dialog_ = dialog; }
  bool quit() const { return quit_; }
  bool full_screen() const { return full_screen_; }
  const std::string& clipboard() const { return clipboard_; }
  std::uint64_t clipboard_serial() const { return clipboard_serial_; }  // grows with each text for it
  void copy(std::string text);

  void carry_out(Action);
  void carry_out(const SetTextScale& c) { scale_text(c.scale); }

 private:
  void scale_text(double scale);

  Document& document_;
  Dialog dialog_ = Dialog::None;
  bool quit_ = false, full_screen_ = false;
  std::string clipboard_;
  std::uint64_t clipboard_serial_ = 0;
};

}  // namespace tilewalk
