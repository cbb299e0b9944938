// Files of raw samples in assets/measurements: a row a sample, its number and its value in the last two columns.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

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

}  // namespace tilewalk::test
