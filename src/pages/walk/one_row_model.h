// The explanation of one row at one t: bars of its scores or weights, the tile of each key, ℓ and the row of O as they
// grow and shrink, and the sentence of the scene. Heights are shares of the plot; a number changes where its bar has
// arrived.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/session.h"
#include "view/words/shown_texts.h"

namespace tilewalk {

struct RowBar {
  std::int64_t key = 0;
  double low = 0, high = 0;        // from the plot's lower end
  double ghost = 0;                // its height before it shrinks; 0: it does not
  double to_low = 0, to_high = 0;  // where the bar of the score that is computed now will be
  bool visible = false;            // its tile has come
  bool used = false;               // and has made way for the next
  bool best = false;               // of the visible ones
  bool too_large = false;          // a better score is known, and its weight is not yet against that
  bool falls = false;              // its text is still that of the ghost
  bool fills = false;              // its score is computed now, from the row of K that is shown
  std::string text = {};           // its score, or its weight
  std::string score = {};          // below it, while the bar is a weight; "gone" once its tile is
  std::string value = {};          // of V, column 0; empty before V has its part
};

enum class RowTileNow { Plain, InSram, Done, ToCome };
struct RowTile {
  std::string name = {};             // "K1"
  std::string v_name = {};           // "V1"; empty before V has its part
  std::size_t first = 0, count = 0;  // of the bars
  RowTileNow now{};
};

struct OneRowModel {
  RowScene scene{};
  double t = 0;
  bool moves = false;
  bool headline_alone = false;           // nobody has the time to read more: note and seen are not shown
  std::string title = {};                // "One row of the answer: row 9 of O"
  std::string sentence = {}, note = {};  // note: more, for who has time
  std::string seen = {};                 // below the keys, in ten words at most: what the picture shows now
  double axis = 0;                       // where a bar of 0 begins
  bool weights = false;                  // the bars are weights, or become weights
  bool has_unit = false;                 // they are: the plot's upper end is 1
  std::vector<RowBar> bars = {};
  std::vector<RowTile> tiles = {};
  // "row 9 of Q", and the row of K whose score is computed; with all scores there the one that it matches best, and
  // their score. Empty once ℓ and O are shown.
  std::string q_label = {}, k_label = {}, score = {};
  std::vector<std::string> q = {}, k = {};
  bool sums = false;  // ℓ and O are shown
  std::string l_label = {}, l = {}, o_label = {};
  std::vector<double> parts = {};  // of ℓ, one a bar, in shares of the longest sum
  std::vector<std::string> o = {};
  // At the scene that shrinks them: the height of O's cells, ℓ before it, in the shares of its parts, and "α = 0.66".
  double o_height = 1, l_before = 0;
  std::string alpha = {};
  bool too_large = false;   // ℓ and O, as the old bars are: a better score is known
  bool same_again = false;  // at the end: the row of O is that of all keys at once
};

// The row that was explained last, in the walk.
struct ExplainedRow {
  std::int64_t row = 0;  // of the matrix
  double share = 1;      // of the way of its outline from the explanation's place to the row's
  std::string label;     // "the row just explained"
};
struct ExplainedRowCache {
  std::uint64_t problem_revision = ~0ull;
  QTileId q_tile;
  std::optional<std::int64_t> row;  // empty: the row was the example's, or of another Q tile
};

// Empty unless the walk is at the tile of a row that was explained.
std::optional<ExplainedRow> build_explained_row(const Session&, ExplainedRowCache&);

// Empty unless the session shows it.
std::optional<OneRowModel> build_one_row(const Session&);

void add_texts(ShownTexts&, const OneRowModel&);

}  // namespace tilewalk
