#include "files/safetensors.h"

#include <cstring>

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tensor_file_helpers.h"

using namespace tilewalk;
using test::load_safetensors;
using test::parse_safetensors;
using test::reader_of;

namespace {

std::vector<std::byte> bytes_of_file(const std::string& header, std::size_t data_bytes, std::uint64_t length) {
  std::vector<std::byte> out(8 + header.size() + data_bytes);
  for (int i = 0; i < 8; ++i) out[std::size_t(i)] = std::byte(length >> (8 * i));
  std::memcpy(out.data() + 8, header.data(), header.size());
  return out;
}

std::vector<std::byte> bytes_of_file(const std::string& header, std::size_t data_bytes) {
  return bytes_of_file(header, data_bytes, header.size());
}

// The reason of the refusal, or "accepted".
std::string why_refused(const std::vector<std::byte>& bytes) {
  const auto file = parse_safetensors(bytes, "x.safetensors");
  return file ? "accepted" : text_of(file.issues());
}

std::string tensor(const std::string& shape, const std::string& offsets, const std::string& dtype = "F32") {
  return "{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}

bool tells(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

SafetensorsFile sample() {
  SafetensorsFile file;
  file.metadata = {{"about", "two \"tensors\""}, {"version", "1"}};
  file.tensors = {{"q", TensorType::F32, {2, 3}, std::vector<std::byte>(24, std::byte(7))},
                  {"k", TensorType::BF16, {0, 5}, {}},
                  {"v", TensorType::U64, {}, std::vector<std::byte>(8, std::byte(1))}};
  return file;
}

}  // namespace

TEST_CASE("tensors written to safetensors are read back the same") {
  const auto read = parse_safetensors(safetensors_bytes(sample()), "x");
  REQUIRE(read.ok());
  CHECK(*read == sample());
}

TEST_CASE("a safetensors file saved and loaded is the same, and nothing else is left in the folder") {
  test::TemporaryFolder folder;
  REQUIRE(save_safetensors(sample(), folder.file("x.safetensors")).ok());
  const auto read = load_safetensors(folder.file("x.safetensors"));
  REQUIRE(read.ok());
  CHECK(*read == sample());
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("a safetensors file cut at any byte is refused, and the why_refused names the file") {
  const std::vector<std::byte> whole = safetensors_bytes(sample());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string text = why_refused({whole.begin(), whole.begin() + std::ptrdiff_t(size)});
    CAPTURE(size, text);
    REQUIRE(tells(text, "x.safetensors, byte"));
  }
}

TEST_CASE("a header length past the file or past 8 MiB is refused before anything is allocated for it") {
  CHECK(tells(why_refused(bytes_of_file("{}", 0, ~0ull)), "past the end"));
  CHECK(tells(why_refused(bytes_of_file("{}", 0, 3)), "past the end"));
  CHECK(tells(why_refused(bytes_of_file("{}", 0, kMaxSafetensorsHeader + 1)), "8 MiB"));
  CHECK(tells(why_refused(bytes_of_file("{}" + std::string(std::size_t(kMaxSafetensorsHeader), ' '), 0)), "8 MiB"));
  CHECK(why_refused(bytes_of_file("{}", 0)) == "accepted");
}

TEST_CASE("shapes that overflow or disagree with their bytes are refused") {
  CHECK(tells(
      why_refused(bytes_of_file("{\"a\":" + tensor("[4611686018427387904,4611686018427387904]", "[0,4]") + "}", 4)),
      "overflows"));
  CHECK(tells(why_refused(bytes_of_file("{\"a\":" + tensor("[3000000000,3000000000,3000000000]", "[0,4]") + "}", 4)),
              "overflows"));
  CHECK(tells(why_refused(bytes_of_file("{\"a\":" + tensor("[2]", "[0,4]") + "}", 4)), "needs 8 bytes"));
  CHECK(tells(why_refused(bytes_of_file("{\"a\":" + tensor("[-1]", "[0,4]") + "}", 4)), "not a dimension"));
  CHECK(tells(why_refused(bytes_of_file("{\"a\":" + tensor("[1.5]", "[0,4]") + "}", 4)), "not a dimension"));
  CHECK(tells(why_refused(bytes_of_file("{\"a\":" + tensor("[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", "[0,4]") + "}", 4)),
              "at most 16"));
  CHECK(why_refused(bytes_of_file("{\"a\":" + tensor("[1]", "[0,4]") + "}", 4)) == "accepted");
}

TEST_CASE("data that overlaps, leaves a gap, is outside or belongs to no tensor is refused") {
  auto two = [](const std::string& first, const std::string& second) {
    return bytes_of_file("{\"a\":" + tensor("[1]", first) + ",\"b\":" + tensor("[1]", second) + "}", 8);
  };
  CHECK(why_refused(two("[0,4]", "[4,8]")) == "accepted");
  CHECK(tells(why_refused(two("[0,4]", "[2,6]")), "overlaps"));
  CHECK(tells(why_refused(two("[0,4]", "[0,4]")), "overlaps"));
  CHECK(tells(why_refused(bytes_of_file("{\"a\":" + tensor("[1]", "[4,8]") + "}", 8)), "gap"));
  CHECK(tells(why_refused(bytes_of_file("{\"a\":" + tensor("[1]", "[0,4]") + "}", 8)), "belong to no tensor"));
  CHECK(tells(why_refused(bytes_of_file("{\"a\":" + tensor("[1]", "[8,12]") + "}", 8)), "outside"));
  CHECK(tells(why_refused(bytes_of_file("{\"a\":" + tensor("[1]", "[4,0]") + "}", 8)), "outside"));
  CHECK(tells(why_refused(bytes_of_file("{\"a\":" + tensor("[1]", "[-4,0]") + "}", 8)), "two numbers"));
}

TEST_CASE("repeated names, unknown keys and unknown types are refused") {
  CHECK(tells(
      why_refused(bytes_of_file("{\"a\":" + tensor("[1]", "[0,4]") + ",\"a\":" + tensor("[1]", "[0,4]") + "}", 4)),
      "twice"));
  CHECK(tells(why_refused(bytes_of_file(
                  "{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4)),
              "twice"));
  CHECK(tells(why_refused(bytes_of_file("{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4],\"x\":1}}", 4)),
              "nothing else"));
  CHECK(tells(why_refused(bytes_of_file("{\"a\":" + tensor("[1]", "[0,4]", "F33") + "}", 4)), "F33"));
  CHECK(tells(why_refused(bytes_of_file("{\"__metadata__\":{\"a\":1}}", 0)), "must be text"));
  CHECK(tells(why_refused(bytes_of_file("[1]", 0)), "begin with {"));
  CHECK(tells(why_refused(bytes_of_file("{\"a\":", 0)), "not JSON"));
}

TEST_CASE("an error in one tensor does not hide those in others, and no tensor is refused twice") {
  const auto file = parse_safetensors(
      bytes_of_file("{\"a\":[\"x\"],\"b\":3,\"c\":{\"dtype\":[1],\"shape\":{\"k\":2},\"data_offsets\":\"x\"},\"d\":" +
                        tensor("[1]", "[0,4]") + "}",
                    4),
      "x.safetensors");
  REQUIRE_FALSE(file.ok());
  REQUIRE(file.issues().size() == 3);
  for (int i = 0; i < 3; ++i) CHECK(file.issues()[std::size_t(i)].value == std::string("tensor ") + "abc"[i]);
}

TEST_CASE("a header with too many names is refused with the limit") {
  std::string tensors = "{", words = "{\"__metadata__\":{";
  for (std::size_t i = 0; i <= kMaxNames; ++i) {
    tensors += (i ? ",\"" : "\"") + std::to_string(i) + "\":" + tensor("[0]", "[0,0]", "U8");
    words += (i ? ",\"" : "\"") + std::to_string(i) + "\":\"\"";
  }
  CHECK(tells(why_refused(bytes_of_file(tensors + "}", 0)), "65,536 names"));
  CHECK(tells(why_refused(bytes_of_file(words + "}}", 0)), "65,536 names"));
}

TEST_CASE("a header nested a hundred thousand deep is refused without harm") {
  std::string header = "{\"a\":";
  header += std::string(100'000, '[') + std::string(100'000, ']') + "}";
  CHECK(why_refused(bytes_of_file(header, 0)) != "accepted");
}

TEST_CASE("a reader reads the requested tensor, from a file as from memory") {
  test::TemporaryFolder folder;
  REQUIRE(save_safetensors(sample(), folder.file("x.safetensors")).ok());
  for (const Result<SafetensorsReader>& reader :
       {SafetensorsReader::open(folder.file("x.safetensors")), Result(reader_of(sample(), "x"))}) {
    REQUIRE(reader.ok());
    CHECK(reader->metadata() == sample().metadata);
    REQUIRE(reader->find("v"));
    std::vector<std::byte> bytes(8);
    REQUIRE(reader->read(*reader->find("v"), bytes).ok());
    CHECK(bytes == sample().tensors.back().bytes);
    CHECK_FALSE(reader->find("w"));
  }
}

TEST_CASE("a file that shrank after its header was read is refused") {
  test::TemporaryFolder folder;
  const std::string path = folder.file("x.safetensors");
  REQUIRE(save_safetensors(sample(), path).ok());
  const auto reader = SafetensorsReader::open(path);
  REQUIRE(reader.ok());
  std::filesystem::resize_file(path, 20);
  std::vector<std::byte> bytes(24);
  CHECK(tells(text_of(reader->read(*reader->find("q"), bytes).issues()), "became shorter"));
}

TEST_CASE("a folder, an absent file and a device are not read as files") {
  test::TemporaryFolder folder;
  CHECK(tells(text_of(load_safetensors(folder.path()).issues()), "folder"));
  CHECK(tells(text_of(load_safetensors(folder.file("none")).issues()), "no such file"));
  CHECK(tells(text_of(load_safetensors("/dev/zero").issues()), "regular file"));
}

TEST_CASE("writing over a folder or a device is refused and changes nothing") {
  test::TemporaryFolder folder;
  CHECK(tells(text_of(save_safetensors(sample(), folder.path()).issues()), "folder"));
  CHECK(tells(text_of(save_safetensors(sample(), "/dev/null").issues()), "regular file"));
  CHECK(std::filesystem::is_character_file("/dev/null"));
  CHECK(tells(text_of(save_safetensors(sample(), folder.file("none/x")).issues()), "cannot be written"));
}
