// A button that opens a list below it: a click pushes the entry's command and closes the list. Esc closes it too. The
// entries record their rectangles under their ids.
#pragma once

#include <string>
#include <vector>

#include "ui/widgets.h"

namespace tilewalk {

struct DropDownEntry {
  std::string id, title;
  std::string beside = {};  // at the right, faint: its key
  bool active = false;      // the current one; choosing it changes nothing
  Commands commands = {};
  std::string disabled = {};  // why it cannot be chosen now; empty: it can
};

struct DropDown {
  std::string id;
  draw::Rect rect;
  std::string label, tip = {};
  bool marked = false;  // the label is the current choice, not a name for all
};

float drop_down_width(const Theme&, const std::string& label);
void drop_down(const UiFrame&, const DropDown&, const std::vector<DropDownEntry>&);

}  // namespace tilewalk
