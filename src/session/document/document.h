// The contents of a session file: the problem, the paths of its inputs, hand-edited values, the view to restore and the
// pinned comparison.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/problem/inputs.h"
#include "core/problem/problem.h"
#include "core/walk/in_step.h"

namespace tilewalk {

struct InputPaths {          // empty: seeded
  std::string q, k, v, d_o;  // d_o: of a backward pass
  bool rows_first = false;   // the files are [batch, rows, heads, d], as flash-attn has them; else [batch, heads, …]
  bool operator==(const InputPaths&) const = default;
  bool any() const { return !q.empty() || !k.empty() || !v.empty() || !d_o.empty(); }
};

inline constexpr const char* kLayoutWords[] = {"bhsd", "bshd"};  // by rows_first

struct InputSlot {   // a tensor that may be read from a file
  const char* name;  // in flags, session files and safetensors
  std::string InputPaths::*path;
  std::shared_ptr<const Tensor> FileInputs::*tensor;
  bool by_query;  // true: shape of Q; false: of K
};
inline constexpr InputSlot kInputSlots[] = {{"q", &InputPaths::q, &FileInputs::q, true},
                                            {"k", &InputPaths::k, &FileInputs::k, false},
                                            {"v", &InputPaths::v, &FileInputs::v, false},
                                            {"do", &InputPaths::d_o, &FileInputs::d_o, true}};

enum class StepUnit { Phase, Tile, QTile };  // the unit of one move while playing

enum class Page {
#define PAGE(enumerator, word, not_presented, steps) enumerator,
#include "session/document/pages.inc"
#undef PAGE
};
// What the page of comparison shows filled: SMs or warps beside the lanes; or pipes, or large SMs wave by wave, instead
// of the lanes.
enum class Filling { Sms, Warps, Pipes, Waves };
// What it compares: this walk, or the same schedules on the window's call.
enum class Compared { Walk, Call };

inline constexpr double kLeastTextScale = 0.8, kMostTextScale = 3.0;

struct ViewSettings {
  std::int64_t batch = 0, head = 0;  // the head in view when the cursor is outside it
  StepUnit unit = StepUnit::Phase;
  double speed = 1.0;  // while playing: reading pace times this, or this many tiles a second
  bool dark = true;
  double text_scale = 1.0;  // 0.8 to 3.0
  bool motion = true;       // animates what a step loads and stores
  Pace pace = Pace::Tile;   // the unit by which the two sides of a comparison stay in step
  Page page = Page::Walk;
  Filling filling = Filling::Sms;
  Compared compared = Compared::Walk;
  bool operator==(const ViewSettings&) const = default;
};

// The chosen baseline of a comparison: a stored problem; else, or where the two cannot be compared, the current problem
// under another schedule. chip: the lanes recorded on a GPU are shown beside FA-3's.
struct Pinned {
  std::optional<ScheduleKind> schedule;
  std::optional<Problem> problem;
  bool chip = false;
  bool operator==(const Pinned&) const = default;
};

struct Document {
  std::string title;  // "picture", or empty
  std::string about;  // one sentence; presets have one
  Problem problem;
  InputPaths paths;
  std::vector<InputEdit> edits;
  std::int64_t cursor = 0;
  ViewSettings view;
  Pinned pinned;
  bool operator==(const Document&) const = default;
};

}  // namespace tilewalk
