#include "files/tensor_files.h"

#include "files/npy.h"
#include "files/safetensors.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tensor_file_helpers.h"

using namespace tilewalk;
using test::save_tensor;

namespace {

bool says(const Issues& issues, const std::string& part) { return text_of(issues).find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a tensor saved in each type and format is loaded with its values and type") {
  test::TemporaryFolder folder;
  const std::vector<float> values = {1.0f, -2.5f, 0.0f, 65504.0f, 0.5f, -0.25f};
  for (const auto& [ending, dtype] :
       {std::pair(".npy", DType::Fp32), std::pair(".npy", DType::Fp16), std::pair(".safetensors", DType::Fp32),
        std::pair(".safetensors", DType::Fp16), std::pair(".safetensors", DType::Bf16)}) {
    const std::string path = folder.file(std::string("q") + ending);
    REQUIRE(save_tensor(path, "q", values, {1, 1, 3, 2}, dtype).ok());
    const auto read = load_input_tensor(path, "q");
    REQUIRE(read.ok());
    CHECK(read->dtype == dtype);
    CHECK(read->tensor.rows == 3);
    CHECK(read->tensor.cols == 2);
    std::vector<float> expected = values;
    if (dtype == DType::Bf16) expected[3] = 65536.0f;
    CHECK(read->tensor.values == expected);
  }
}

TEST_CASE("missing leading dimensions of an input count as one") {
  test::TemporaryFolder folder;
  REQUIRE(save_tensor(folder.file("a.npy"), "q", std::vector<float>(24), {2, 3, 4}, DType::Fp32).ok());
  const auto three = load_input_tensor(folder.file("a.npy"), "q");
  REQUIRE(three.ok());
  CHECK((three->tensor.batch == 1 && three->tensor.heads == 2 && three->tensor.rows == 3 && three->tensor.cols == 4));
  REQUIRE(save_tensor(folder.file("b.npy"), "q", std::vector<float>(6), {6}, DType::Fp32).ok());
  CHECK(says(load_input_tensor(folder.file("b.npy"), "q").issues(), "[n, d]"));
  REQUIRE(save_tensor(folder.file("c.npy"), "q", {}, {0, 4}, DType::Fp32).ok());
  CHECK(says(load_input_tensor(folder.file("c.npy"), "q").issues(), "dimension of 0"));
}

TEST_CASE("an input without the requested name is refused with the existing names") {
  test::TemporaryFolder folder;
  REQUIRE(save_tensor(folder.file("a.safetensors"), "query", {1.0f}, {1, 1}, DType::Fp32).ok());
  CHECK(says(load_input_tensor(folder.file("a.safetensors"), "q").issues(), "it has query"));
  CHECK(says(load_input_tensor(folder.file("a.txt"), "q").issues(), "must end in"));
}

TEST_CASE("an integer tensor is not an input") {
  test::TemporaryFolder folder;
  SafetensorsFile file;
  file.tensors = {{"q", TensorType::I32, {1, 1}, std::vector<std::byte>(4)}};
  REQUIRE(save_safetensors(file, folder.file("a.safetensors")).ok());
  CHECK(says(load_input_tensor(folder.file("a.safetensors"), "q").issues(), "I32"));
}

TEST_CASE("bf16 in npy is refused before any work") {
  const auto refused = [](const std::string& path, DType dtype) {
    const Result<OutputRequest> request = tensor_request("out", path, dtype);
    return request ? OutputFile::open(*request).issues() : request.issues();
  };
  CHECK(says(refused("o.npy", DType::Bf16), ".safetensors"));
  CHECK(says(refused("none/of/this/o.npy", DType::Fp32), "folder"));
  CHECK(says(refused("o.txt", DType::Fp32), "must end in"));
  CHECK(tensor_request("out", "o.npy", DType::Fp16).ok());
}

TEST_CASE("several tensors go into one file, each of its own type") {
  test::TemporaryFolder folder;
  const std::string path = folder.file("all.safetensors");
  Result<OutputFile> file = OutputFile::open(*tensor_request("out", path, DType::Bf16));
  REQUIRE(file.ok());
  REQUIRE(write_tensors(*file, {{"o", {1, 2}, {1, 2}, DType::Bf16}, {"lse", {3}, {1, 1}, DType::Fp32}}).ok());
  REQUIRE(rename_into_place({&*file, 1}).ok());
  CHECK(load_input_tensor(path, "o")->dtype == DType::Bf16);
  CHECK(load_input_tensor(path, "lse")->tensor.values == std::vector<float>{3});
  CHECK(holds_many_tensors(path));
  CHECK_FALSE(holds_many_tensors("o.npy"));
}
