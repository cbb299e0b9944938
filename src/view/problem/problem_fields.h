// The fields of the problem as a person types them, in groups: those that matter to the schedule typed, each with its
// choices as people say them, what is wrong with it, and whether it is another than on screen. The mask comes as
// pictures with its two numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/document/problem_draft.h"
#include "view/problem/grid_picture.h"

namespace tilewalk {

struct FieldChoice {
  std::string text;   // as it is typed: "split_kv"
  std::string label;  // as people say it: "Split-KV"
  bool chosen = false;
};

struct ProblemField {
  const Field* field = nullptr;
  std::string text;
  std::vector<FieldChoice> choices;  // empty: it is typed
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
  GridPicture picture;      // of a small square, or of a wide one where that makes the difference
  bool chosen = false;
};

struct MaskEditor {
  std::vector<MaskChoice> choices;
  bool windowed = false;
  std::string left, right;  // as typed, of a window
  // What the field becomes with these two numbers.
  std::string with(const std::string& left, const std::string& right) const;
  std::string spelling;  // "window"
};

// Groups and fields in the order of the editor. `issues` of fields that are not shown go to `others`.
std::vector<FieldsOfGroup> fields_of_draft(const Draft&, const Issues&, const Problem& on_screen,
                                           std::vector<std::string>& others);
MaskEditor mask_editor(const Draft&);

}  // namespace tilewalk
