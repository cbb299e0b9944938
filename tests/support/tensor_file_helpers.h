// Whole tensor files in memory. The program reads a header and then the tensors that it needs; a test wants all of
// them.
#pragma once

#include <memory>

#include "files/npy.h"
#include "files/safetensors.h"
#include "files/tensor_files.h"

namespace tilewalk::test {

inline Result<TensorFileEntry> parse_npy(std::span<const std::byte> bytes, const std::string& name) {
  Result<TensorPlace> place = parse_npy_header(bytes, std::int64_t(bytes.size()), name);
  if (!place) return place.issues();
  return TensorFileEntry{.name = "",
                         .type = place->type,
                         .shape = std::move(place->shape),
                         .bytes = {bytes.begin() + std::ptrdiff_t(place->begin), bytes.end()}};
}

inline Result<SafetensorsFile> all_tensors(const Result<SafetensorsReader>& reader) {
  if (!reader) return reader.issues();
  SafetensorsFile file{.metadata = reader->metadata(), .tensors = {}};
  for (const TensorPlace& place : reader->tensors()) {
    TensorFileEntry entry{.name = place.name, .type = place.type, .shape = place.shape, .bytes = {}};
    entry.bytes.resize(std::size_t(place.end - place.begin));
    if (const Result<Done> done = reader->read(place, entry.bytes); !done) return done.issues();
    file.tensors.push_back(std::move(entry));
  }
  return file;
}

inline Result<SafetensorsFile> parse_safetensors(std::span<const std::byte> bytes, const std::string& name) {
  return all_tensors(SafetensorsReader::of(bytes_in_memory(bytes), std::int64_t(bytes.size()), name));
}
inline Result<SafetensorsFile> load_safetensors(const std::string& path) {
  return all_tensors(SafetensorsReader::open(path));
}

// A file as it would be read once it is written.
inline SafetensorsReader reader_of(const SafetensorsFile& file, const std::string& name) {
  const auto bytes = std::make_shared<const std::vector<std::byte>>(safetensors_bytes(file));
  ReadBytes read = [bytes](std::int64_t at, std::span<std::byte> to) { return bytes_in_memory(*bytes)(at, to); };
  return *SafetensorsReader::of(std::move(read), std::int64_t(bytes->size()), name);
}

inline Result<Done> save_tensor(const std::string& path, const std::string& name, const std::vector<float>& values,
                                const std::vector<std::int64_t>& shape, DType dtype) {
  const Result<OutputRequest> request = tensor_request("", path, dtype);
  if (!request) return request.issues();
  Result<std::vector<OutputFile>> file = open_outputs({*request});
  if (!file) return file.issues();
  if (const Result<Done> done = write_tensors(file->front(), {{name, values, shape, dtype}}); !done) return done;
  return rename_into_place(*file);
}

}  // namespace tilewalk::test
