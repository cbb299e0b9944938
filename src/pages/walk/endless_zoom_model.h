// The zoom that never ends, at one t: nested squares of one head's score matrix, drawn to scale, from one tile to a
// long context. Bytes are of scores in fp32, which S has in any dtype. The place of a square and the side of the
// picture are in cells of the matrix, so that any panel can draw them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/document/zoom_squares.h"
#include "session/session.h"
#include "view/words/shown_texts.h"

namespace tilewalk {

inline constexpr double kZoomFill = 0.86;  // the share of the picture's side that a square fills at its own t

struct ZoomLevel {  // a square, with its words
  ZoomSquare square;
  std::int64_t bytes = 0;
  bool on_chip = false;  // a tile: the scores that exist at one time
  std::string name;      // "This walk's tile", "FA-2's tile", "This walk", "32k"
  std::string sides;     // "131,072 × 131,072"
  std::string size;      // "64.0 GiB"
  std::string memory;    // the smallest memory that has room for it: "fits in SRAM"
};

struct EndlessZoomModel {
  double t = 0;
  double extent = 0;              // cells along the side of the picture
  std::vector<ZoomLevel> levels;  // smallest first
  std::size_t at = 0;             // the largest that lies in the picture whole
  bool written = false;           // the walk's schedule writes S to HBM
  bool diagonal = false;          // a causal mask: above the diagonal no score counts
  std::string title;              // "The zoom that never ends"
  std::string scale;              // "one head, drawn to scale: all squares share row 0 and column 0"
  std::string figure;             // the bytes of the level at hand
  std::string figure_words;       // "of scores that never exist"
  std::string figure_detail;      // "S of 131,072 × 131,072 in fp32. …"
  std::string tile_figure;        // "64.0 KiB"
  std::string tile_words;         // "of them exist at a time: one 128 × 128 tile, 1 of 1,048,576"
  bool moves = false;
};

// Empty unless the session shows it.
std::optional<EndlessZoomModel> build_endless_zoom(const Session&);

void add_texts(ShownTexts&, const EndlessZoomModel&);

}  // namespace tilewalk
