// The problem's fields as typed, in groups: those that the typed schedule uses, each with its choices in words, its
// issues, and whether it differs from the problem on screen. The mask's choices are pictures with two numbers.
#pragma once

#include <string>
#include <vector>

#include "session/document/problem_draft.h"
#include "view/problem/grid_picture.h"

namespace tilewalk {

struct FieldChoice {
  std::string text;   // the spelling in the field: "split_kv"
  std::string label;  // in words: "Split-KV"
  bool chosen = false;
};

struct ProblemField {
  const Field* field = nullptr;
  std::string text;
  std::vector<FieldChoice> choices;  // empty: the field is typed
  std::vector<std::string> issues;   // each with rule and way out
  bool changed = false;              // differs from the problem on screen
};

struct FieldsOfGroup {
  std::string title;  // "Shape"
  FieldGroup group = {};
  std::vector<ProblemField> fields;
};

struct MaskChoice {
  std::string text, label;  // "window:3:0", "Window"
  GridPicture picture;      // of a small square matrix, or of a wide one where only that shows the difference
  bool chosen = false;
};

struct MaskEditor {
  std::vector<MaskChoice> choices;
  bool windowed = false;
  std::string left, right;  // of a window, as typed
  // The field's text with these two numbers.
  std::string with(const std::string& left, const std::string& right) const;
  std::string spelling;  // "window"
};

// Groups and fields in the order of the editor. Issues of fields that are not shown are added to `others`.
std::vector<FieldsOfGroup> fields_of_draft(const Draft&, const Issues&, const Problem& on_screen,
                                           std::vector<std::string>& others);
MaskEditor mask_editor(const Draft&);

}  // namespace tilewalk
