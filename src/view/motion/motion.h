// One step seen on its way. t runs from 0, where all numbers are those before the step, to 1, where they are those
// after it. A Motion says when each number that the step makes lands, and when each tile that it moves crosses between
// the memories; nothing is computed by t. It is made from the ledger of phases and the cost of the step, so it exists
// for every phase of every schedule. Where things lie on the screen is the panels' own.
// Numbers land in turn while there are at most kInTurn of them; in larger tiles a front runs through. What the step's
// sentence names lands slowly, number by number, and what travels to it is drawn; the other rows land quickly before it
// and after it.
// Not modelled: the order in which the threads of a kernel work, and how long anything takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/schedules/ledger.h"
#include "core/values/state.h"
#include "core/walk/schedule.h"
#include "view/sentence/named_cell.h"

namespace tilewalk {

inline constexpr std::int64_t kInTurn = 64;

struct Span {  // of t
  double begin = 0, end = 1;
  bool has_begun(double t) const { return t >= begin; }
  bool has_landed(double t) const { return t >= end; }
  bool is_under_way(double t) const { return has_begun(t) && !has_landed(t); }
  double share(double t) const;  // 0 before it, 1 after it; slow at both ends
};

// A tile that crosses between HBM and SRAM. Loads cross and then unfold into numbers beside the matrix; stores fold
// first. Bytes are counted in pieces, one a row of the tile, after it has arrived: none while it crosses.
struct MovingTile {
  TensorId tensor{};
  std::string label, in_hbm;  // "K1"; "S" from "S2"
  bool to_sram = true;
  std::int64_t bytes = 0, pieces = 1;
  Span crossing = {}, unfolding = {};
  Span counting() const;  // from its arrival
  std::int64_t bytes_landed(double t) const;
};

// One quantity that the step makes, in the rows and columns of the matrix that it makes it for.
struct MovingValues {
  Made made = {};
  QuantityShape shape{};
  std::int64_t row_begin = 0, rows = 0;  // ColByHead: rows of K
  std::int64_t col_begin = 0, cols = 0;  // of K for Cell, of the head for RowByHead and ColByHead; Row: one
  Span span = {};                        // from the first to the last of them
  std::vector<bool> changes = {};        // empty: each does; else those that do, row by row
  std::vector<float> shrinks = {};       // empty, or a factor a row by which the value shrinks (O and ℓ, by α)
  std::int64_t named_row = -1, named_col = -1;  // that the sentence names; −1: none, or the whole row
  std::int64_t kept_begin = 0, kept_end = 0;    // Cell: the columns of the named row that the mask keeps

  Quantity quantity() const { return made.quantity; }
  bool holds(std::int64_t row, std::int64_t col) const;
  bool does_change(std::int64_t row, std::int64_t col) const;
  Span of(std::int64_t row, std::int64_t col) const;  // of one of them; precondition: holds
  float shrink(std::int64_t row) const;               // 1 where it does not
  bool masks() const;                                 // the mask: cells close, and the others stay
  // The drawn height of a row that shrinks, as a share of its cells. It is 1 until the factor has reached the row, then
  // falls to the factor until the span ends, where the number changes, and is 1 again after the step.
  double height(std::int64_t row, double t) const;
  double factor_way(double t) const;  // of the factor that shrinks, from its figure (0) to the row (1)
  // The one that is ringed at t: the named one, or one of the named row; else the first on its way. Empty in large
  // tiles without a named row.
  std::optional<std::pair<std::int64_t, std::int64_t>> ringed(double t) const;
  double share_landed(double t) const;  // of all of them
  // Those that are on their way at t, of at most kInTurn; in larger tiles none is followed by itself.
  std::vector<std::pair<std::int64_t, std::int64_t>> under_way(double t) const;

 private:
  bool lands_by_row() const;
  double weight_of(std::int64_t row, std::int64_t col) const;  // its share of the time
};

// The score tile of the visit before, whose S and P no memory keeps.
struct DissolvingTile {
  TileId tile;
  std::int64_t row_begin = 0, rows = 0, col_begin = 0, cols = 0;
  Span span;
  Span of(std::int64_t row, std::int64_t col) const;  // of a cell of it, in no order that an eye could follow
};

// When the mask reaches a row of its tile, and when its last cell has closed.
Span mask_row_span(const Step&, std::int64_t row);

// True if it makes a quantity of itself and α alone: its rows shrink.
bool shrinks_by_alpha(const Made&);

struct Motion {
  Phase phase{};
  NamedCell named;  // by the step's sentence
  std::vector<MovingTile> tiles;
  std::vector<MovingValues> values;
  std::optional<DissolvingTile> dissolving;
  std::int64_t bytes_before = 0;  // read and written in HBM before the step
  std::vector<TensorId> filled;   // that SRAM gets a place for at this step, in place of no other

  const MovingValues* of(Quantity) const;                                         // null: the step does not make it
  bool has_landed(Quantity, std::int64_t row, std::int64_t col, double t) const;  // true too where nothing moves
  // When a figure of the table changes: with its quantity, or, where that is none or not made, with the first that is
  // made. Precondition: values is not empty.
  Span span_of_figure(std::optional<Quantity>, std::int64_t row) const;
  // True if the step computes from it, makes it or moves it. A step that moves tiles, or changes nothing,
  // leaves none aside.
  bool uses(TensorId) const;
  std::int64_t bytes_so_far(double t) const;
  // What has landed of a tile that SRAM holds after the step, as a share of its bytes: 1 where nothing of it moves.
  double share_on_chip(TensorId, const std::string& tile, double t) const;
};

// Precondition: after.cursor == before.cursor + 1, both of this schedule.
Motion build_motion(const Schedule&, const State& before, const State& after);

}  // namespace tilewalk
