#include "dispatch/profile/csv_records.h"

#include <fmt/format.h>

namespace tilewalk {

int CsvRecords::take() {
  if (at_ == piece_.size()) {
    before_ += std::int64_t(piece_.size());
    piece_ = bytes_.next();
    at_ = 0;
    if (piece_.empty()) return -1;
  }
  return static_cast<unsigned char>(piece_[at_++]);
}

bool CsvRecords::refuse(std::string rule, std::int64_t at) {
  if (!failed()) issue_ = Issue{fmt::format("{}, byte {}", bytes_.name(), at), "", std::move(rule), ""};
  return false;
}

bool CsvRecords::refuse(std::string rule) { return refuse(std::move(rule), start_); }

bool CsvRecords::next() {
  if (failed()) return false;
  start_ = before_ + std::int64_t(at_);
  fields_.assign(1, "");
  bool quoted = false, after_quote = false;
  for (std::size_t size = 0;; ++size) {
    const int c = take();
    if (c < 0) {
      by_line_ = false;
      if (failed()) return false;
      if (quoted && !after_quote) return refuse("the file ends inside quotes that begin in this line");
      return size > 0;
    }
    if (size >= kLongestRecord) return refuse(fmt::format("a line of more than {} KiB", kLongestRecord >> 10));
    if (c == 0 || (c < 0x20 && c != '\t' && c != '\n' && c != '\r'))
      return refuse("a control character, which no text has", before_ + std::int64_t(at_) - 1);
    if (quoted && after_quote) {  // a quote inside quotes, or their end
      if (c == '"') {
        fields_.back() += '"';
        after_quote = false;
        continue;
      }
      quoted = after_quote = false;
    }
    if (quoted) {
      if (c == '"')
        after_quote = true;
      else
        fields_.back() += char(c);
    } else if (c == '"' && fields_.back().empty()) {
      quoted = true;
    } else if (c == ',') {
      if (fields_.size() == kMostFields) return refuse(fmt::format("more than {} fields in a line", kMostFields));
      fields_.emplace_back();
    } else if (c == '\n') {
      by_line_ = true;
      return true;
    } else if (c != '\r') {
      fields_.back() += char(c);
    }
  }
}

}  // namespace tilewalk
