#include "files/tensor_entry.h"

#include <array>

#include "base/words.h"

namespace tilewalk {
namespace {

struct Row {
  TensorType type;
  const char* name;
  int bytes;
};

constexpr std::array<Row, 13> kTypes = {{{TensorType::Bool, "BOOL", 1},
                                         {TensorType::U8, "U8", 1},
                                         {TensorType::I8, "I8", 1},
                                         {TensorType::U16, "U16", 2},
                                         {TensorType::I16, "I16", 2},
                                         {TensorType::F16, "F16", 2},
                                         {TensorType::BF16, "BF16", 2},
                                         {TensorType::U32, "U32", 4},
                                         {TensorType::I32, "I32", 4},
                                         {TensorType::F32, "F32", 4},
                                         {TensorType::U64, "U64", 8},
                                         {TensorType::I64, "I64", 8},
                                         {TensorType::F64, "F64", 8}}};

}  // namespace

int bytes_of(TensorType type) { return kTypes[std::size_t(type)].bytes; }
const char* name_of(TensorType type) { return kTypes[std::size_t(type)].name; }

std::optional<TensorType> tensor_type_from(const std::string& name) {
  for (const Row& row : kTypes)
    if (name == row.name) return row.type;
  return std::nullopt;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return "[" + listed(shape, ", ", [](std::int64_t n) { return std::to_string(n); }) + "]";
}

std::optional<std::int64_t> checked_bytes(const std::vector<std::int64_t>& shape, TensorType type) {
  constexpr std::int64_t kLimit = std::int64_t(1) << 62;
  std::int64_t product = bytes_of(type);
  bool empty = false;
  for (std::int64_t n : shape) {
    if (n < 0) return std::nullopt;
    if (n == 0) {
      empty = true;
      continue;
    }
    if (product > kLimit / n) return std::nullopt;
    product *= n;
  }
  return empty ? 0 : product;
}

}  // namespace tilewalk
