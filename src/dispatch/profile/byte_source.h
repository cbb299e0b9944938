// The bytes of a file, piece after piece; for a gzip file, its unpacked bytes. Skips a UTF-8 byte order mark at the
// start, and zeros after a gzip file's last member, which tapes pad with. Memory does not grow with the file.
// Refused: a gzip file that is damaged or ends early, and one that unpacks to more than kMostUnpacked.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "files/opened_file.h"

namespace tilewalk {

inline constexpr std::int64_t kMostUnpacked = std::int64_t(64) << 30;

class ByteSource {
 public:
  ByteSource(ReadBytes read, std::int64_t size, std::string name);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  // Empty only at the end, and after an issue. Valid until the next call.
  std::string_view next();
  const Issues& issues() const { return issues_; }  // why it ended early
  const std::string& name() const { return name_; }

 private:
  struct Inflater;
  std::string_view from_file();
  std::string_view unpacked();
  std::string_view without_mark(std::string_view piece);
  void refuse(std::int64_t at, std::string rule);

  ReadBytes read_;
  std::int64_t size_, at_ = 0;
  std::string name_;
  std::string block_;
  bool begun_ = false;
  std::unique_ptr<Inflater> inflater_;
  Issues issues_;
};

}  // namespace tilewalk
