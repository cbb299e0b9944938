// The current step on its way, as panels draw it: which t, what has landed, and where on the screen the numbers and
// tiles lie that it runs between. Panels note places as they draw; draw_motion comes last and draws over them what
// travels. At rest nothing is noted and nothing is drawn.
#pragma once

#include <map>
#include <optional>
#include <tuple>

#include "pages/walk/walk_page.h"
#include "ui/ui.h"

namespace tilewalk {

enum class PlaceKind {
  HbmTile,    // by tensor and tile's name
  SramTile,   // likewise
  Score,      // a cell of the score matrix, by row and column
  Figure,     // of the table, by quantity and row
  Output,     // by row and column of the head
  Corridor,   // between the memories of a column, as wide as its panel
  RowGap,     // below a row of HBM: its height alone
  Words,      // a text: the sentence, without a name; a label of the matrix, by its tile and name
  Lane,       // above the matrix, right of its first column: free of cells
  Skipped,    // a tile that the mask hides, by row and column
  LiftedRow,  // the box of a row of the output that shrinks
  Operand,    // a value of Q, K, V or dO beside the matrix or the output, by tensor, row and column
};

// The name of an operand's place beside the output, where the same operand is beside the matrix too.
inline constexpr const char* kBesideOutput = "beside output";

struct MovingPlace {
  PlaceKind kind{};
  int of = 0;  // TensorId or Quantity
  std::int64_t row = 0, col = 0;
  std::string name = {};
  bool operator<(const MovingPlace& other) const {
    return std::tie(kind, of, row, col, name) < std::tie(other.kind, other.of, other.row, other.col, other.name);
  }
};

struct MovingPlaces {
  std::map<MovingPlace, draw::Rect> at;
  std::vector<draw::Rect> blank;  // those of them that show no number yet
  std::vector<draw::Rect> chips;  // the numbers on their way, as far as they are drawn
  std::vector<ImU32> chip_fills;  // of each
  void begin_frame() { at.clear(), blank.clear(), chips.clear(), chip_fills.clear(); }
  const draw::Rect* find(const MovingPlace&) const;
  // Everything of a kind, by tensor or quantity; nothing where none was noted.
  std::optional<draw::Rect> all_of(PlaceKind, int of) const;
};

struct Moving {
  const Motion& motion;
  double t = 0;
  MovingPlaces& places;
  double fade = 1;  // with reduced motion, where t is 1: from 0, new values not visible yet, to 1
  bool slow = false;
};

// On the page of the walk and while presenting; nothing at rest.
std::optional<Moving> moving(const UiFrame&);
// The models of the walk's page before the step. Precondition: something moves there.
const WalkMotion& before_step(const UiFrame&);
// The tile that moves to the place of that name in SRAM or in HBM and has not landed; null: there is none.
const MovingTile* on_its_way(const std::optional<Moving>&, TensorId, const std::string& label, bool to_sram);

// The row of the output that is drawn enlarged at t while it shrinks; null: there is none.
const MovingValues* lifted_row(const UiFrame&, const Moving&);

// A row of an operand whose tile is on its way to its place beside the matrix or the output.
bool waits_for_row(const Motion&, const OperandTile&, std::int64_t row, double t);

// True for a tensor that the step leaves alone: paler while it plays, so that the eye stays with what moves.
bool is_idle(const std::optional<Moving>&, TensorId);
// The tensor's colour for letters on a panel, readable in both themes.
ImU32 letters_of(const Palette&, TensorId);
struct CellLook {
  ImU32 fill, ink;
};
CellLook look_of_cell(const Palette&, ImU32 fill, bool idle);

// The words of a sentence that wait for their numbers, as tints that draw nothing: the others keep their places. An
// empty box in this colour is in the place of each number.
std::vector<draw::Tint> waiting_words(const std::vector<LandingWords>&, double t, ImU32 box);

// t of the current step: 1 at rest.
double t_of(const UiFrame&);

// A label that nothing on its way may cover; nothing at rest.
void note_label(const UiFrame&, std::int64_t row, std::int64_t col, const std::string& name, const draw::Rect&);

// Draws what travels over the panels.
void draw_motion(const UiFrame&, const Palette&);

// A place that waits for what is on its way.
void draw_awaited(ImDrawList*, const draw::Rect&, ImU32 colour, float rounding, float s);

}  // namespace tilewalk
