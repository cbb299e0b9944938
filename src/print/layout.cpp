#include "print/layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/overloaded.h"

namespace tilewalk {
namespace {

constexpr double kTitle = 16, kHeading = 11, kBody = 9.5, kNote = 8.5, kFormula = 8.5, kFoot = 8;
constexpr double kMostEmpty = 0.45;                  // of a sheet
constexpr double kFootHeight = 22, kHalfLine = 0.5;  // may lie outside a box

void put(std::vector<Ink>& page, const std::vector<Ink>& ink, double x, double y) {
  for (Ink each : ink) {
    std::visit(
        Overloaded{[&](InkText& text) { text.x += x, text.y += y; }, [&](InkBox& box) { box.x += x, box.y += y; },
                   [&](InkLine& line) { line.x0 += x, line.x1 += x, line.y0 += y, line.y1 += y; },
                   [&](InkMark& mark) { mark.x += x, mark.y += y; }},
        each);
    page.push_back(std::move(each));
  }
}

class Compositor {
 public:
  Compositor(const SheetSize& sheet, const Type& type) : sheet_(sheet), type_(type) {}

  std::vector<PrintPage> pages_of(const PrintDocument& document) {
    pages_ = std::vector<PrintPage>(1);
    y_ = top();
    std::vector<PrintPiece> group;
    lines({document.title}, Face::Strong, kTitle, 0, group);
    for (const PrintBlock& block : document.blocks) {
      if (std::holds_alternative<PrintHeading>(block)) set(group);
      add(block, group);
    }
    set(group);
    number(document);
    return std::move(pages_);
  }

 private:
  double left() const { return kMargin + kHalfLine; }
  double width() const { return sheet_.width - 2 * left(); }
  double top() const { return kMargin + kHalfLine; }
  double bottom() const { return sheet_.height - kMargin - kFootHeight; }

  void lines(const std::vector<std::string>& texts, Face face, double size, double gap, std::vector<PrintPiece>& out,
             unsigned colour = kBlackInk) {
    for (const std::string& text : texts)
      for (const std::string& line : type_.wrapped(face, size, text, width())) {
        out.push_back({.height = size * kLineHeight, .gap = gap, .with_next = false, .ink = {}});
        out.back().ink.emplace_back(InkText{0, size, face, size, line, colour});
      }
  }

  void add(const PrintBlock& block, std::vector<PrintPiece>& out) {
    std::visit(
        Overloaded{[&](const PrintHeading& heading) {
                     PrintPiece piece{.height = kHeading * 1.4, .gap = 13, .with_next = true, .ink = {}};
                     piece.ink.emplace_back(InkText{0, kHeading, Face::Strong, kHeading, heading.text, kBlackInk});
                     const double after = type_.width(Face::Strong, kHeading, heading.text) + 8;
                     if (!heading.note.empty())
                       piece.ink.emplace_back(InkText{after, kHeading, Face::Body, kNote, heading.note, kGreyInk});
                     out.push_back(std::move(piece));
                   },
                   [&](const PrintFields& fields) { add_fields(fields, out); },
                   [&](const PrintLines& text) {
                     lines(text.lines, text.formulas ? Face::Mono : Face::Body, text.formulas ? kFormula : kBody, 2,
                           out, text.formulas ? kBlackInk : kGreyInk);
                   },
                   [&](const PrintTables& tables) {
                     for (PrintPiece& piece : lay_out_tables(tables.tables, width(), type_))
                       out.push_back(std::move(piece));
                   },
                   [&](const PrintBox& box) { out.push_back(lay_out_box(box, width(), type_)); },
                   [&](const PrintGrid& grid) {
                     for (PrintPiece& piece : lay_out_grid(grid, width(), type_)) out.push_back(std::move(piece));
                   },
                   [&](const PrintChart& chart) { out.push_back(lay_out_chart(chart, width(), type_)); }},
        block);
  }

  void add_fields(const PrintFields& fields, std::vector<PrintPiece>& out) {
    PrintPiece piece{.height = 20, .gap = 8, .with_next = false, .ink = {}};
    const double each = width() / double(std::max<std::size_t>(1, fields.names.size()));
    for (std::size_t i = 0; i < fields.names.size(); ++i) {
      const double x = double(i) * each;
      piece.ink.emplace_back(InkText{x, 14, Face::Body, kBody, fields.names[i], kGreyInk});
      const double from = x + type_.width(Face::Body, kBody, fields.names[i]) + 6;
      piece.ink.emplace_back(InkLine{from, 16, x + each - (i + 1 < fields.names.size() ? 12 : 0), 16, kLineInk});
    }
    out.push_back(std::move(piece));
  }

  double height_of(const std::vector<PrintPiece>& pieces, std::size_t begin, std::size_t end) const {
    double height = 0;
    for (std::size_t i = begin; i < end; ++i) height += pieces[i].height + pieces[i].gap;
    return height;
  }

  bool at_top() const { return y_ <= top(); }

  void turn() {
    pages_.emplace_back();
    y_ = top();
  }

  // Sets what is between two headings: whole on this sheet, else on the next. Piece by piece where it is larger than a
  // sheet, or where much of this one would stay empty.
  void set(std::vector<PrintPiece>& group) {
    const double whole = height_of(group, 0, group.size());
    const double sheet = bottom() - top(), left_over = bottom() - y_;
    if (whole > left_over && whole <= sheet && left_over < kMostEmpty * sheet && !at_top()) turn();
    for (std::size_t i = 0; i < group.size(); ++i) {
      std::size_t end = i + 1;
      while (end < group.size() && group[end - 1].with_next) ++end;
      if (y_ + height_of(group, i, end) > bottom() && !at_top()) turn();
      if (!at_top()) y_ += group[i].gap;
      put(pages_.back().ink, group[i].ink, left(), y_);
      y_ += group[i].height;
    }
    group.clear();
  }

  void number(const PrintDocument& document) {
    const double y = sheet_.height - kMargin - 4;
    for (std::size_t i = 0; i < pages_.size(); ++i) {
      const std::string place = fmt::format("{} · page {} of {}", document.label, i + 1, pages_.size());
      const double at = width() - type_.width(Face::Body, kFoot, place);
      std::vector<Ink> foot = {InkText{at, y, Face::Body, kFoot, place, kGreyInk},
                               InkLine{0, y - 11, width(), y - 11, kLineInk}};
      const std::vector<std::string> parts = type_.wrapped(Face::Body, kFoot, document.foot, at - 12);
      foot.emplace_back(InkText{0, y, Face::Body, kFoot, parts.front(), kGreyInk});
      put(pages_[i].ink, foot, left(), 0);
    }
  }

  SheetSize sheet_;
  const Type& type_;
  std::vector<PrintPage> pages_;
  double y_ = 0;
};

}  // namespace

SheetSize size_of(PaperSize size) { return size == PaperSize::A4 ? SheetSize{595.28, 841.89} : SheetSize{612, 792}; }

std::vector<PrintPage> lay_out(std::span<const PrintDocument> documents, PaperSize size, const Type& type) {
  std::vector<PrintPage> out;
  for (const PrintDocument& document : documents)
    for (PrintPage& page : Compositor(size_of(size), type).pages_of(document)) out.push_back(std::move(page));
  return out;
}

}  // namespace tilewalk
