#include "files/npy.h"

#include <cstring>
#include <string_view>

#include "base/parse.h"
#include "base/units.h"

namespace tilewalk {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxHeader = 1 << 20;

struct Header {
  std::string descr;
  bool fortran = false;
  std::vector<std::int64_t> shape;
};

// The header is a Python dict literal with exactly three keys; this parser accepts nothing else.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  bool parse(Header& header) {
    bool seen[3] = {};
    if (!take('{')) return false;
    while (!take('}')) {
      std::string key;
      if (!quoted(key) || !take(':')) return false;
      const int which = key == "descr" ? 0 : key == "fortran_order" ? 1 : key == "shape" ? 2 : -1;
      if (which < 0 || seen[which]) return false;
      seen[which] = true;
      if (which == 0 && !quoted(header.descr)) return false;
      if (which == 1 && !boolean(header.fortran)) return false;
      if (which == 2 && !shape(header.shape)) return false;
      if (!take(',') && peek() != '}') return false;
    }
    skip_space();
    return at_ == text_.size() && seen[0] && seen[1] && seen[2];
  }
  std::size_t at() const { return at_; }
  // A well-formed shape that is not supported; else empty.
  const std::string& wrong_shape() const { return wrong_shape_; }

 private:
  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }
  char peek() {
    skip_space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool word(std::string_view w) {
    skip_space();
    if (text_.substr(at_, w.size()) != w) return false;
    at_ += w.size();
    return true;
  }
  bool quoted(std::string& out) {
    const char quote = peek();
    if (quote != '\'' && quote != '"') return false;
    const std::size_t end = text_.find(quote, ++at_);
    if (end == std::string_view::npos) return false;
    out = text_.substr(at_, end - at_);
    at_ = end + 1;
    return true;
  }
  bool boolean(bool& out) {
    out = word("True");
    return out || word("False");
  }
  bool shape(std::vector<std::int64_t>& out) {
    if (!take('(')) return false;
    while (!take(')')) {
      const bool negative = take('-');
      std::size_t digits = at_;
      while (digits < text_.size() && text_[digits] >= '0' && text_[digits] <= '9') ++digits;
      const std::string_view number = text_.substr(at_, digits - at_);
      if (number.empty()) return false;
      const auto size = parse_integer(number);
      if (negative) return refuse_shape("has a dimension below 0 in the shape: -" + std::string(number));
      if (!size) return refuse_shape("the shape's size overflows: a dimension is " + std::string(number));
      if (out.size() == kMaxDimensions) return refuse_shape("has a shape of more than 16 dimensions");
      at_ = digits;
      out.push_back(*size);
      if (!take(',') && (peek() != ')' || out.size() == 1)) return false;  // (3) is a number in Python, (3,) a tuple
    }
    return true;
  }
  bool refuse_shape(std::string rule) {
    wrong_shape_ = std::move(rule);
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string wrong_shape_;
};

Issue refuse_type(const std::string& name, const std::string& descr) {
  if (descr == "|V2" || descr == "<V2")
    return {name, descr, "is how NumPy saves bfloat16: raw bytes without their meaning",
            "Save bf16 as .safetensors, or use x.astype(np.float32)"};
  if (descr == "<f8") return {name, descr, "is float64; inputs are fp32, fp16 or bf16", "Save x.astype(np.float32)"};
  if (!descr.empty() && descr.front() == '>') return {name, descr, "is big-endian", "Save x.astype(np.float32)"};
  return {name, descr, "is not an array of <f4 (fp32) or <f2 (fp16)", "Save x.astype(np.float32)"};
}

}  // namespace

