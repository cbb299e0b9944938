#include "files/safetensors.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "base/units.h"
#include "files/file_io.h"
#include "files/output_file.h"

namespace tilewalk {
namespace {

using Json = nlohmann::json;

// Handles the parser's events. A header is an object of objects; a tensor's object has two lists. Nothing is nested
// deeper. An error in a tensor refuses that tensor alone; an error in the outer object ends the reading.
class HeaderReader : public Json::json_sax_t {
 public:
  HeaderReader(std::int64_t data_at, std::int64_t file_bytes, const std::string& file)
      : data_at_(data_at), data_bytes_(file_bytes - data_at), file_(file) {}

  SafetensorsHeader header;
  Issues issues;

  bool null() override { return other(); }
  bool boolean(bool) override { return other(); }
  bool number_float(double, const std::string& text) override { return number(text, std::nullopt); }
  bool number_integer(std::int64_t value) override { return number(std::to_string(value), std::nullopt); }
  bool number_unsigned(std::uint64_t value) override {
    const bool fits = value <= std::uint64_t(1) << 62;
    return number(std::to_string(value), fits ? std::optional(std::int64_t(value)) : std::nullopt);
  }
  bool binary(Json::binary_t&) override { return other(); }

  bool string(std::string& text) override {
    if (depth_ == 2 && in_metadata_) {
      header.metadata.emplace(key_, text);
      return true;
    }
    if (depth_ == 2 && key_ == "dtype") {
      const auto type = tensor_type_from(text);
      if (type) now_.type = *type;
      return type ? true : slip(text, "is not a known dtype");
    }
    return other();
  }

  bool start_object(std::size_t) override {
    if (++depth_ != 2) return depth_ == 1 || other();
    in_metadata_ = name_ == "__metadata__";
    keys_.clear();
    now_ = {};
    now_.name = name_;
    offsets_.clear();
    slipped_ = false;
    return true;
  }
  bool start_array(std::size_t) override {
    const bool known = ++depth_ == 3 && !in_metadata_ && (key_ == "shape" || key_ == "data_offsets");
    if (depth_ == 2) key_.clear(), in_metadata_ = slipped_ = false;
    return known || other();
  }
  bool end_array() override { return --depth_, true; }
  bool end_object() override {
    if (--depth_ != 1 || in_metadata_ || slipped_) return true;
    return take_tensor();
  }

  bool key(std::string& key) override {
    if (depth_ == 1) {
      name_ = key;
      if (!names_.insert(key).second) return frame(key, "appears twice in the header");
      return names_.size() <= kMaxNames || frame("", "has more than " + format_count(kMaxNames) + " names");
    }
    if (depth_ != 2) return true;
    key_ = key;
    if (!keys_.insert(key).second) return frame(key, "appears twice in the header");
    if (in_metadata_)
      return keys_.size() <= kMaxNames || frame("", "has more than " + format_count(kMaxNames) + " names");
    return key == "dtype" || key == "shape" || key == "data_offsets" ? true : slip("", kKeys);
  }

  bool parse_error(std::size_t position, const std::string&, const Json::exception&) override {
    issues.clear();
    return frame("", "the header is not JSON from its byte " + format_count(std::int64_t(position)) + " on");
  }

 private:
  static constexpr std::size_t kMostSlips = 100;  // errors whose text is stored
  static constexpr const char* kKeys = "must have dtype, shape and data_offsets, and nothing else";

  bool frame(std::string value, std::string rule) {
    issues.push_back({file_ + ", byte 8", std::move(value), std::move(rule), "Write the file again"});
    return false;
  }
  bool slip(const std::string& found, std::string rule) {
    if (!slipped_)
      issues.push_back({file_ + ", byte 8", "tensor " + name_ + (found.empty() ? "" : ": " + found), std::move(rule),
                        "Write the file again"});
    slipped_ = true;
    return issues.size() < kMostSlips || frame("", "has more such tensors; the rest was not read");
  }
  bool number(const std::string& text, std::optional<std::int64_t> value) {
    if (depth_ != 3 || in_metadata_) return other();
    if (key_ == "shape") {
      if (!value) return slip(text, "is not a dimension");
      if (now_.shape.size() == kMaxDimensions) return slip("", "shape must be a list of at most 16 numbers");
      now_.shape.push_back(*value);
      return true;
    }
    if (!value || offsets_.size() == 2) return slip("", "data_offsets must be two numbers");
    offsets_.push_back(*value);
    return true;
  }
  // A value of an unsupported type, or at an unexpected position.
  bool other() {
    if (depth_ == 0) return frame("", "the header is not a JSON object");
    if (name_ == "__metadata__") return frame(depth_ == 1 ? name_ : name_ + "." + key_, "must be text");
    if (depth_ == 1) return slipped_ = false, slip("", kKeys);
    return slip("", key_ == "dtype"          ? "dtype must be text"
                    : key_ == "shape"        ? "shape must be a list of at most 16 numbers"
                    : key_ == "data_offsets" ? "data_offsets must be two numbers"
                                             : kKeys);
  }
  bool take_tensor() {
    if (keys_.size() != 3) return slip("", kKeys);
    if (offsets_.size() != 2) return slip("", "data_offsets must be two numbers");
    const auto needed = checked_bytes(now_.shape, now_.type);
    if (!needed) return slip(shape_text(now_.shape), "the shape's size overflows");
    const std::string range = std::to_string(offsets_[0]) + " to " + std::to_string(offsets_[1]);
    if (offsets_[0] > offsets_[1] || offsets_[1] > data_bytes_)
      return slip(range, "the data lies outside the " + format_count(data_bytes_) + " bytes of data in the file");
    if (offsets_[1] - offsets_[0] != *needed)
      return slip(range, "shape " + shape_text(now_.shape) + " needs " + format_count(*needed) + " bytes");
    now_.begin = data_at_ + offsets_[0];
    now_.end = data_at_ + offsets_[1];
    header.tensors.push_back(std::move(now_));
    return true;
  }

