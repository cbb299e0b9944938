// The zoom out of one score, at one t: nested squares, drawn to scale, from one score through one head's matrix at a
// long context to the matrices of all heads. Bytes are of scores in fp32, which S has in any dtype. The place of a
// square and the side of the picture are in cells of the matrix, so that any panel can draw them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/document/zoom_squares.h"
#include "session/session.h"
#include "view/present/present_meeting.h"
#include "view/words/shown_texts.h"

namespace tilewalk {

inline constexpr double kZoomFill = 0.86;  // the share of the picture's side that a square fills at its own t

struct ZoomLevel {  // a square, with its words
  ZoomSquare square;
  std::int64_t row = 0, col = 0;  // of the matrix: where the square begins
  std::int64_t bytes = 0;
  bool on_chip = false;  // a tile: the scores that exist at one time
  std::string name;      // "This walk's tile", "Tile of a fast FA-2", "This walk", "N 32,768"
  std::string sides;     // "131,072 × 131,072"
  std::string size;      // "64.0 GiB"
  double share = 0;      // of the longest bar: bytes on a logarithmic axis from 1 byte on
  std::string memory;    // the smallest memory that has room for it: "fits in SRAM"
};

struct ZoomTick {  // of the axis above the bars
  double share = 0;
  std::string text;  // "1 MiB"
};

struct ZoomCell {  // of the tile at hand, or of a larger tile a block of scores
  float value = 0;
  bool masked = false, hidden = false;
};

// The tile at hand with its scores, and one of them. Without a tile at hand, the first of the matrix.
struct ZoomTile {
  std::int64_t row = 0, col = 0;              // of the score, in the matrix
  std::int64_t tile_row = 0, tile_col = 0;    // where its tile begins
  std::string value;                          // of the score; "?" where work by hand asks for it
  std::optional<PresentMeeting> meeting;      // empty where the value is hidden or masked
  std::int64_t tile_rows = 0, tile_cols = 0;  // of the tile within the matrix
  std::int64_t rows = 0, cols = 0;            // of the cells; below those of the tile where a cell is a block of scores
  std::vector<ZoomCell> cells;
  float low = 0, high = 1;                    // of the colours
  std::string low_text = {}, high_text = {};  // "−1.24"; empty while work by hand hides a score
  const ZoomCell& at(std::int64_t i, std::int64_t j) const { return cells[std::size_t(i * cols + j)]; }
};

struct ZoomBatches {  // a row of blocks of the wall of heads
  std::int64_t first = 0, last = 0;
  std::string words;  // "batch 0", "batch 0–1"
};

struct EndlessZoomModel {
  double t = 0;
  double extent = 0;              // cells along the side of the picture
  double row = 0, col = 0;        // of the matrix, at the picture's corner
  double doublings = 0;           // of the side, from the smallest level to the largest
  std::vector<ZoomLevel> levels;  // smallest first
  std::size_t matrix = 0;         // the largest level that is one matrix
  HeadsWall wall;
  std::vector<ZoomBatches> batches;  // from the top; empty where there is one
  ZoomTile tile;
  std::vector<ZoomTick> ticks;  // 1 B, then every factor of 1,024, and the longest bar's bytes at the end
  std::size_t at = 0;           // the largest that lies in the picture whole
  bool written = false;         // the walk's schedule writes S to HBM
  // A causal mask: above the diagonal no score counts. The walk's own matrix has the walk's mask, all larger ones have
  // the call's; `diagonal`: of the current level.
  bool walk_diagonal = false, call_diagonal = false, diagonal = false;
  std::string title;          // "From one score to all heads"
  std::string scale;          // "Scores S, to scale. …"
  std::string figure;         // the bytes of the current level
  std::string figure_words;   // "of scores never exist"
  std::string figure_detail;  // "131,072 × 131,072, in fp32: on an H200 that …"
  std::string tile_figure;    // "64.0 KiB"
  std::string tile_words;     // "exist at a time in a thread block: one 128 × 128 tile, 1 / 1,048,576 of them"
  std::string tile_brief;     // "exist at a time"
  // At the last level, large in the picture: "4.00 TiB never exist", and of the tile "this square does: 32.0 KiB".
  std::string end_words, end_tile;
  bool moves = false;
};

// Empty unless the session shows it.
std::optional<EndlessZoomModel> build_endless_zoom(const Session&);

void add_texts(ShownTexts&, const EndlessZoomModel&);

}  // namespace tilewalk