Result<TensorPlace> parse_npy_header(std::span<const std::byte> bytes, std::int64_t file_bytes,
                                     const std::string& name) {
  auto at_byte = [&](std::size_t byte, std::string rule) {
    return Issue{name + ", byte " + std::to_string(byte), "", std::move(rule), "Write the file again with numpy.save"};
  };
  auto byte_at = [&](std::size_t i) { return std::to_integer<std::size_t>(bytes[i]); };
  if (bytes.size() < 10) return at_byte(bytes.size(), "ends inside the first 10 bytes");
  if (std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0)
    return at_byte(0, "does not begin as a .npy file does");
  const std::size_t version = byte_at(6);
  if (version < 1 || version > 3 || byte_at(7) != 0)
    return at_byte(6, "has version " + std::to_string(version) + "." + std::to_string(byte_at(7)) +
                          ", and 1.0, 2.0 and 3.0 are read");
  const std::size_t start = version == 1 ? 10 : 12;
  if (bytes.size() < start) return at_byte(bytes.size(), "ends inside the header's length");
  std::size_t length = byte_at(8) | byte_at(9) << 8;
  if (version > 1) length |= byte_at(10) << 16 | byte_at(11) << 24;
  if (length > bytes.size() - start || length > kMaxHeader)
    return at_byte(8, "has a header length of " + std::to_string(length) + ", past the end of the file or 1 MiB");

  Header header;
  HeaderParser parser(std::string_view(reinterpret_cast<const char*>(bytes.data()) + start, length));
  if (!parser.parse(header))
    return at_byte(start + parser.at(), parser.wrong_shape().empty()
                                            ? "the header is not a dict of descr, fortran_order and shape"
                                            : parser.wrong_shape());
  TensorPlace place;
  if (header.descr == "<f4")
    place.type = TensorType::F32;
  else if (header.descr == "<f2")
    place.type = TensorType::F16;
  else
    return refuse_type(name, header.descr);
  if (header.fortran) return Issue{name, "fortran_order: True", "columns come first", "Save np.ascontiguousarray(x)"};
  const auto needed = checked_bytes(header.shape, place.type);
  if (!needed) return at_byte(start, "the shape's size overflows: " + shape_text(header.shape));
  place.begin = std::int64_t(start + length);
  place.end = file_bytes;
  if (*needed != place.end - place.begin)
    return at_byte(start + length, "shape " + shape_text(header.shape) + " needs " + format_count(*needed) +
                                       " bytes of data, and the file has " + format_count(place.end - place.begin));
  place.shape = std::move(header.shape);
  return place;
}

Result<TensorPlace> find_in_npy(const OpenedFile& file, const std::string& name) {
  const Result<std::vector<std::byte>> first = file.first(12);
  if (!first) return first.issues();
  if (first->size() >= kMagic.size() && std::memcmp(first->data(), kMagic.data(), kMagic.size()) != 0)
    return parse_npy_header(*first, file.size(), name);
  const Result<std::vector<std::byte>> head = file.first(12 + std::int64_t(kMaxHeader));
  if (!head) return head.issues();
  return parse_npy_header(*head, file.size(), name);
}

std::vector<std::byte> npy_bytes(const TensorFileEntry& entry) {
  std::string shape;
  for (std::int64_t n : entry.shape) shape += std::to_string(n) + ", ";
  if (entry.shape.size() > 1) shape.resize(shape.size() - 2);
  std::string text = std::string("{'descr': '") + (entry.type == TensorType::F16 ? "<f2" : "<f4") +
                     "', 'fortran_order': False, 'shape': (" + shape + "), }";
  text.resize((10 + text.size() + 1 + 63) / 64 * 64 - 10 - 1, ' ');
  text += '\n';
  std::vector<std::byte> out(10 + text.size());
  std::memcpy(out.data(), kMagic.data(), kMagic.size());
  out[6] = std::byte(1);
  out[8] = std::byte(text.size() & 0xff);
  out[9] = std::byte(text.size() >> 8);
  std::memcpy(out.data() + 10, text.data(), text.size());
  out.insert(out.end(), entry.bytes.begin(), entry.bytes.end());
  return out;
}

}  // namespace tilewalk
