// The score matrix as drawn: tiles with their class and state, the values of their cells, and their positions in a
// drawing area of given size. Two levels of detail: single cells while they are large enough, else a sampled texture,
// so that work and memory depend on the pixels, not on the matrix.
// Scores are in display units. The current tile shows what its phase has computed, S or P, in backward passes dP or dS.
// Cells of finished tiles show the scores that the walk has computed; nothing is shown before it was computed. Sampled
// scores (texture) are for colour only and may differ from the replay's in the last bits. Values of earlier tiles are
// computed again from Q and K, not stored. The positions of the cells are in view/scores/scores_place.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "session/hand/seen_state.h"
#include "view/scores/scores_place.h"
#include "view/scores/tile_values.h"

namespace tilewalk {

enum class TileState { Pending, Now, Done, Skipped };

struct ScoreTile {
  std::int64_t q_tile = 0, kv_tile = 0;
  TileClass tile_class = TileClass::Full;
  TileState state = TileState::Pending;
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;  // pixels from the area's corner
  std::int64_t row_begin = 0, col_begin = 0, rows = 0, cols = 0;
  std::size_t first_cell = 0;  // index of its first cell; cells are row-major
};

struct ScoreCell {
  float value = 0;     // −∞ where masked; in the current tile the quantity ScoresModel::shown
  bool known = false;  // the walk has computed it
  bool masked = false;
  bool wrong = false;   // by a deliberate mistake
  bool hidden = false;  // a field of work by hand, or computed from one
};

struct ScoreBar {  // the heading of a row or a column of tiles
  std::int64_t tile = 0;
  float begin = 0, end = 0;
  bool now = false;
  std::string label;  // "Q2", "K1 · V1"; empty where it does not fit
};

struct ScoresTexture {  // for the shader
  int width = 0, height = 0;
  std::shared_ptr<const std::vector<float>> values;  // −∞ masked
  int tiles_wide = 0, tiles_high = 0;                // texels of `tiles`: one for each tile, or sampled
  std::vector<std::uint8_t> tiles;                   // TileState
  double tile_px_w = 0, tile_px_h = 0;               // of a tile on screen
  double offset_x = 0, offset_y = 0;                 // start of the view within the first tile, in tiles
  double tiles_in_view_x = 0, tiles_in_view_y = 0;
};

struct ScoresModel {
  // "Scores S = QKᵀ/√d — the 16×16 matrix, one tile at a time in SRAM", then shorter ones
  std::vector<std::string> titles;
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;  // position of the visible matrix in the area
  ScoresAxis rows, cols;
  bool cells_drawn = true;
  bool gone = false;             // no memory stores the scores of a done tile: its cells are not shown as values
  float low = 0, high = 1;       // the colour scale
  std::vector<ScoreTile> tiles;  // without cells in the matrix: the current one, if the lens shows it
  std::vector<ScoreCell> cells;
  std::vector<ScoreBar> row_bars, col_bars;
  ScoresTexture texture;
  std::int64_t now_q_tile = -1, now_kv_tile = -1;
  float now_x0 = 0, now_y0 = 0, now_x1 = 0,
        now_y1 = 0;               // frame of the current tile (or row of tiles); empty if out of view
  ScoresAxis now_rows, now_cols;  // of its cells; where no tile is lifted, those of the matrix
  std::string scale_text;         // "S: −1.42 to 2.46", of the current tile
  // The current tile: the quantity that its cells show, the other choices, and the formula ("P = e^(S − m)").
  Quantity shown = Quantity::S;
  std::vector<Quantity> choices;
  std::string formula;
  float now_low = 0, now_high = 1;  // colour scale of the current tile
  bool signed_map = false;          // its colours show the sign: now_low is −now_high
  std::string other_scale_text;     // of the other tiles, where they show another quantity: "others S: −2.28 to 3.22"
  // Left of the matrix and above it, if there is space: Q and K, or the operands of the shown quantity.
  OperandTile left, above;
  double operand_w = 0, operand_h = 0;  // of a value of them
  double label_w = 0, label_h = 0;      // space for the numbers of rows and columns, next to the matrix
  std::optional<ScoresLens> lens;       // a place for the current tile beside a matrix without cells
  // What the sentence names: a row, a cell of it, or a row of K or V, which is a column here; −1: none.
  std::int64_t named_row = -1, named_col = -1, named_key = -1;
  bool reads_above = false;  // the current step makes something of the block above the matrix

  // Finds the cell at a pixel; false outside.
  bool cell_at(double x, double y, std::int64_t& row, std::int64_t& col) const;
  // The axes of a cell: those of the lifted tile if it has the cell.
  bool is_lifted(double row, double col) const;
  const ScoresAxis& rows_at(double row, double col) const { return is_lifted(row, col) ? now_rows : rows; }
  const ScoresAxis& cols_at(double row, double col) const { return is_lifted(row, col) ? now_cols : cols; }
};

// Values that do not change during a walk. Each belongs to one place on screen; assign {} to drop it.
struct ScoresCache {
  std::uint64_t problem_revision = ~0ull;
  std::int64_t batch = -1, head = -1;
  float low = 0, high = 1;
  std::optional<ScoresPlace> place;  // of the last model
  double rect[4] = {-1, -1, -1, -1};
  int texture_w = 0, texture_h = 0;
  std::shared_ptr<const std::vector<float>> texture;
  std::int64_t cell_rect[4] = {-1, -1, -1, -1};
  std::vector<float> cell_values;
};

TileState tile_state(const Schedule&, const State&, std::int64_t q_tile, std::int64_t kv_tile);

// problem_revision: must change when schedule or inputs do, which invalidates the cache.
ScoresModel build_scores_model(const Schedule&, const Inputs&, const SeenState&, const ScoresArea&,
                               std::uint64_t problem_revision, ScoresCache&);

}  // namespace tilewalk
