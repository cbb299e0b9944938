// One tensor of a file: raw little-endian bytes, C order. Invariant, which parsers ensure and writers require:
// bytes.size() == element_count x bytes_of(type).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilewalk {

enum class TensorType { Bool, U8, I8, U16, I16, F16, BF16, U32, I32, F32, U64, I64, F64 };

inline constexpr std::size_t kMaxDimensions = 16;

struct TensorFileEntry {
  std::string name;  // empty in .npy, which has no names
  TensorType type = TensorType::F32;
  std::vector<std::int64_t> shape;  // empty: one value
  std::vector<std::byte> bytes;

  bool operator==(const TensorFileEntry&) const = default;
};

// The byte range of a tensor in its file. Invariant: end - begin == element_count x bytes_of(type).
struct TensorPlace {
  std::string name;
  TensorType type = TensorType::F32;
  std::vector<std::int64_t> shape;
  std::int64_t begin = 0, end = 0;
};

int bytes_of(TensorType);
const char* name_of(TensorType);  // as safetensors spells it: "F32"
std::optional<TensorType> tensor_type_from(const std::string&);
std::string shape_text(const std::vector<std::int64_t>&);  // "[2, 16, 4]"

// shape's product times the size of an element; nullopt if a dimension is negative or the product passes 2^62.
std::optional<std::int64_t> checked_bytes(const std::vector<std::int64_t>& shape, TensorType);

}  // namespace tilewalk
