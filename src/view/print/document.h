// What stands on a print, before anybody knows how large a sheet is: blocks in the order in which they are read. A
// worksheet fills them, and so may a teacher's page. print/ draws them, document_text writes them as plain text.
// Invariant: a table's cells are as many as its rows and columns; an empty cell is a box to write in.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/problem/tensor.h"

namespace tilewalk {

struct PrintHeading {
  std::string text, note;  // the note stands behind it, small
};

struct PrintFields {
  std::vector<std::string> names;  // each with a line to write on
};

struct PrintLines {
  std::vector<std::string> lines;
  bool formulas = false;  // in the type of numbers
};

struct PrintTable {
  std::string caption;
  std::vector<std::string> columns;  // their heads; none: no such line
  std::vector<std::string> rows;
  std::vector<std::vector<std::string>> cells;
  bool given = false;           // to read, not to write in
  std::string widest;           // of what a cell could hold: sheet and key are as wide
  std::optional<TensorId> hue;  // of a tensor with a colour of its own
};

struct PrintTables {  // side by side as far as a sheet is wide
  std::vector<PrintTable> tables;
};

struct PrintBox {  // framed, its parts side by side
  struct Part {
    std::string title;
    std::vector<std::string> lines;
    double share = 1;  // of the width
  };
  std::vector<Part> parts;
};

struct PrintGrid {  // words in columns, broken where a column ends; a line end begins another line
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
struct PrintChart {  // log-log paper: whole decades each way, with the lines of 2 to 9 between them
  std::string x_title, y_title;
  int x_low = 0, x_high = 0, y_low = 0, y_high = 0;  // powers of ten at its edges
  struct Line {
    double x0 = 1, y0 = 1, x1 = 1, y1 = 1;
    std::string label;   // beside its right end, level lines from above; of a slope above it
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
  std::string foot;   // at the left of it
  std::vector<PrintBlock> blocks;
};

// For a terminal: the same in plain text, blanks as "____".
std::string document_text(const PrintDocument&);

}  // namespace tilewalk
