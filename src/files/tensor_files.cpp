#include "files/tensor_files.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "base/shown.h"
#include "base/small_float.h"
#include "files/npy.h"
#include "files/safetensors.h"

namespace tilewalk {
namespace {

bool has_ending(const std::string& path, const char* ending) {
  return std::filesystem::path(path).extension() == ending;
}

Issue unknown_ending(const std::string& path) {
  return {path, "", "must end in .npy or .safetensors", "Rename or convert the file"};
}

// The position of the tensor, and a function that reads its bytes.
struct Found {
  TensorPlace place;
  ReadBytes read;
};

Result<Found> find_tensor(const std::string& path, const std::string& name) {
  if (has_ending(path, ".npy")) {
    const Result<OpenedFile> file = OpenedFile::open(path, kMaxTensorFile);
    if (!file) return file.issues();
    const Result<TensorPlace> place = find_in_npy(*file, path);
    if (!place) return place.issues();
    return Found{*place, file->reader()};
  }
  if (!has_ending(path, ".safetensors")) return unknown_ending(path);
  const Result<SafetensorsReader> file = SafetensorsReader::open(path);
  if (!file) return file.issues();
  if (const TensorPlace* place = file->find(name)) return Found{*place, file->reader()};
  const std::vector<TensorPlace>& tensors = file->tensors();
  std::string names;
  for (std::size_t i = 0; i < tensors.size() && i < 8; ++i) names += (i ? ", " : "") + shown(tensors[i].name, 60);
  return Issue{path, "", "has no tensor named " + name + "; it has " + (names.empty() ? "none" : names),
               "Save the tensor under the name " + name};
}

TensorFileEntry entry_of(const NamedTensor& tensor) {
  TensorFileEntry entry{tensor.name, TensorType::F32, tensor.shape, {}};
  if (tensor.dtype == DType::Fp32) {
    entry.bytes.resize(tensor.values.size() * 4);
    if (!tensor.values.empty()) std::memcpy(entry.bytes.data(), tensor.values.data(), entry.bytes.size());
    return entry;
  }
  entry.type = tensor.dtype == DType::Fp16 ? TensorType::F16 : TensorType::BF16;
  entry.bytes.reserve(tensor.values.size() * 2);
  for (const float value : tensor.values) {
    const std::uint16_t bits = tensor.dtype == DType::Fp16 ? fp16_from_float(value) : bf16_from_float(value);
    entry.bytes.push_back(std::byte(bits & 0xff));
    entry.bytes.push_back(std::byte(bits >> 8));
  }
  return entry;
}

}  // namespace

Result<InputTensor> load_input_tensor(const std::string& path, const std::string& name) {
  const Result<Found> found = find_tensor(path, name);
  if (!found) return found.issues();
  const TensorPlace& place = found->place;
  InputTensor input;
  switch (place.type) {
    case TensorType::F32: input.dtype = DType::Fp32; break;
    case TensorType::F16: input.dtype = DType::Fp16; break;
    case TensorType::BF16: input.dtype = DType::Bf16; break;
    default:
      return Issue{path, std::string(name_of(place.type)), "is not a type of inputs: F32, F16 or BF16",
                   "Convert " + name + " first"};
  }
  const std::vector<std::int64_t>& shape = place.shape;
  if (shape.size() < 2 || shape.size() > 4)
    return Issue{path, shape_text(shape), "must be [batch, heads, n, d], [heads, n, d] or [n, d]", "Reshape " + name};
  for (std::int64_t n : shape)
    if (n == 0)
      return Issue{path, shape_text(shape), "has a dimension of 0, so there is nothing to attend to",
                   "Give each at least 1"};
  Result<std::vector<float>> values = read_floats(found->read, place);
  if (!values) return values.issues();
  auto from_end = [&](std::size_t i) { return i < shape.size() ? shape[shape.size() - 1 - i] : 1; };
  input.tensor = {from_end(3), from_end(2), from_end(1), from_end(0), std::move(*values)};
  return input;
}

Result<std::vector<float>> read_floats(const ReadBytes& read, const TensorPlace& place) {
  constexpr std::int64_t kPiece = 1 << 20;
  std::vector<float> values(std::size_t((place.end - place.begin) / bytes_of(place.type)));
  if (place.type == TensorType::F32) {
    if (const Result<Done> done = read(place.begin, std::as_writable_bytes(std::span(values))); !done)
      return done.issues();
    return values;
  }
  std::vector<std::byte> piece;
  float* to = values.data();
  for (std::int64_t at = place.begin; at < place.end; at += kPiece) {
    piece.resize(std::size_t(std::min(kPiece, place.end - at)));
    if (const Result<Done> done = read(at, piece); !done) return done.issues();
    for (std::size_t i = 0; i < piece.size(); i += 2) {
      const auto bits =
          std::uint16_t(std::to_integer<unsigned>(piece[i]) | std::to_integer<unsigned>(piece[i + 1]) << 8);
      *to++ = place.type == TensorType::F16 ? float_from_fp16(bits) : float_from_bf16(bits);
    }
  }
  return values;
}

bool holds_many_tensors(const std::string& path) { return has_ending(path, ".safetensors"); }

Result<OutputRequest> tensor_request(const std::string& field, const std::string& path, DType dtype) {
  if (dtype == DType::Bf16 && has_ending(path, ".npy"))
    return Issue{field, path, "is a .npy file, and those have no bf16", "Use a name ending in .safetensors"};
  return OutputRequest{.field = field, .path = path, .endings = {".npy", ".safetensors"}};
}

Result<Done> write_tensors(OutputFile& file, const std::vector<NamedTensor>& tensors) {
  SafetensorsFile together;
  for (const NamedTensor& tensor : tensors) together.tensors.push_back(entry_of(tensor));
  return file.write(holds_many_tensors(file.path()) ? safetensors_bytes(together) : npy_bytes(together.tensors.at(0)));
}

}  // namespace tilewalk
