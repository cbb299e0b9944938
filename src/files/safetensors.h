// The safetensors format, read strictly and written: 8 bytes of header length (little-endian), a JSON header, the data.
// Refused with an Issue naming file and byte: a header past the file or 100 MB, unknown types or keys, duplicate names,
// shapes that overflow or disagree with their bytes, gaps, overlaps, data past the end. Nothing is allocated from a
// length that has not been held against the file's real size.
// Not modelled: sub-byte types, lazy loading.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "files/tensor_entry.h"

namespace tilewalk {

inline constexpr std::int64_t kMaxSafetensorsHeader = 100'000'000;
inline constexpr std::int64_t kMaxTensorFile = std::int64_t(1) << 36;  // 64 GiB

struct SafetensorsFile {
  std::map<std::string, std::string> metadata;
  std::vector<TensorFileEntry> tensors;  // in the order of their data

  bool operator==(const SafetensorsFile&) const = default;
  const TensorFileEntry* find(const std::string& name) const;  // null if there is none
};

// `name` stands for the file in messages.
Result<SafetensorsFile> parse_safetensors(std::span<const std::byte> bytes, const std::string& name);
Result<SafetensorsFile> load_safetensors(const std::string& path);

// Precondition of both: entries keep TensorFileEntry's invariant and have different names.
std::vector<std::byte> safetensors_bytes(const SafetensorsFile&);
Result<Done> save_safetensors(const SafetensorsFile&, const std::string& path);

}  // namespace tilewalk
