// The problem editor: the typed fields, in groups; a live summary of what applying them would change; and the values of
// Q, K and V when there are few enough to edit by hand.
#pragma once

#include <string>
#include <vector>

#include "core/problem/inputs.h"
#include "core/walk/schedule.h"
#include "view/problem/problem_fields.h"

namespace tilewalk {

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
