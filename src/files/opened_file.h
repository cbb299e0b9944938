// A regular file opened for reading, with its size at that time. Its bytes are read piece by piece, so that a header is
// checked against the size before memory is allocated for the rest: README.md lists the limits for unknown files.
// Errors are Issues with the path and the system's reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace tilewalk {

// Fills `to` from byte `at` on. Precondition: the whole range is in the file.
using ReadBytes = std::function<Result<Done>(std::int64_t at, std::span<std::byte> to)>;
ReadBytes bytes_in_memory(std::span<const std::byte>);  // the bytes must outlive it

class OpenedFile {
 public:
  // Refuses anything but a regular file of at most this many bytes.
  static Result<OpenedFile> open(const std::string& path, std::int64_t max_bytes);

  std::int64_t size() const { return size_; }
  Result<Done> read(std::int64_t at, std::span<std::byte> to) const;
  Result<std::vector<std::byte>> first(std::int64_t most) const;  // fewer, where the file is shorter
  ReadBytes reader() const;

 private:
  class Descriptor;
  OpenedFile(std::string path, std::shared_ptr<const Descriptor> file, std::int64_t size)
      : path_(std::move(path)), file_(std::move(file)), size_(size) {}

  std::string path_;
  std::shared_ptr<const Descriptor> file_;
  std::int64_t size_ = 0;
};

}  // namespace tilewalk
