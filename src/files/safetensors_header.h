// Reads the JSON header of a safetensors file strictly and in one pass: metadata and tensors, checked against the
// file's size. Issues name file and byte. Refused: unknown types or keys, repeated names, shapes that overflow or
// disagree with their bytes, gaps, overlaps, data past the end, more names than kMaxNames.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "files/tensor_entry.h"

namespace tilewalk {

inline constexpr std::size_t kMaxNames = 1 << 16;  // of tensors and of metadata

struct SafetensorsHeader {
  std::map<std::string, std::string> metadata;
  std::vector<TensorPlace> tensors;  // in the order of their data
};

// `text` begins at byte 8 of a file of this many bytes; messages use `name` for the file.
Result<SafetensorsHeader> parse_safetensors_header(std::string_view text, std::int64_t file_bytes,
                                                   const std::string& name);

}  // namespace tilewalk
