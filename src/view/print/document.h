// The contents of a print before the sheet's size is known: blocks in the order of reading. Worksheets and teacher's
// pages fill them; print/ draws them, document_text writes them as plain text. Invariant: a table has rows × columns
// cells; an empty cell is a box to write in.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/problem/tensor.h"

namespace tilewalk {

struct PrintHeading {
  std::string text, note;  // the note follows the text, in small type
};

struct PrintFields {
  std::vector<std::string> names;  // each with a line to write on
};

struct PrintLines {
  std::vector<std::string> lines;
  bool formulas = false;  // in the typeface of numbers
};

struct PrintTable {
  std::string caption;
  std::vector<std::string> columns;  // headings; empty: no heading line
  std::vector<std::string> rows;
  std::vector<std::vector<std::string>> cells;
  bool given = false;           // to read, not to write in
  std::string widest;           // the widest text of any cell, so that sheet and key are equally wide
  std::optional<TensorId> hue;  // of a tensor that has its own colour
};

struct PrintTables {  // side by side if the sheet is wide enough
  std::vector<PrintTable> tables;
};

struct PrintBox {  // framed; its parts are side by side
  struct Part {
    std::string title;
    std::vector<std::string> lines;
    double share = 1;  // of the width
  };
  std::vector<Part> parts;
};

struct PrintGrid {  // words in columns, wrapped at the column's end; '\n' starts a new line
  struct Column {
    std::string title;
    double share = 1;  // of the width
    bool number = false;
  };
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
  bool to_fill = false;  // an empty cell is a box to write in
};

enum class PrintMark { Ring, Square, Triangle };
struct PrintChart {  // log-log paper: whole decades on both axes, with the lines of 2 to 9 between them
  std::string x_title, y_title;
  int x_low = 0, x_high = 0, y_low = 0, y_high = 0;  // powers of ten at the edges
  struct Line {
    double x0 = 1, y0 = 1, x1 = 1, y1 = 1;
    std::string label;   // at the right end of a level line, level lines from above; above a slope
    bool lower = false;  // below the roof: dashed
  };
  struct Point {
    double x = 1, y = 1;
    PrintMark mark{};
    std::string label;
  };
  std::vector<Line> lines;
  std::vector<Point> points;
};

using PrintBlock = std::variant<PrintHeading, PrintFields, PrintLines, PrintTables, PrintBox, PrintGrid, PrintChart>;

struct PrintDocument {
  std::string title;
  std::string label;  // before the page number: "seed 12"
  std::string foot;   // at the left of the page number
  std::vector<PrintBlock> blocks;
};

// The same as plain text for a terminal, with blanks as "____".
std::string document_text(const PrintDocument&);

}  // namespace tilewalk
