// Reads the safetensors format strictly, and writes it: 8 bytes of header length (little-endian), a JSON header, the
// data. A header past the end of the file or larger than 8 MiB is refused; the format itself would allow 100 MB, which
// is a million tensors. Nothing is allocated from a length before it is checked against the file's size, and no tensor
// is read before the whole header is checked.
// Not modelled: sub-byte types.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "files/opened_file.h"
#include "files/tensor_entry.h"

namespace tilewalk {

// Reads the JSON header of a safetensors file strictly and in one pass: metadata and tensors, checked against the
// file's size. Issues name file and byte. Refused: unknown types or keys, repeated names, shapes that overflow or
// disagree with their bytes, gaps, overlaps, data past the end, more names than kMaxNames.

inline constexpr std::size_t kMaxNames = 1 << 16;  // of tensors and of metadata

struct SafetensorsHeader {
  std::map<std::string, std::string> metadata;
  std::vector<TensorPlace> tensors;  // in the order of their data
};

// `text` begins at byte 8 of a file of this many bytes; messages use `name` for the file.
Result<SafetensorsHeader> parse_safetensors_header(std::string_view text, std::int64_t file_bytes,
                                                   const std::string& name);

inline constexpr std::int64_t kMaxSafetensorsHeader = std::int64_t(8) << 20;
inline constexpr std::int64_t kMaxTensorFile = std::int64_t(1) << 36;  // 64 GiB

// A file whose header is read: its tensors are read when they are requested. Messages use `name` for it.
class SafetensorsReader {
 public:
  static Result<SafetensorsReader> open(const std::string& path);
  static Result<SafetensorsReader> of(ReadBytes, std::int64_t file_bytes, const std::string& name);

  const std::map<std::string, std::string>& metadata() const { return header_.metadata; }
  const std::vector<TensorPlace>& tensors() const { return header_.tensors; }
  const TensorPlace* find(const std::string& name) const;  // null if there is none
  const ReadBytes& reader() const { return read_; }
  // Precondition: `to` has the size of the tensor's bytes.
  Result<Done> read(const TensorPlace& tensor, std::span<std::byte> to) const { return read_(tensor.begin, to); }

 private:
  SafetensorsReader(ReadBytes read, SafetensorsHeader header) : read_(std::move(read)), header_(std::move(header)) {}
  ReadBytes read_;
  SafetensorsHeader header_;
};

struct SafetensorsFile {
  std::map<std::string, std::string> metadata;
  std::vector<TensorFileEntry> tensors;  // in the order of their data

  bool operator==(const SafetensorsFile&) const = default;
};

// Precondition of both: entries keep TensorFileEntry's invariant and have different names.
std::vector<std::byte> safetensors_bytes(const SafetensorsFile&);
Result<Done> save_safetensors(const SafetensorsFile&, const std::string& path);

}  // namespace tilewalk
