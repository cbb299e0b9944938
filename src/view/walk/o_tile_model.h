// The current O tile: numbers where they fit, else a heat map sampled to the visible size.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/replay/replay.h"
#include "core/walk/schedule.h"
#include "session/hand/seen_state.h"

namespace tilewalk {

struct OTileModel {
  std::string title;         // "O tile 2 so far, not yet divided by ℓ"
  std::string title_on_way;  // while the step changes it: "O tile 2, being divided by ℓ"; empty: the title before
  std::int64_t rows = 0, cols = 0;  // cells shown
  std::int64_t row_begin = 0;       // matrix row of the first row shown
  std::int64_t row_stride = 1, col_stride = 1;
  bool numbers = false;           // few enough to be written out; the same during the whole walk
  std::int64_t most_rows = 0;     // maximum of any tile of this walk: the panel reserves this space
  std::vector<float> values;      // rows x cols
  std::vector<bool> hidden;       // likewise, or empty: fields of work by hand and numbers computed from them
  float largest = 0;              // largest finite magnitude in the whole tile: the end of the colour scale
  std::string note;               // where there is no tile, why
  std::int64_t rows_to_come = 0;  // before the first step: rows of the first tile, still without values

  // The position in the matrix of a shown cell.
  std::int64_t tensor_row(std::int64_t shown) const { return row_begin + shown * row_stride; }
  std::int64_t tensor_col(std::int64_t shown) const { return shown * col_stride; }
};

// The output of the current step: O, or in backward passes dQ, dK or dV. values is null where the state has none.
struct ShownTile {
  TensorId tensor = TensorId::O;
  Quantity quantity = Quantity::O;
  const std::vector<float>* values = nullptr;
  std::int64_t tile = -1, row_begin = 0, rows = 0;
};
// quantity: this output, whatever the step makes.
ShownTile shown_tile(const Schedule&, const State&, std::optional<Quantity> quantity = {});

OTileModel build_o_tile_model(const Schedule&, const SeenState&, int most_rows, int most_cols, int most_number_cols = 8,
                              std::optional<Quantity> quantity = {});

}  // namespace tilewalk
