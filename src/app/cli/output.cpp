#include "app/cli/output.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "app/jobs/long_work.h"
#include "app/streams.h"
#include "base/parse.h"
#include "base/shown.h"
#include "base/words.h"

namespace tilewalk {
namespace {

Json not_finite(double value) { return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf"; }

}  // namespace

Json json_number(float value) {
  if (!std::isfinite(value)) return not_finite(value);
  char buffer[40];
  const char* const end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return *parse_real({buffer, std::size_t(end - buffer)});
}

Json json_number(double value) { return std::isfinite(value) ? Json(value) : not_finite(value); }

Json json_rows(const std::vector<float>& values, std::int64_t cols) {
  Json rows = Json::array();
  for (std::size_t at = 0; cols > 0 && at < values.size(); at += std::size_t(cols)) {
    Json row = Json::array();
    for (std::int64_t c = 0; c < cols; ++c) row.push_back(json_number(values[at + std::size_t(c)]));
    rows.push_back(std::move(row));
  }
  return rows;
}

Json json_counters(const Cost& cost, const Cost& whole_run) {
  Json hbm = Json::object();
  for (int i = 0; i < kTensorCount; ++i) {
    const Traffic& whole = whole_run.hbm[std::size_t(i)];
    const Traffic& traffic = cost.hbm[std::size_t(i)];
    if (whole.read_bytes || whole.write_bytes)
      hbm[kTensorNames[std::size_t(i)]] = {{"read_bytes", traffic.read_bytes}, {"write_bytes", traffic.write_bytes}};
  }
  const Traffic total = cost.hbm_total();
  return {{"hbm", std::move(hbm)},
          {"hbm_total", {{"read_bytes", total.read_bytes}, {"write_bytes", total.write_bytes}}},
          {"sram", {{"read_bytes", cost.sram.read_bytes}, {"write_bytes", cost.sram.write_bytes}}},
          {"flops", {{"matmul", cost.matmul}, {"exp", cost.exp}, {"other", cost.other}}}};
}

Json json_accuracy(const AccuracyReport& report) {
  Json tensors = Json::object();
  for (const QuantityError& q : report.quantities)
    tensors[name_of(q.tensor)] = {{"error", json_number(q.error)},
                                  {"plain_error", json_number(q.plain)},
                                  {"floor", json_number(q.floor)},
                                  {"bound", json_number(q.bound)},
                                  {"rows", q.rows},
                                  {"of_rows", q.of_rows}};
  Json json = {{"verdict", name_of(report.verdict)}, {"tensors", std::move(tensors)}};
  if (!report.reason.empty()) json["reason"] = report.reason;
  return json;
}

// Invisible characters become JSON's own escapes.
void print_json(const Json& json) {
  std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace);
  if (shown_lines(text) != text) text = json.dump(2, ' ', true, Json::error_handler_t::replace);
  to_stdout(text + "\n");
}

int refuse(const Issues& issues) {
  for (const std::string& line : lines_of(issues)) complain(line);
  return kExitBadInput;
}

int interrupted_exit() {
  complain("interrupted");
  return interrupted_code();
}

std::string wrapped(const std::string& text, const std::string& first) {
  constexpr std::size_t kColumns = 78;
  const std::string indent(character_count(first), ' ');
  std::string out, line = first;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    const bool empty = character_count(line) <= indent.size();
    if (!empty && character_count(line) + 1 + character_count(word) > kColumns) {
      out += line + "\n";
      line = indent + word;
    } else {
      line += (empty ? "" : " ") + word;
    }
    begin = end + 1;
  }
  return out + line + "\n";
}

std::string table_text(const std::vector<std::string>& heads, const std::vector<std::vector<std::string>>& rows,
                       const std::string& indent) {
  std::vector<std::size_t> widths;
  for (const std::string& head : heads) widths.push_back(character_count(head));
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size() && c < widths.size(); ++c)
      widths[c] = std::max(widths[c], character_count(row[c]));
  std::string out;
  auto line = [&](const std::vector<std::string>& cells) {
    out += indent;
    for (std::size_t c = 0; c < cells.size() && c < widths.size(); ++c)
      out += std::string(widths[c] - character_count(cells[c]) + (c ? 2 : 0), ' ') + cells[c];
    out += '\n';
  };
  line(heads);
  for (const auto& row : rows) line(row);
  return out;
}

}  // namespace tilewalk
