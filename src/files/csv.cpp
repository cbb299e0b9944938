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

}  // namespace tilewalk
