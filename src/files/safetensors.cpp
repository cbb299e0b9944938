#include "files/safetensors.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>

#include "files/file_io.h"
#include "files/output_file.h"

namespace tilewalk {
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