  std::int64_t data_at_, data_bytes_;
  const std::string& file_;
  int depth_ = 0;
  bool in_metadata_ = false, slipped_ = false;
  std::string name_, key_;
  std::set<std::string> names_, keys_;
  TensorPlace now_;
  std::vector<std::int64_t> offsets_;
};

}  // namespace

Result<SafetensorsHeader> parse_safetensors_header(std::string_view text, std::int64_t file_bytes,
                                                   const std::string& name) {
  const std::int64_t data_at = 8 + std::int64_t(text.size());
  HeaderReader reader(data_at, file_bytes, name);
  if (text.empty() || text.front() != '{')
    return Issue{name + ", byte 8", "", "the header must begin with {", "Write the file again"};
  Json::sax_parse(text, &reader);
  if (!reader.issues.empty()) return std::move(reader.issues);

  std::vector<TensorPlace>& tensors = reader.header.tensors;
  std::stable_sort(tensors.begin(), tensors.end(), [](const TensorPlace& a, const TensorPlace& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  const auto at_byte = [&](std::int64_t byte, std::string value, std::string rule) {
    return Issue{name + ", byte " + std::to_string(byte), std::move(value), std::move(rule), "Write the file again"};
  };
  std::int64_t end = data_at;
  for (const TensorPlace& tensor : tensors) {
    if (tensor.begin != end)
      return at_byte(tensor.begin, "tensor " + tensor.name,
                     tensor.begin < end ? "overlaps the tensor before it" : "leaves a gap after the tensor before it");
    end = tensor.end;
  }
  if (end != file_bytes) return at_byte(end, "", format_count(file_bytes - end) + " bytes belong to no tensor");
  return std::move(reader.header);
}

const TensorPlace* SafetensorsReader::find(const std::string& name) const {
  const std::vector<TensorPlace>& all = header_.tensors;
  const auto at = std::find_if(all.begin(), all.end(), [&](const TensorPlace& each) { return each.name == name; });
  return at == all.end() ? nullptr : &*at;
}

Result<SafetensorsReader> SafetensorsReader::of(ReadBytes read, std::int64_t file_bytes, const std::string& name) {
  const auto at_byte = [&](std::int64_t byte, std::string value, std::string rule) {
    return Issue{name + ", byte " + std::to_string(byte), std::move(value), std::move(rule), "Write the file again"};
  };
  std::array<std::byte, 8> first;
  if (file_bytes < 8) return at_byte(file_bytes, "", "ends inside the 8 bytes of header length");
  if (const Result<Done> done = read(0, first); !done) return done.issues();
  std::uint64_t length = 0;
  for (int i = 7; i >= 0; --i) length = length << 8 | std::to_integer<std::uint64_t>(first[std::size_t(i)]);
  if (length > std::uint64_t(std::min(kMaxSafetensorsHeader, file_bytes - 8)))
    return at_byte(
        0, std::to_string(length),
        "as header length is past the end of the file or 8 MiB; this is not a safetensors file, or it is cut short");
  std::string text(length, '\0');
  if (const Result<Done> done = read(8, std::as_writable_bytes(std::span(text))); !done) return done.issues();
  Result<SafetensorsHeader> header = parse_safetensors_header(text, file_bytes, name);
  if (!header) return header.issues();
  return SafetensorsReader(std::move(read), std::move(*header));
}

Result<SafetensorsReader> SafetensorsReader::open(const std::string& path) {
  const Result<OpenedFile> file = OpenedFile::open(path, kMaxTensorFile);
  if (!file) return file.issues();
  return of(file->reader(), file->size(), path);
}

std::vector<std::byte> safetensors_bytes(const SafetensorsFile& file) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!file.metadata.empty()) header["__metadata__"] = file.metadata;
  std::int64_t offset = 0;
  for (const TensorFileEntry& entry : file.tensors) {
    const std::int64_t end = offset + std::int64_t(entry.bytes.size());
    header[entry.name] = {{"dtype", name_of(entry.type)}, {"shape", entry.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  text.resize((text.size() + 7) / 8 * 8, ' ');  // data begins at a multiple of 8, as other readers expect
  std::vector<std::byte> out(8 + text.size() + std::size_t(offset));
  for (int i = 0; i < 8; ++i) out[std::size_t(i)] = std::byte(std::uint64_t(text.size()) >> (8 * i));
  std::memcpy(out.data() + 8, text.data(), text.size());
  std::byte* at = out.data() + 8 + text.size();
  for (const TensorFileEntry& entry : file.tensors) at = std::copy(entry.bytes.begin(), entry.bytes.end(), at);
  return out;
}

Result<Done> save_safetensors(const SafetensorsFile& file, const std::string& path) {
  return write_file({.field = "", .path = path}, safetensors_bytes(file));
}

}  // namespace tilewalk
