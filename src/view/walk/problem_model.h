// The problem editor: fields as typed, issues under the field they concern, and the values of Q, K and V when there are
// few enough to edit by hand.
#pragma once

#include <string>
#include <vector>

#include "core/problem/inputs.h"
#include "session/problem_draft.h"

namespace tilewalk {

struct ProblemField {
  const Field* field = nullptr;
  std::string text;
  std::vector<std::string> issues;  // each with rule and way out
  bool changed = false;             // differs from the problem on screen
};

struct TileChoice {  // tile sizes that somebody uses, to take over by a click
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
  std::vector<ProblemField> fields;
  std::vector<std::string> other_issues;  // those that belong to no field
  std::vector<TileChoice> tiles;          // beside Br and Bc
  bool can_apply = false;
  std::string summary;             // what applying would give: "10 tile visits, 104 steps, 352 B on chip"
  std::vector<ValueTable> values;  // empty unless tiny
  std::string values_note;         // why not, where empty
};

inline constexpr std::int64_t kMostEditableValues = 256;  // of one tensor

ProblemModel build_problem_model(const Draft&, const Issues&, const Problem& on_screen, const Inputs&,
                                 std::int64_t batch, std::int64_t head);

}  // namespace tilewalk
