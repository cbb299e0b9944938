// The problem editor: the typed fields, in groups; a live summary of what applying them would change; and the values of
// Q, K and V when there are few enough to edit by hand.
#pragma once

#include <string>
#include <vector>

#include "core/problem/inputs.h"
#include "core/walk/schedule.h"
#include "session/document/problem_draft.h"
#include "view/problem/grid_picture.h"

namespace tilewalk {

// The problem's fields as typed, in groups: those that the typed schedule uses, each with its choices in words, its
// issues, and whether it differs from the problem on screen. The mask's choices are pictures with two numbers.

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

struct TileChoice {   // common tile sizes, applied by a click
  std::string label;  // "FA-2's kernel: 128 × 64"
  std::string tip;
  std::string br, bc;
  bool chosen = false;
};

struct ValueTable {
  std::string tensor;  // "Q"
  std::int64_t rows = 0, cols = 0;
  std::vector<float> values;
  std::vector<bool> edited;
};

struct ProblemModel {
  std::vector<FieldsOfGroup> groups;
  MaskEditor mask;
  std::vector<std::string> other_issues;  // of fields that are not shown
  std::vector<TileChoice> tiles;          // beside Br and Bc
  bool can_apply = false, changed = false;
  std::string summary;  // the result of applying: "Tile visits 10 → 136 · steps 92 → 1,136 · …"
  std::string fit;      // "352 B of 1.00 KiB on chip", or by how much it does not fit
  bool fits = true;
  std::vector<ValueTable> values;  // empty unless the problem is tiny
  std::string values_note;         // where `values` is empty, why
};

inline constexpr std::int64_t kMostEditableValues = 256;  // of one tensor

ProblemModel build_problem_model(const Draft&, const Issues&, const Schedule& on_screen, const Inputs&, const HeadId&);

}  // namespace tilewalk
