#include "lab/language/program.h"

namespace tilewalk::lab {

std::string MemoryObject::element_name(std::int64_t index) const {
  std::string out = name;
  if (dims.size() < 2 || index < 0 || index >= size || size == 0) return out + "[" + std::to_string(index) + "]";
  std::int64_t stride = size;
  for (const std::int64_t dim : dims) {
    stride /= dim;
    out += "[" + std::to_string(index / stride) + "]";
    index %= stride;
  }
  return out;
}

std::string MemoryObject::sides() const {
  std::string out;
  for (const std::int64_t dim : dims) out += "[" + std::to_string(dim) + "]";
  return out.empty() ? "[" + std::to_string(size) + "]" : out;
}

const std::string& Program::tag_of(int line) const {
  static const std::string kNoTag;
  const std::string* out = &kNoTag;
  for (const Tag& tag : tags)
    if (tag.line <= line) out = &tag.name;
  return *out;
}

}  // namespace tilewalk::lab
