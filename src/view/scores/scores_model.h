// The score matrix as it is drawn: tiles with their class and state, the values of their cells, and where they lie in a
// drawing area of given size. Two levels of detail: cells drawn one by one while they are large enough, else a texture
// sampled so that work and memory follow the pixels, whatever the matrix.
// Scores are in display units. The tile at hand shows what its phase has made, S or P, in the backward passes dP or dS.
// Cells of finished tiles show the scores that the walk has made; nothing is shown before it was computed. Sampled
// scores (texture) are for colour only and may differ from the replay's in the last bits. Values of tiles already
// passed are computed afresh from Q and K, not remembered. Where numbers are worked with by hand, room for the values
// of Q and K comes first, then cells of the tile at hand that can write theirs; the others are smaller, and where even
// that is too much, some lie out of view.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/replay/replay.h"
#include "core/walk/schedule.h"
#include "session/hand/seen_state.h"
#include "view/scores/scores_axis.h"
#include "view/scores/tile_values.h"

namespace tilewalk {

enum class TileState { Pending, Now, Done, Skipped };

struct ScoresArea {              // what there is to draw in, and what is in view (session/GridView)
  double width = 0, height = 0;  // pixels
  double zoom = 1, centre_row = 0.5, centre_col = 0.5;
  double cell_min_px = 7;  // cells at least this large are drawn one by one
  double gap_px = 5;       // most space between two tiles
  // What one value of Q to the left takes, in full and with a digit less, and one of K above; 0: they are not shown.
  double operand_w = 0, operand_w_short = 0, operand_h = 0;
  double number_w = 0, number_h = 0;  // least size of a cell that writes its number; 0: it need not
  std::optional<Quantity> asked;      // what the tile at hand is to show; empty: what the phase makes
  bool hold = false;                  // a border of tiles is being dragged: nothing else may move
};

struct ScoreTile {
  std::int64_t q_tile = 0, kv_tile = 0;
  TileClass tile_class = TileClass::Full;
  TileState state = TileState::Pending;
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;  // pixels from the area's corner
  std::int64_t row_begin = 0, col_begin = 0, rows = 0, cols = 0;
  std::size_t first_cell = 0;  // index of its first cell; cells are row-major
};

struct ScoreCell {
  float value = 0;     // −∞ where masked; of the tile at hand what it shows (ScoresModel::shown)
  bool known = false;  // computed by the walk
  bool masked = false;
  bool wrong = false;   // by a mistake that is made on purpose
  bool hidden = false;  // asked for by hand, or made of what is
};

struct ScoreBar {  // the head of a row or a column of tiles
  std::int64_t tile = 0;
  float begin = 0, end = 0;
  bool now = false;
  std::string label;  // "Q2", "K1 · V1"; empty where it would not fit
};

struct ScoresTexture {  // for the shader
  int width = 0, height = 0;
  std::shared_ptr<const std::vector<float>> values;  // −∞ masked
  int tiles_wide = 0, tiles_high = 0;                // texels of `tiles`: one a tile, or sampled
  std::vector<std::uint8_t> tiles;                   // TileState
  double tile_px_w = 0, tile_px_h = 0;               // of a tile on screen
  double offset_x = 0, offset_y = 0;                 // where in the first tile the view begins, in tiles
  double tiles_in_view_x = 0, tiles_in_view_y = 0;
};

struct ScoresModel {
  std::vector<std::string> titles;  // "Scores S = QKᵀ/√d — the 16×16 matrix that never exists", then shorter ones
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;  // where the matrix in view lies in the area
  ScoresAxis rows, cols;
  bool cells_drawn = true;
  float low = 0, high = 1;  // the colour scale
  std::vector<ScoreTile> tiles;
  std::vector<ScoreCell> cells;
  std::vector<ScoreBar> row_bars, col_bars;
  ScoresTexture texture;
  std::int64_t now_q_tile = -1, now_kv_tile = -1;
  float now_x0 = 0, now_y0 = 0, now_x1 = 0,
        now_y1 = 0;        // frame round the tile (or row of tiles) at hand; empty if out of view
  std::string scale_text;  // "−1.42 to 2.46"
  // The tile at hand: what its cells show, what else they could, and how that is made ("P = e^(S − m)").
  Quantity shown = Quantity::S;
  std::vector<Quantity> choices;
  std::string formula;
  float now_low = 0, now_high = 1;  // its colour scale
  // Left of the matrix and above it, where there is room for them: Q and K, or what else the cells are made of.
  OperandTile left, above;
  double operand_w = 0;  // of a value at the left

  // Cell under a pixel; false outside.
  bool cell_at(double x, double y, std::int64_t& row, std::int64_t& col) const;
};

// Where the matrix lies in its area, and the values of Q and K beside it.
struct ScoresPlace {
  double left = 0, top = 0, operand_w = 0;  // what these take; of the left, one value
  ScoresAxis rows, cols;
};

// Keeps what does not change while walking. Belongs to one place on screen; drop it (= {}) to start afresh.
struct ScoresCache {
  std::uint64_t problem_revision = ~0ull;
  std::int64_t batch = -1, head = -1;
  float low = 0, high = 1;
  std::optional<ScoresPlace> place;  // of the model built last
  double rect[4] = {-1, -1, -1, -1};
  int texture_w = 0, texture_h = 0;
  std::shared_ptr<const std::vector<float>> texture;
  std::int64_t cell_rect[4] = {-1, -1, -1, -1};
  std::vector<float> cell_values;
};

bool whole_rows_at_hand(const State&);  // a pass over rows, not tiles
TileState tile_state(const Schedule&, const State&, std::int64_t q_tile, std::int64_t kv_tile);

// problem_revision: any number that changes when schedule or inputs do; the cache is good while it stays.
ScoresModel build_scores_model(const Schedule&, const Inputs&, const SeenState&, const ScoresArea&,
                               std::uint64_t problem_revision, ScoresCache&);

}  // namespace tilewalk
