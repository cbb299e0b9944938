#include "ui/font_em.h"

#include <array>
#include <cstdint>
#include <fstream>

namespace tilewalk {
namespace {

constexpr int kMostTables = 256;

class Bytes {  // big-endian, as in OpenType
 public:
  explicit Bytes(const std::string& path) : file_(path, std::ios::binary) {}
  std::uint32_t number(std::uint32_t at, int bytes) {
    std::array<char, 4> raw{};
    file_.seekg(at);
    file_.read(raw.data(), bytes);
    std::uint32_t value = 0;
    for (int i = 0; i < bytes; ++i) value = value << 8 | static_cast<unsigned char>(raw[std::size_t(i)]);
    return value;
  }
  int signed_short(std::uint32_t at) { return std::int16_t(number(at, 2)); }
  bool good() const { return file_.good(); }

 private:
  std::ifstream file_;
};

constexpr std::uint32_t tag(const char (&name)[5]) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(name[i]);
  return value;
}

}  // namespace

std::optional<float> ems_a_line(const std::string& path) {
  Bytes bytes(path);
  std::uint32_t head = 0, hhea = 0;
  const int tables = int(bytes.number(4, 2));
  for (int i = 0; i < tables && tables <= kMostTables && bytes.good(); ++i) {
    const std::uint32_t row = 12 + 16 * std::uint32_t(i), name = bytes.number(row, 4);
    if (name == tag("head")) head = bytes.number(row + 8, 4);
    if (name == tag("hhea")) hhea = bytes.number(row + 8, 4);
  }
  if (head == 0 || hhea == 0) return std::nullopt;
  const int units = int(bytes.number(head + 18, 2)), line = bytes.signed_short(hhea + 4) - bytes.signed_short(hhea + 6);
  if (!bytes.good() || units <= 0 || line <= 0) return std::nullopt;
  return float(line) / float(units);
}

}  // namespace tilewalk
