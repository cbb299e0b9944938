// The records of a CSV file, one after the other (files/csv). Stores at most kLongestRecord bytes of a record.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dispatch/profile/byte_source.h"
#include "files/csv.h"

namespace tilewalk {

inline constexpr std::size_t kLongestRecord = 256 << 10, kMostFields = 256;

class CsvRecords {
 public:
  explicit CsvRecords(ByteSource& bytes) : bytes_(bytes) {}

  bool next();  // an empty line is a record of one empty field
  const std::vector<std::string>& fields() const { return record_.fields(); }
  std::int64_t offset() const { return start_; }   // where the record begins
  bool ended_by_line() const { return by_line_; }  // else by the end of the file

  bool failed() const { return issue_.has_value() || !bytes_.issues().empty(); }
  Issues issues() const { return issue_ ? Issues{*issue_} : bytes_.issues(); }
  bool refuse(std::string rule);  // returns false; the issue has the offset of the record

 private:
  int take();
  bool refuse(std::string rule, std::int64_t at);

  ByteSource& bytes_;
  std::string_view piece_;
  std::size_t at_ = 0;
  std::int64_t before_ = 0, start_ = 0;
  CsvRecord record_{kMostFields};
  bool by_line_ = false;
  std::optional<Issue> issue_;
};

}  // namespace tilewalk
