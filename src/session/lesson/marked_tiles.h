// The answer of a mark-tiles task: tiles of a square matrix under a causal mask, marked by the learner. As text, of the
// draft and of a typed answer: each tile by its Q tile and its K tile, from 0, "2,0"; a range of K tiles as "3,1-4".
#pragma once

#include <string>
#include <vector>

#include "session/lesson/answer.h"

namespace tilewalk {

inline constexpr int kMostMarkedSide = 16;

// Kind of a tile with as many rows as columns.
inline TileKind tile_kind(int q, int k) { return k > q ? TileKind::Skipped : k == q ? TileKind::Cut : TileKind::Full; }

struct TileMarks {
  int side = 0;
  std::vector<bool> marked;  // row by row, side × side
  std::size_t place(int q, int k) const { return std::size_t(q) * std::size_t(side) + std::size_t(k); }
  bool at(int q, int k) const { return marked[place(q, k)]; }
  int count() const;
};
struct ReadTileMarks {
  TileMarks marks;
  std::string error;  // why the text cannot be read; else empty
};

int side_of(const LessonTask&, const Facts&);  // 0: it has no value now
ReadTileMarks read_tile_marks(const std::string& text, int side);
std::string text_of(const TileMarks&);                                           // "0,1-5 1,2-5"
std::string with_tile_turned(const std::string& draft, int side, int q, int k);  // marked, or no longer marked
TileMarks right_tiles(const LessonTask&, int side);

CheckedAnswer check_tiles(const LessonTask&, const std::string& text, const Facts&);

}  // namespace tilewalk
