// Where everything lies on the sheets of a print-out: ink at places, in points from a sheet's upper left corner.
// A table is never cut by the end of a sheet; a heading stays with what follows; what fits on one sheet from heading to
// heading is not torn. Invariant: all ink lies within the margins.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "print/paper_size.h"
#include "print/type.h"
#include "view/print/document.h"

namespace tilewalk {

struct SheetSize {
  double width = 0, height = 0;
};
SheetSize size_of(PaperSize);
inline constexpr double kMargin = 42.5;  // 15 mm

inline constexpr double kSentenceType = 8.5, kLineHeight = 1.3;  // of its size
inline constexpr unsigned kBlackInk = 0x000000, kGreyInk = 0x5a5a5a, kLineInk = 0x8a8a8a, kShadeInk = 0xf1f3f6;

struct InkText {
  double x = 0, y = 0;  // the start of its base line
  Face face = Face::Body;
  double size = 0;
  std::string text;
  unsigned colour = 0;  // 0xRRGGBB
};
struct InkBox {  // filled, framed, or both
  double x = 0, y = 0, width = 0, height = 0;
  std::optional<unsigned> fill = {}, frame = {};
};
struct InkLine {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  unsigned colour = 0;
  double width = 0.6;
  bool dashed = false;
};
struct InkMark {  // on white, so that a line does not run through it
  double x = 0, y = 0, radius = 3;
  PrintMark mark{};
};
using Ink = std::variant<InkText, InkBox, InkLine, InkMark>;

// A part that is not torn: ink from its own upper left corner.
struct PrintPiece {
  double height = 0, gap = 0;  // gap: above it, but at the top of a sheet
  bool with_next = false;
  std::vector<Ink> ink;
};

struct PrintPage {
  std::vector<Ink> ink;
};

// The sheets of one document after those of another; page numbers count from 1 in each.
std::vector<PrintPage> lay_out(std::span<const PrintDocument>, PaperSize, const Type&);

// Rows of tables, side by side as far as the width goes.
std::vector<PrintPiece> lay_out_tables(const std::vector<PrintTable>&, double width, const Type&);

std::vector<PrintPiece> lay_out_grid(const PrintGrid&, double width, const Type&);
PrintPiece lay_out_box(const PrintBox&, double width, const Type&);
PrintPiece lay_out_chart(const PrintChart&, double width, const Type&);

}  // namespace tilewalk
