#include <algorithm>
#include <numeric>

#include "print/layout.h"

namespace tilewalk {
namespace {

constexpr double kCellPad = 4, kColumnHead = 7.5, kGridGap = 6, kBoxPad = 7, kBetweenParts = 16, kFillHeight = 19;
constexpr double kPartTitle = 9;

std::vector<double> widths_of(const std::vector<double>& shares, double width) {
  const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
  std::vector<double> out;
  for (const double share : shares) out.push_back(width * share / all);
  return out;
}

std::vector<std::string> lines_in(const std::string& text, double width, const Type& type) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    for (std::string& line : type.wrapped(Face::Body, kSentenceType, text.substr(at, end - at), width))
      out.push_back(std::move(line));
    at = end + 1;
  }
  return out;
}

}  // namespace

std::vector<PrintPiece> lay_out_grid(const PrintGrid& grid, double width, const Type& type) {
  std::vector<double> shares;
  for (const PrintGrid::Column& column : grid.columns) shares.push_back(column.share);
  const std::vector<double> widths = widths_of(shares, width);
  std::vector<PrintPiece> out;
  out.push_back({.height = kColumnHead * 1.7, .gap = kGridGap, .with_next = true, .ink = {}});
  double x = 0;
  for (std::size_t c = 0; c < widths.size(); x += widths[c++]) {
    const std::string& title = grid.columns[c].title;
    const double indent =
        grid.columns[c].number ? widths[c] - kCellPad - type.width(Face::Body, kColumnHead, title) : kCellPad;
    out.back().ink.emplace_back(InkText{x + indent, kColumnHead, Face::Body, kColumnHead, title, kGreyInk});
  }
  for (const std::vector<std::string>& row : grid.rows) {
    std::vector<std::vector<std::string>> cells;
    std::size_t most = 1;
    for (std::size_t c = 0; c < widths.size(); ++c) {
      cells.push_back(lines_in(row[c], widths[c] - 2 * kCellPad, type));
      most = std::max(most, cells.back().size());
    }
    const double line = kSentenceType * kLineHeight, text = double(most) * line;
    const double high = grid.to_fill ? std::max(kFillHeight, text + 2 * kCellPad) : text + 1.5 * kCellPad;
    out.push_back({.height = high, .gap = 0, .with_next = false, .ink = {}});
    std::vector<Ink>& ink = out.back().ink;
    if (!grid.to_fill) ink.emplace_back(InkLine{0, 0, width, 0, kLineInk});
    x = 0;
    for (std::size_t c = 0; c < widths.size(); x += widths[c++]) {
      if (grid.to_fill) {
        const auto fill = row[c].empty() ? std::nullopt : std::optional(kShadeInk);
        ink.emplace_back(InkBox{x, 0, widths[c], high, fill, kLineInk});
      }
      double y = (grid.to_fill ? (high - text) / 2 : kCellPad * 0.75) + kSentenceType;
      for (const std::string& words : cells[c]) {
        const double indent =
            grid.columns[c].number ? widths[c] - kCellPad - type.width(Face::Body, kSentenceType, words) : kCellPad;
        ink.emplace_back(InkText{x + indent, y, Face::Body, kSentenceType, words, kBlackInk});
        y += line;
      }
    }
  }
  out.back().height += kCellPad;
  return out;
}

PrintPiece lay_out_box(const PrintBox& box, double width, const Type& type) {
  std::vector<double> shares;
  for (const PrintBox::Part& part : box.parts) shares.push_back(part.share);
  const double inner = width - 2 * kBoxPad - kBetweenParts * double(std::max<std::size_t>(1, shares.size()) - 1);
  const std::vector<double> widths = widths_of(shares, inner);
  PrintPiece out{.height = 0, .gap = kGridGap, .with_next = false, .ink = {}};
  double x = kBoxPad;
  for (std::size_t i = 0; i < box.parts.size(); x += widths[i++] + kBetweenParts) {
    double y = kBoxPad + kPartTitle;
    out.ink.emplace_back(InkText{x, y, Face::Strong, kPartTitle, box.parts[i].title, kBlackInk});
    y += kPartTitle * 0.4;
    for (const std::string& text : box.parts[i].lines)
      for (const std::string& words : type.wrapped(Face::Body, kSentenceType, text, widths[i])) {
        y += kSentenceType * kLineHeight;
        out.ink.emplace_back(InkText{x, y, Face::Body, kSentenceType, words, kBlackInk});
      }
    out.height = std::max(out.height, y + kBoxPad);
  }
  out.ink.insert(out.ink.begin(), InkBox{0, 0, width, out.height, kShadeInk, kLineInk});
  return out;
}

}  // namespace tilewalk
