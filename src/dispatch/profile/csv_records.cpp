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
  record_.clear();
  for (std::size_t size = 0;; ++size) {
    const int c = take();
    if (c < 0) {
      by_line_ = false;
      if (failed()) return false;
      if (record_.in_quotes()) return refuse("the file ends inside quotes that begin in this line");
      return size > 0;
    }
    if (size >= kLongestRecord) return refuse(fmt::format("a line of more than {} KiB", kLongestRecord >> 10));
    if (c == 0 || (c < 0x20 && c != '\t' && c != '\n' && c != '\r'))
      return refuse("a control character", before_ + std::int64_t(at_) - 1);
    switch (record_.take(char(c))) {
      case CsvRecord::Took::More: break;
      case CsvRecord::Took::Record: by_line_ = true; return true;
      case CsvRecord::Took::TooMany: return refuse(fmt::format("more than {} fields in a line", kMostFields));
    }
  }
}

}  // namespace tilewalk
