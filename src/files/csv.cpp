#include "files/csv.h"

#include "base/units.h"

namespace tilewalk {

CsvRecord::Took CsvRecord::take(char c) {
  if (after_quote_) {  // a quote in quotes, or their end
    after_quote_ = false;
    if (c == '"') {
      fields_.back() += c;
      return Took::More;
    }
    quoted_ = false;
  }
  if (quoted_) {
    if (c == '"')
      after_quote_ = true;
    else
      fields_.back() += c;
  } else if (c == '"' && fields_.back().empty()) {
    quoted_ = true;
  } else if (c == ',') {
    if (fields_.size() == most_) return Took::TooMany;
    fields_.emplace_back();
  } else if (c == '\n') {
    return Took::Record;
  } else if (c != '\r') {
    fields_.back() += c;
  }
  return Took::More;
}

std::vector<std::string> csv_fields(std::string_view line, std::size_t most) {
  if (line.find_first_of("\"\r\n") == std::string_view::npos) {  // only commas matter
    std::vector<std::string> fields;
    for (std::size_t from = 0; from <= line.size() && fields.size() <= most;) {
      const std::size_t comma = std::min(line.find(',', from), line.size());
      fields.emplace_back(line.substr(from, comma - from));
      from = comma + 1;
    }
    return fields;
  }
  CsvRecord record(most + 1);
  for (const char c : line)
    if (record.take(c) != CsvRecord::Took::More) break;
  return record.fields();
}

Result<Done> read_csv_table(std::string_view text, const std::string& name, const CsvTableReader& table) {
  const std::string_view first = table.columns.front();
  const std::size_t count = std::size_t(std::count(first.begin(), first.end(), ',')) + 1;
  CsvLines lines(text);
  std::size_t heads = 0;
  while (lines.next()) {
    const std::string_view line = lines.line();
    std::string why;
    if (!lines.shows()) {
      why = "contains characters that are not printable";
    } else if (line.starts_with('#')) {
      const std::size_t colon = line.find(": ");
      if (table.remark && line.starts_with("# ") && colon != std::string_view::npos)
        why = table.remark(line.substr(2, colon - 2), line.substr(colon + 2));
    } else if (heads < table.columns.size()) {
      const std::string_view columns = table.columns[heads++];
      if (line != columns) why = "must be the columns " + std::string(columns);
    } else {
      const std::vector<std::string> fields = csv_fields(line);
      why = table.columns.size() == 1 && fields.size() != count ? "must have " + std::to_string(count) + " fields"
                                                                : table.row(fields);
    }
    if (!why.empty()) return Issue{name + ", line " + std::to_string(lines.number()), "", why, table.way_out};
  }
  return Done{};
}

std::string keep_remark(std::map<std::string, std::string>& remarks, std::string_view key, std::string_view value) {
  remarks[std::string(key)] = value;
  return remarks.size() > kMaxCsvRemarks
             ? "is past the " + format_count(kMaxCsvRemarks) + " remarks that a file may have"
             : "";
}

}  // namespace tilewalk
