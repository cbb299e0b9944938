#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/overloaded.h"
#include "base/words.h"
#include "view/print/document.h"

namespace tilewalk {
namespace {

constexpr const char* kBlank = "____";

std::string right(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, character_count(text)), ' ') + text;
}

std::string table_lines(const PrintTable& table) {
  std::size_t label = 0, cell = 0;
  for (const std::string& row : table.rows) label = std::max(label, character_count(row));
  for (const std::string& column : table.columns) cell = std::max(cell, character_count(column));
  for (const auto& row : table.cells)
    for (const std::string& text : row) cell = std::max(cell, character_count(text.empty() ? kBlank : text));
  std::string out = "  " + table.caption + "\n";
  const auto line = [&](const std::string& head, const std::vector<std::string>& cells) {
    out += "    " + right(head, label);
    for (const std::string& text : cells) out += "  " + right(text, cell);
    out += "\n";
  };
  if (!table.columns.empty()) line("", table.columns);
  for (std::size_t r = 0; r < table.cells.size(); ++r) {
    std::vector<std::string> cells = table.cells[r];
    for (std::string& text : cells)
      if (text.empty()) text = kBlank;
    line(table.rows[r], cells);
  }
  return out;
}

std::string left(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, character_count(text)), ' ');
}

std::string box_lines(const PrintBox& box) {
  std::string out;
  for (const PrintBox::Part& part : box.parts) {
    out += "  " + part.title + "\n";
    for (const std::string& line : part.lines) out += "    " + line + "\n";
  }
  return out;
}

// A grid to fill in is written as a table; sentences are written one below the other, with the column's heading.
std::string grid_lines(const PrintGrid& grid) {
  std::string out;
  if (!grid.to_fill) {
    for (const auto& row : grid.rows) {
      for (std::size_t c = 0; c < row.size(); ++c)
        if (!row[c].empty()) out += (c ? "    " : "  ") + grid.columns[c].title + ": " + one_line(row[c]) + "\n";
      out += "\n";
    }
    return out;
  }
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < grid.columns.size(); ++c) {
    widths.push_back(character_count(grid.columns[c].title));
    for (const auto& row : grid.rows)
      widths[c] = std::max(widths[c], character_count(row[c].empty() ? kBlank : row[c]));
  }
  const auto line = [&](const auto& text_at) {
    std::string text = " ";
    for (std::size_t c = 0; c < grid.columns.size(); ++c)
      text += " " + (grid.columns[c].number ? right(text_at(c), widths[c]) : left(text_at(c), widths[c])) + " ";
    text.resize(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  };
  line([&](std::size_t c) { return grid.columns[c].title; });
  for (const auto& row : grid.rows) line([&](std::size_t c) { return row[c].empty() ? kBlank : row[c]; });
  return out;
}

std::string chart_lines(const PrintChart& chart) {
  const auto power = [](int exponent) { return fmt::format("{:g}", std::pow(10.0, exponent)); };
  std::string out =
      fmt::format("  log-log paper: {} from {} to {}, {} from {} to {}\n", chart.x_title, power(chart.x_low),
                  power(chart.x_high), chart.y_title, power(chart.y_low), power(chart.y_high));
  for (const PrintChart::Line& line : chart.lines)
    out += fmt::format("    line {}: from {:.3g}, {:.3g} to {:.3g}, {:.3g}\n", line.label, line.x0, line.y0, line.x1,
                       line.y1);
  for (const PrintChart::Point& point : chart.points)
    out += fmt::format("    point {}: {:.3g}, {:.3g}\n", point.label, point.x, point.y);
  return out;
}

}  // namespace

std::string document_text(const PrintDocument& document) {
  std::string out = fmt::format("{} · {}\n", document.title, document.label);
  for (const PrintBlock& block : document.blocks)
    std::visit(Overloaded{[&](const PrintHeading& heading) {
                            out += fmt::format("\n== {}{}\n", heading.text,
                                               heading.note.empty() ? "" : " · " + heading.note);
                          },
                          [&](const PrintFields& fields) {
                            for (const std::string& name : fields.names) out += name + " ____________________  ";
                            out.resize(out.find_last_not_of(' ') + 1);
                            out += "\n";
                          },
                          [&](const PrintLines& lines) {
                            for (const std::string& line : lines.lines)
                              out += (lines.formulas ? "  " : "") + line + "\n";
                          },
                          [&](const PrintTables& tables) {
                            for (const PrintTable& table : tables.tables) out += table_lines(table);
                          },
                          [&](const PrintBox& box) { out += box_lines(box); },
                          [&](const PrintGrid& grid) { out += grid_lines(grid); },
                          [&](const PrintChart& chart) { out += chart_lines(chart); }},
               block);
  return out;
}

}  // namespace tilewalk
