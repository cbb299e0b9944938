#include "files/safetensors.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "base/units.h"
#include "files/file_io.h"
#include "files/output_file.h"

namespace tilewalk {
namespace {

using Json = nlohmann::json;
constexpr int kMaxDepth = 4;  // a header needs 3; what lies deeper is dropped, and then refused

struct Placed {
  TensorFileEntry entry;
  std::int64_t begin = 0, end = 0;  // within the data
};

Issue at_byte(const std::string& file, std::int64_t byte, std::string value, std::string rule) {
  return {file + ", byte " + std::to_string(byte), std::move(value), std::move(rule), "Write the file again"};
}

std::uint64_t read_u64(const std::byte* p) {
  std::uint64_t value = 0;
  for (int i = 7; i >= 0; --i) value = value << 8 | std::to_integer<std::uint64_t>(p[i]);
  return value;
}

// Parses the header, refusing a name that appears twice, which a JSON library would pass over.
Result<Json> parse_header(std::string_view text, const std::string& file) {
  std::vector<std::set<std::string>> names;
  std::string twice;
  auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
    if (depth > kMaxDepth) return false;
    if (event == Json::parse_event_t::object_start) {
      names.resize(std::size_t(depth) + 1);
      names.back().clear();
    }
    if (event == Json::parse_event_t::key && std::size_t(depth) <= names.size() && depth > 0 &&
        !names[std::size_t(depth) - 1].insert(value.get<std::string>()).second)
      twice = value.get<std::string>();
    return true;
  };
  try {
    Json header = Json::parse(text, watch);
    if (!twice.empty()) return at_byte(file, 8, twice, "stands twice in the header");
    if (!header.is_object()) return at_byte(file, 8, "", "the header is not a JSON object");
    return header;
  } catch (const Json::exception& error) {
    return at_byte(file, 8, "", std::string("the header is not JSON: ") + error.what());
  }
}

bool as_size(const Json& value, std::int64_t& out) {
  if (!value.is_number_unsigned()) return false;
  const std::uint64_t number = value.get<std::uint64_t>();
  if (number > std::uint64_t(1) << 62) return false;
  out = std::int64_t(number);
  return true;
}

Result<Placed> read_entry(const std::string& name, const Json& value, std::int64_t data_bytes,
                          const std::string& file) {
  auto bad = [&](std::string found, std::string rule) {
    return at_byte(file, 8, "tensor " + name + (found.empty() ? "" : ": " + found), std::move(rule));
  };
  if (!value.is_object() || value.size() != 3 || !value.contains("dtype") || !value.contains("shape") ||
      !value.contains("data_offsets"))
    return bad("", "must have dtype, shape and data_offsets, and nothing else");
  Placed placed;
  placed.entry.name = name;
  if (!value["dtype"].is_string()) return bad("", "dtype must be text");
  const auto type = tensor_type_from(value["dtype"].get<std::string>());
  if (!type) return bad(value["dtype"].get<std::string>(), "is not a known dtype");
  placed.entry.type = *type;
  const Json& shape = value["shape"];
  if (!shape.is_array() || shape.size() > kMaxDimensions) return bad("", "shape must be a list of at most 16 numbers");
  for (const Json& n : shape) {
    std::int64_t size = 0;
    if (!as_size(n, size)) return bad(n.dump(-1, ' ', false, Json::error_handler_t::replace), "is not a dimension");
    placed.entry.shape.push_back(size);
  }
  const auto needed = checked_bytes(placed.entry.shape, *type);
  if (!needed) return bad(shape_text(placed.entry.shape), "the shape's size overflows");
  const Json& offsets = value["data_offsets"];
  if (!offsets.is_array() || offsets.size() != 2 || !as_size(offsets[0], placed.begin) ||
      !as_size(offsets[1], placed.end))
    return bad("", "data_offsets must be two numbers");
  const std::string range = std::to_string(placed.begin) + " to " + std::to_string(placed.end);
  if (placed.begin > placed.end || placed.end > data_bytes)
    return bad(range, "the data lies outside the " + format_count(data_bytes) + " bytes of data in the file");
  if (placed.end - placed.begin != *needed)
    return bad(range, "shape " + shape_text(placed.entry.shape) + " needs " + format_count(*needed) + " bytes");
  return placed;
}

}  // namespace

const TensorFileEntry* SafetensorsFile::find(const std::string& name) const {
  for (const TensorFileEntry& entry : tensors)
    if (entry.name == name) return &entry;
  return nullptr;
}

Result<SafetensorsFile> parse_safetensors(std::span<const std::byte> bytes, const std::string& name) {
  if (bytes.size() < 8)
    return at_byte(name, std::int64_t(bytes.size()), "", "ends inside the 8 bytes of header length");
  const std::uint64_t header_bytes = read_u64(bytes.data());
  if (header_bytes > std::uint64_t(kMaxSafetensorsHeader) || header_bytes > bytes.size() - 8)
    return at_byte(
        name, 0, std::to_string(header_bytes),
        "as header length is past the end of the file or 100 MB; this is not a safetensors file, or it is cut short");
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + 8, header_bytes);
  if (text.empty() || text.front() != '{') return at_byte(name, 8, "", "the header must begin with {");
  Result<Json> header = parse_header(text, name);
  if (!header) return header.issues();

  const std::byte* data = bytes.data() + 8 + header_bytes;
  const std::int64_t data_bytes = std::int64_t(bytes.size() - 8 - header_bytes);
  SafetensorsFile file;
  std::vector<Placed> placed;
  Issues issues;
  for (const auto& [key, value] : header->items()) {
    if (key == "__metadata__") {
      if (!value.is_object()) return at_byte(name, 8, key, "must be an object of text");
      for (const auto& [word, meaning] : value.items()) {
        if (!meaning.is_string()) return at_byte(name, 8, key + "." + word, "must be text");
        file.metadata[word] = meaning.get<std::string>();
      }
      continue;
    }
    Result<Placed> entry = read_entry(key, value, data_bytes, name);
    if (entry)
      placed.push_back(std::move(*entry));
    else
      issues.insert(issues.end(), entry.issues().begin(), entry.issues().end());
  }
  if (!issues.empty()) return issues;

  std::sort(placed.begin(), placed.end(),
            [](const Placed& a, const Placed& b) { return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); });
  std::int64_t end = 0;
  for (const Placed& p : placed) {
    if (p.begin != end)
      return at_byte(name, 8 + std::int64_t(header_bytes) + p.begin, "tensor " + p.entry.name,
                     p.begin < end ? "overlaps the tensor before it" : "leaves a gap after the tensor before it");
    end = p.end;
  }
  if (end != data_bytes)
    return at_byte(name, 8 + std::int64_t(header_bytes) + end, "",
                   format_count(data_bytes - end) + " bytes belong to no tensor");
  for (Placed& p : placed) {
    p.entry.bytes.assign(data + p.begin, data + p.end);
    file.tensors.push_back(std::move(p.entry));
  }
  return file;
}

Result<SafetensorsFile> load_safetensors(const std::string& path) {
  Result<std::vector<std::byte>> bytes = read_whole_file(path, kMaxTensorFile);
  if (!bytes) return bytes.issues();
  return parse_safetensors(*bytes, path);
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
  text.resize((text.size() + 7) / 8 * 8, ' ');  // data begins at a multiple of 8, as other readers like it
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
