// The scores of one head as tiles, for a room, while no tile has numbers: before the first step, and while a tile of Q
// comes. What is drawn is one box for each tile, or, of more than kMostOnASide on a side, one for several.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/walk/schedule.h"
#include "view/scores/scores_model.h"

namespace tilewalk {

struct PresentMap {
  static constexpr std::int64_t kMostOnASide = 32;
  std::string title;                    // "16×16 scores in tiles of 4×4"
  std::vector<std::string> rows, cols;  // "Q2", "K1"; empty where a box is several tiles
  int high = 0, wide = 0;               // boxes
  std::vector<TileState> boxes;         // row by row
  int now_row = -1;                     // of the current tile of Q
  std::vector<std::string> facts;       // before the first step: which tiles are visited, which skipped, and why
  TileState at(int row, int col) const { return boxes[std::size_t(row) * std::size_t(wide) + std::size_t(col)]; }
};

PresentMap build_present_map(const Schedule&, const State&);

}  // namespace tilewalk
