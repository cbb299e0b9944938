#include "files/npy.h"

#include <cstring>

#include "tests/support/catch.h"
#include "tests/support/tensor_file_helpers.h"

using namespace tilewalk;
using test::parse_npy;

namespace {

std::vector<std::byte> file_of(const std::string& header, std::size_t data_bytes, int version = 1) {
  std::string out = "\x93NUMPY";
  out += char(version);
  out += '\0';
  const std::size_t n = header.size();
  out += char(n & 0xff);
  out += char(n >> 8 & 0xff);
  if (version > 1) out += char(n >> 16 & 0xff), out += char(n >> 24 & 0xff);
  out += header + std::string(data_bytes, '\1');
  std::vector<std::byte> bytes(out.size());
  std::memcpy(bytes.data(), out.data(), out.size());
  return bytes;
}

std::string refusal(const std::vector<std::byte>& bytes) {
  const auto entry = parse_npy(bytes, "x.npy");
  return entry ? "accepted" : text_of(entry.issues());
}

std::string header(const std::string& descr, const std::string& shape, const std::string& fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("arrays written to npy are read back the same, for every number of dimensions") {
  for (const std::vector<std::int64_t>& shape :
       {std::vector<std::int64_t>{}, {3}, {2, 3}, {1, 2, 3}, {4, 1, 2, 3}, {0, 3}}) {
    for (TensorType type : {TensorType::F32, TensorType::F16}) {
      TensorFileEntry entry{"", type, shape,
                            std::vector<std::byte>(std::size_t(*checked_bytes(shape, type)), std::byte(5))};
      const std::vector<std::byte> bytes = npy_bytes(entry);
      const auto read = parse_npy(bytes, "x");
      REQUIRE(read.ok());
      CHECK(*read == entry);
      CHECK((bytes.size() - entry.bytes.size()) % 64 == 0);
    }
  }
}

TEST_CASE("versions 1, 2 and 3 of npy are read, others refused") {
  for (int version : {1, 2, 3}) CHECK(refusal(file_of(header("<f4", "(2, 3)"), 24, version)) == "accepted");
  CHECK(says(refusal(file_of(header("<f4", "(2, 3)"), 24, 4)), "version"));
}

TEST_CASE("headers in Python's free forms are read") {
  CHECK(refusal(file_of("{\"shape\": (6,), \"descr\": \"<f4\", \"fortran_order\": False}  \n", 24)) == "accepted");
  CHECK(refusal(file_of(header("<f4", "()"), 4)) == "accepted");
  CHECK(says(refusal(file_of(header("<f4", "(6)"), 24)), "dict"));
  CHECK(says(refusal(file_of(header("<f4", "(6,"), 24)), "dict"));
  CHECK(says(refusal(file_of("{'descr': '<f4', 'shape': (6,)}", 24)), "dict"));
  CHECK(says(refusal(file_of("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (6,)}", 24)), "dict"));
  CHECK(says(refusal(file_of(header("<f4", "(6,)") + "x", 24)), "dict"));
  CHECK(says(refusal(file_of(header("<f4", "(six,)"), 24)), "dict"));
}

TEST_CASE("types that are not inputs are refused with what to do") {
  CHECK(says(refusal(file_of(header("|V2", "(2,)"), 4)), ".safetensors"));
  CHECK(says(refusal(file_of(header("<f8", "(2,)"), 16)), "float64"));
  CHECK(says(refusal(file_of(header(">f4", "(2,)"), 8)), "big-endian"));
  CHECK(says(refusal(file_of(header("|O", "(2,)"), 8)), "astype"));
  CHECK(says(refusal(file_of(header("<f4", "(2, 3)", "True"), 24)), "ascontiguousarray"));
}

TEST_CASE("a npy file cut at any byte, or longer than its shape says, is refused") {
  const std::vector<std::byte> whole = npy_bytes({"", TensorType::F32, {2, 3}, std::vector<std::byte>(24)});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    REQUIRE(says(refusal({whole.begin(), whole.begin() + std::ptrdiff_t(size)}), "x.npy, byte"));
  }
  CHECK(says(refusal(file_of(header("<f4", "(2, 3)"), 25)), "needs 24 bytes"));
}

TEST_CASE("a npy shape that overflows is refused") {
  CHECK(says(refusal(file_of(header("<f4", "(4611686018427387904, 4)"), 16)), "x.npy, byte"));
  CHECK(says(refusal(file_of(header("<f4", "(3000000000, 3000000000, 3000000000)"), 16)), "overflows"));
  CHECK(says(refusal(file_of(header("<f4", "(99999999999999999999999, 3)"), 16)), "overflows"));
}

TEST_CASE("a shape below 0 or of too many dimensions is refused as a shape") {
  CHECK(says(refusal(file_of(header("<f4", "(2, -6)"), 24)), "below 0 in the shape: -6"));
  CHECK(
      says(refusal(file_of(header("<f4", "(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)"), 4)), "16 dimensions"));
  CHECK(says(refusal(file_of(header("<f4", "(2, 3)"), 24, 9)), "version 9.0"));
}
