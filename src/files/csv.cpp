#include "files/csv.h"

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
  CsvRecord record(most + 1);
  for (const char c : line)
    if (record.take(c) != CsvRecord::Took::More) break;
  return record.fields();
}

Result<Done> read_csv_table(std::string_view text, const std::string& name, std::string_view columns,
                            const std::function<void(std::string_view)>& remark,
                            const std::function<std::string(const std::vector<std::string>&)>& row) {
  const std::size_t count = std::size_t(std::count(columns.begin(), columns.end(), ',')) + 1;
  CsvLines lines(text);
  bool head_seen = false;
  while (lines.next()) {
    const auto refused = [&](const std::string& rule) {
      return Issue{name + ", line " + std::to_string(lines.number()), "", rule, "Restore the file"};
    };
    if (!lines.shows()) return refused("contains characters that are not printable");
    const std::string_view line = lines.line();
    if (line.starts_with("#")) {
      remark(line);
    } else if (!head_seen) {
      if (line != columns) return refused("must be the columns " + std::string(columns));
      head_seen = true;
    } else {
      const std::vector<std::string> fields = csv_fields(line, count);
      if (fields.size() != count) return refused("must have " + std::to_string(count) + " fields");
      if (const std::string why = row(fields); !why.empty()) return refused(why);
    }
  }
  return Done{};
}

}  // namespace tilewalk
