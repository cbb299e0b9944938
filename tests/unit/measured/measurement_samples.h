// Files of raw samples in assets/measurements: a row a sample, its number and its value in the last two columns.
#pragma once

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/predict/attention_call.h"
#include "files/csv.h"
#include "files/file_io.h"
#include "tests/support/catch.h"

namespace tilewalk::test {

// The samples in ascending order, by the columns before these two. wanted: true for the rows to take.
template <class Wanted>
std::map<std::vector<std::string>, std::vector<double>> samples_by_row(const std::string& file, std::size_t most_fields,
                                                                       const Wanted& wanted) {
  const std::string path = std::string(TILEWALK_SOURCE_DIR) + "/assets/measurements/" + file;
  const Result<std::string> text = read_text_file(path, kMaxCsvBytes);
  REQUIRE(text);
  std::map<std::vector<std::string>, std::vector<double>> samples;
  CsvLines lines(*text);
  while (lines.next()) {
    std::vector<std::string> fields = csv_fields(lines.line(), most_fields);
    if (!wanted(fields)) continue;
    const double value = std::stod(fields.back());
    fields.resize(fields.size() - 2);
    samples[fields].push_back(value);
  }
  for (auto& [row, values] : samples) std::sort(values.begin(), values.end());
  return samples;
}

// columns: d, heads, kv_heads, batch, n_q, n_kv, causal.
inline AttentionCall call_of(std::span<const std::string> columns) {
  AttentionCall call;
  call.d = std::stoll(columns[0]), call.heads = std::stoll(columns[1]), call.kv_heads = std::stoll(columns[2]);
  call.batch = std::stoll(columns[3]), call.n = std::stoll(columns[4]), call.n_kv = std::stoll(columns[5]);
  call.causal = columns[6] == "1";
  REQUIRE(why_no_call(call).empty());
  return call;
}

}  // namespace tilewalk::test
