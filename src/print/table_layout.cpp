#include <algorithm>

#include "print/layout.h"
#include "view/hues.h"

namespace tilewalk {
namespace {

constexpr double kNumber = 9, kLongNumber = 7, kSmall = 7.5, kCaption = 9;
constexpr double kLeastBox = 35, kBoxHeight = 20, kGivenHeight = 14;  // a box that a pencil fills: 12 × 7 mm
constexpr double kPad = 4, kBetween = 13, kCaptionHeight = 14, kHeadHeight = 11, kGapAbove = 7;
constexpr double kHueWidth = 3;

struct Measured {
  double label = 0, cell = 0, row = 0, width = 0, number = kNumber;
  double heads = 0, boxes = 0;  // heights
};

bool has_long_numbers(const PrintTable& table) {
  constexpr std::size_t kLong = 8;  // bytes
  for (const auto& row : table.cells)
    for (const std::string& cell : row)
      if (cell.size() > kLong) return true;
  return false;
}

Measured measure(const PrintTable& table, double most, const Type& type) {
  Measured m;
  for (const std::string& row : table.rows) m.label = std::max(m.label, type.width(Face::Mono, kSmall, row) + kPad);
  if (table.given && has_long_numbers(table)) m.number = kLongNumber;
  double text = type.width(Face::Mono, m.number, table.widest);
  for (const auto& row : table.cells)
    for (const std::string& cell : row) text = std::max(text, type.width(Face::Mono, m.number, cell));
  m.cell = text + 2 * kPad;
  for (const std::string& column : table.columns)
    m.cell = std::max(m.cell, type.width(Face::Mono, kSmall, column) + kPad);
  if (!table.given) m.cell = std::max(m.cell, kLeastBox);
  const double columns = table.cells.empty() ? 0 : double(table.cells.front().size());
  if (m.label + columns * m.cell > most && columns > 0) {  // smaller numbers, so that they fit
    const double cell = (most - m.label) / columns;
    m.number *= std::min(1.0, (cell - kPad) / text);
    m.cell = cell;
  }
  m.row = table.given ? kGivenHeight : kBoxHeight;
  const double caption = kHueWidth + kPad + type.width(Face::Strong, kCaption, table.caption);
  m.width = std::max(m.label + columns * m.cell, m.label + caption);
  m.heads = kCaptionHeight + (table.columns.empty() ? 0 : kHeadHeight);
  m.boxes = double(table.cells.size()) * m.row;
  return m;
}

// Its boxes begin at `boxes`, its heads are above them.
void draw(const PrintTable& table, const Measured& m, double x, double boxes, const Type& type, std::vector<Ink>& ink) {
  const double left = x + m.label;
  double y = boxes - m.heads;
  if (table.hue) ink.emplace_back(InkBox{left, y + 2, kHueWidth, 9, hue_of(*table.hue), std::nullopt});
  ink.emplace_back(
      InkText{left + (table.hue ? kHueWidth + kPad : 0), y + 10, Face::Strong, kCaption, table.caption, kBlackInk});
  y += kCaptionHeight;
  const auto middle = [&](double size, const std::string& text, std::size_t c) {
    return left + double(c) * m.cell + (m.cell - type.width(Face::Mono, size, text)) / 2;
  };
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    ink.emplace_back(
        InkText{middle(kSmall, table.columns[c], c), y + 8, Face::Mono, kSmall, table.columns[c], kGreyInk});
  if (!table.columns.empty()) y += kHeadHeight;
  for (std::size_t r = 0; r < table.cells.size(); ++r, y += m.row) {
    const std::string& label = table.rows[r];
    const double base = y + m.row / 2;
    ink.emplace_back(InkText{left - kPad - type.width(Face::Mono, kSmall, label), base + kSmall * 0.36, Face::Mono,
                             kSmall, label, kGreyInk});
    for (std::size_t c = 0; c < table.cells[r].size(); ++c) {
      const std::optional<unsigned> fill = table.given ? std::optional(kShadeInk) : std::nullopt;
      ink.emplace_back(InkBox{left + double(c) * m.cell, y, m.cell, m.row, fill, kLineInk});
      const std::string& text = table.cells[r][c];
      if (!text.empty())
        ink.emplace_back(
            InkText{middle(m.number, text, c), base + m.number * 0.36, Face::Mono, m.number, text, kBlackInk});
    }
  }
}

}  // namespace

std::vector<PrintPiece> lay_out_tables(const std::vector<PrintTable>& tables, double width, const Type& type) {
  std::vector<Measured> measured;
  for (const PrintTable& table : tables) measured.push_back(measure(table, width, type));
  std::vector<PrintPiece> out;
  for (std::size_t begin = 0, end = 0; begin < tables.size(); begin = end) {
    double across = 0, heads = 0, boxes = 0;
    for (end = begin; end < tables.size() && (end == begin || across + measured[end].width <= width); ++end) {
      across += measured[end].width + kBetween;
      heads = std::max(heads, measured[end].heads);
      boxes = std::max(boxes, measured[end].boxes);
    }
    out.push_back({.height = heads + boxes, .gap = kGapAbove, .with_next = false, .ink = {}});
    double x = 0;
    for (std::size_t i = begin; i < end; x += measured[i].width + kBetween, ++i)
      draw(tables[i], measured[i], x, heads, type, out.back().ink);
  }
  return out;
}

}  // namespace tilewalk
