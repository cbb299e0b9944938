// A field for the text of a program: lines with numbers, marks beside them, and the caret's line kept in view. Tab
// writes two spaces, Enter keeps the indentation, Ctrl+Enter and Esc leave the field.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/draw.h"
#include "ui/ui.h"

namespace tilewalk {

struct EditorLine {         // of the lines that have something beside them
  int line = 0;             // from 1
  ImU32 fill = 0, bar = 0;  // behind the text; beside its number; 0: none
  std::optional<draw::Sign> sign = {};
  ImU32 ink = 0;  // of sign and number; 0: as other lines
  std::string_view tip = {};
};

struct CodeEditor {
  std::string id;
  draw::Rect rect;
  std::string_view text;
  std::vector<EditorLine> lines;
  int show_line = 0;    // comes into view when it changes, or when another text takes the field; 0: none
  int lines_above = 0;  // that stay in view above it
};

struct EditorUi {  // kept from one frame to the next
  int caret = -1, shown_line = 0;
  bool takes_keys = false;  // the caret comes into the field
  Font Fonts::*font = nullptr;
  std::string sent;  // the last text that the field returned
};

// The text, when it was changed.
std::optional<std::string> code_editor(const UiFrame&, EditorUi&, const CodeEditor&);

}  // namespace tilewalk
