// Comma-separated values: the fields of a record as RFC 4180 has them, and the lines of a measurement file. What such a
// file may hold, so that reading one costs little more than its size: kMaxCsvBytes, a few fields a line, letters that
// show.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/shown.h"

namespace tilewalk {

inline constexpr std::int64_t kMaxCsvBytes = 4 << 20;
inline constexpr std::size_t kMaxCsvRemarks = 1000;  // lines that say where and when it was measured

// Line after line, with its number from 1; line ends of Unix or Windows; skips empty lines.
class CsvLines {
 public:
  explicit CsvLines(std::string_view text) : rest_(text) {}
  std::size_t number() const { return number_; }
  std::string_view line() const { return line_; }
  bool shows() const { return is_showable(line_); }  // no control characters, no bytes that are not UTF-8
  bool next() {
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      line_ = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++number_;
      if (line_.ends_with('\r')) line_.remove_suffix(1);
      if (!line_.empty()) return true;
    }
    return false;
  }

 private:
  std::string_view rest_, line_;
  std::size_t number_ = 0;
};

// The fields of one record, byte after byte: between commas, in quotes where they hold commas, line ends or quotes.
class CsvRecord {
 public:
  enum class Took { More, Record, TooMany };  // Record: it ends with this byte; TooMany: a field past the most allowed

  explicit CsvRecord(std::size_t most_fields) : most_(most_fields) {}
  void clear() { fields_.assign(1, ""), quoted_ = after_quote_ = false; }
  Took take(char c);
  bool in_quotes() const { return quoted_ && !after_quote_; }
  const std::vector<std::string>& fields() const { return fields_; }

 private:
  std::size_t most_;
  std::vector<std::string> fields_ = {""};
  bool quoted_ = false, after_quote_ = false;
};

// The fields of a line. A line of more than `most` fields gives one field too many.
std::vector<std::string> csv_fields(std::string_view line, std::size_t most = 64);

// A file of measurements: remarks ("# key: value"; other lines that begin with # are skipped), the lines that name the
// columns, then rows. Both functions return why a line is refused, or nothing.
struct CsvTable {
  std::vector<std::string_view> columns;  // one line, or two where the file has two kinds of rows
  std::function<std::string(std::string_view key, std::string_view value)> remark = {};
  // With one line of columns, a row has as many fields.
  std::function<std::string(const std::vector<std::string>&)> row;
  const char* way_out = "Restore the file";
};
// An issue names the file and the line.
Result<Done> read_csv_table(std::string_view text, const std::string& name, const CsvTable&);

// Keeps a remark; returns why it is refused: there are more than kMaxCsvRemarks.
std::string keep_remark(std::map<std::string, std::string>& remarks, std::string_view key, std::string_view value);

}  // namespace tilewalk
