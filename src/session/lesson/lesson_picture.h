// The picture of a lesson's screen: what its question asks about, in the place of the page. Lengths and counts are
// expressions, never typed. What is asked has no length or count until the task is done.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/problem/tensor.h"
#include "session/lesson/lesson_text.h"

namespace tilewalk {

enum class PictureKind {
  Bars,     // horizontal bars on one scale, such as the times of two clocks
  Areas,    // squares whose areas have the ratio of the values
  Cells,    // rows of equal cells, such as rows of a tile, in groups of threads or blocks
  Numbers,  // rows of numbers
  Tiles,    // matrices of equal tiles under a causal mask
  Pairs,    // each cell of the first item, down, with each of the second, across; the third item is the pairs
  Trips,    // steps between HBM and SRAM: the items, or without any those of an order task as the learner placed them
};
const char* name_of(PictureKind);  // the spelling in a file

struct TripStep {  // the tensors that a step loads, computes and writes
  std::vector<TensorId> loads, makes, writes;
  bool empty() const { return loads.empty() && makes.empty() && writes.empty(); }
};

struct PictureItem {
  std::string heading;      // above it; empty: none
  bool same_scale = false;  // Bars: the items under this heading have the scale of those above it
  std::string name;
  std::optional<TensorId> hue;  // empty: the accent
  bool sram = false;            // instead of a hue: it is SRAM
  // Bars: length; Areas: area; Cells and Pairs: number of cells; Tiles: tiles a side
  std::optional<Expression> value = {};
  std::optional<Expression> guess = {};  // Bars, Areas: the same by the number that is drafted, while it is asked
  std::vector<Sentence> numbers = {};    // Numbers
  Sentence says = {};                    // beside it
  bool zoomed = false;                   // Bars: the bar before it, drawn larger
  bool asked = false;                    // hidden before the task is done
  bool shape_asked = false;              // Cells: its groups and rings are; Tiles: which are cut and skipped
  std::int64_t group = 0;                // Cells: cells of a group; 0: no groups
  std::vector<std::int64_t> rings = {};  // Cells: those with a ring
  TripStep trip = {};                    // Trips
};

struct PictureMark {  // Bars: an upright line
  Expression value;
  std::string name;
};

struct LessonPicture {
  PictureKind kind = PictureKind::Bars;
  int line = 0;
  Sentence title, note;              // note: below the items
  std::vector<std::string> columns;  // Numbers: a word above each column of cells; empty: none
  std::vector<PictureItem> items;
  std::optional<PictureMark> mark;
  bool logarithmic = false;  // Bars: lengths are logarithms, from 1, with a line at each power of 10
};

}  // namespace tilewalk
