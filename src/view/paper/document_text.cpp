#include <fmt/format.h>

#include <algorithm>

#include "base/overloaded.h"
#include "view/paper/document.h"

namespace tilewalk {
namespace {

constexpr const char* kBlank = "____";

std::size_t width_of(const std::string& text) {
  return std::size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string right(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, width_of(text)), ' ') + text;
}

std::string table_lines(const PaperTable& table) {
  std::size_t label = 0, cell = 0;
  for (const std::string& row : table.rows) label = std::max(label, width_of(row));
  for (const std::string& column : table.columns) cell = std::max(cell, width_of(column));
  for (const auto& row : table.cells)
    for (const std::string& text : row) cell = std::max(cell, width_of(text.empty() ? kBlank : text));
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

}  // namespace

std::string document_text(const PaperDocument& document) {
  std::string out = fmt::format("{} · {}\n", document.title, document.label);
  for (const PaperBlock& block : document.blocks)
    std::visit(Overloaded{[&](const PaperHeading& heading) {
                            out += fmt::format("\n== {}{}\n", heading.text,
                                               heading.note.empty() ? "" : " · " + heading.note);
                          },
                          [&](const PaperFields& fields) {
                            for (const std::string& name : fields.names) out += name + " ____________________  ";
                            out.resize(out.find_last_not_of(' ') + 1);
                            out += "\n";
                          },
                          [&](const PaperLines& lines) {
                            for (const std::string& line : lines.lines)
                              out += (lines.formulas ? "  " : "") + line + "\n";
                          },
                          [&](const PaperTables& tables) {
                            for (const PaperTable& table : tables.tables) out += table_lines(table);
                          }},
               block);
  return out;
}

}  // namespace tilewalk
