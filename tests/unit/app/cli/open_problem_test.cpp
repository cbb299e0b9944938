#include "app/cli/open_problem.h"

#include "files/tensor_files.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tensor_file_helpers.h"

using namespace tilewalk;
using test::save_tensor;

namespace {

Problem opened(std::map<std::string, std::string> texts) {
  const auto problem = open_problem({std::move(texts), {}});
  INFO((problem ? "" : text_of(problem.issues())));
  REQUIRE(problem.ok());
  return problem->document.problem;
}

std::string refusal(std::map<std::string, std::string> texts) {
  const auto problem = open_problem({std::move(texts), {}});
  return problem ? "accepted" : text_of(problem.issues());
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("without flags the problem is that of the documentation's picture") {
  Problem picture;
  picture.shape.mask.kind = MaskKind::Causal;
  CHECK(opened({}) == picture);
}

TEST_CASE("flags other than length, head size and file change the picture's problem") {
  const Problem p = opened({{"mask", "none"}, {"seed", "9"}});
  CHECK(p.shape.n_q == 16);
  CHECK(p.shape.d == 4);
  CHECK(p.numerics.seed == 9);
  CHECK(p.shape.mask.kind == MaskKind::None);
}

TEST_CASE("with a length the problem starts from the general defaults") {
  const Problem p = opened({{"n", "1000"}, {"heads", "6"}});
  CHECK((p.shape.n_q == 1000 && p.shape.n_kv == 1000 && p.shape.d == 64 && p.tiling.br == 64 && p.tiling.bc == 64));
  CHECK((p.shape.heads == 6 && p.shape.kv_heads == 6 && p.shape.batch == 1));
  CHECK(p.shape.mask.kind == MaskKind::None);
  CHECK(p.machine.sram_bytes == 232448);
}

TEST_CASE("a single length sets both, and --n gives way to the others") {
  CHECK(opened({{"n-q", "20"}}).shape.n_kv == 20);
  CHECK(opened({{"n-kv", "20"}}).shape.n_q == 20);
  const Problem p = opened({{"n", "20"}, {"n-kv", "30"}});
  CHECK((p.shape.n_q == 20 && p.shape.n_kv == 30));
}

TEST_CASE("default tiles are halved until they fit, and given tiles never change") {
  const Problem small = opened({{"n", "64"}, {"sram", "1024"}, {"d", "8"}});
  CHECK((small.tiling.br == small.tiling.bc && small.tiling.br < 64));
  const Problem half = opened({{"n", "64"}, {"sram", "4096"}, {"d", "8"}, {"br", "16"}});
  CHECK(half.tiling.br == 16);
  CHECK(half.tiling.bc < 64);
  CHECK(says(refusal({{"n", "64"}, {"sram", "1024"}, {"d", "8"}, {"br", "64"}, {"bc", "64"}}), "bytes on chip"));
}

TEST_CASE("a device sets the SRAM unless it is given") {
  CHECK(opened({{"n", "64"}, {"device", "t4"}}).machine.sram_bytes == 65536);
  CHECK(opened({{"n", "64"}, {"device", "t4"}, {"sram", "50000"}}).machine.sram_bytes == 50000);
  CHECK(opened({{"device", "t4"}}).machine.sram_bytes == 1024);
}

TEST_CASE("a preset keeps its tiles when a flag changes the length") {
  const Problem p = opened({{"preset", "picture"}, {"n", "32"}});
  CHECK((p.shape.n_q == 32 && p.tiling.br == 4 && p.shape.d == 4));
}

TEST_CASE("shapes and dtype come from files, and must agree") {
  test::TemporaryFolder folder;
  const std::string q = folder.file("q.safetensors"), k = folder.file("k.safetensors"),
                    v = folder.file("v.safetensors");
  REQUIRE(save_tensor(q, "q", std::vector<float>(4 * 6 * 8, 1.0f), {4, 6, 8}, DType::Bf16).ok());
  REQUIRE(save_tensor(k, "k", std::vector<float>(2 * 5 * 8, 1.0f), {2, 5, 8}, DType::Bf16).ok());
  REQUIRE(save_tensor(v, "v", std::vector<float>(2 * 5 * 8, 1.0f), {2, 5, 8}, DType::Bf16).ok());
  const Problem p = opened({{"q", q}, {"k", k}, {"v", v}});
  CHECK((p.shape.heads == 4 && p.shape.kv_heads == 2 && p.shape.n_q == 6 && p.shape.n_kv == 5 && p.shape.d == 8 &&
         p.numerics.dtype == DType::Bf16));
  const Problem only_q = opened({{"q", q}});
  CHECK((only_q.shape.heads == 4 && only_q.shape.kv_heads == 4 && only_q.shape.n_kv == 6));

  REQUIRE(save_tensor(v, "v", std::vector<float>(2 * 7 * 8, 1.0f), {2, 7, 8}, DType::Bf16).ok());
  CHECK(says(refusal({{"q", q}, {"k", k}, {"v", v}}), "does not fit"));
  CHECK(says(refusal({{"q", q}, {"d", "9"}}), "disagrees"));
  CHECK(says(refusal({{"q", q}, {"dtype", "fp32"}}), "disagrees"));
}

TEST_CASE("a value that is not finite is refused with its index") {
  test::TemporaryFolder folder;
  std::vector<float> values(6, 1.0f);
  values[4] = std::numeric_limits<float>::quiet_NaN();
  REQUIRE(save_tensor(folder.file("q.npy"), "q", values, {3, 2}, DType::Fp32).ok());
  CHECK(refusal({{"q", folder.file("q.npy")}}) != "accepted");
}

TEST_CASE("an integer is parsed whole or refused") {
  CHECK(*whole_number("x", "12", 0, 20) == 12);
  for (const char* text : {"", " 12", "12 ", "+12", "0x1", "1.0", "21", "-1", "99999999999999999999"}) {
    CAPTURE(text);
    CHECK_FALSE(whole_number("x", text, 0, 20).ok());
  }
}

TEST_CASE("named tiles are a kernel's own, and are refused rather than changed where they do not fit") {
  const Problem fa2 = opened({{"n", "4096"}, {"d", "128"}, {"dtype", "fp16"}, {"tiles", "released"}});
  CHECK((fa2.tiling.br == 128 && fa2.tiling.bc == 64));
  const Problem fa3 = opened({{"n", "4096"}, {"d", "128"}, {"dtype", "fp16"}, {"tiles", "fa3"}, {"mask", "causal"}});
  CHECK((fa3.tiling.br == 128 && fa3.tiling.bc == 128 && fa3.schedule == ScheduleKind::FlashV2));
  CHECK(says(refusal({{"n", "4096"}, {"d", "128"}, {"tiles", "released"}}), "not fp32"));
  CHECK(opened({{"n", "4096"}, {"d", "64"}, {"tiles", "fa2"}}).tiling.br == 128);
  CHECK(says(refusal({{"n", "64"}, {"d", "64"}, {"tiles", "fa2"}, {"br", "8"}}), "cannot be joined"));
  CHECK(says(refusal({{"n", "64"}, {"d", "64"}, {"tiles", "fa9"}}), "Try one of released, fa2, fa3"));
  CHECK(says(refusal({{"n", "64"}, {"d", "64"}, {"tiles", "fa2"}, {"sram", "20000"}}), "br"));
  std::map<std::string, std::string> paper = {
      {"n", "512"}, {"d", "32"}, {"schedule", "flash_v1"}, {"tiles", "paper"}, {"sram", "65536"}};
  CHECK((opened(paper).tiling.br == 32 && opened(paper).tiling.bc == 128));  // M is 16,384 elements
  paper["schedule"] = "flash_v2";
  CHECK(says(refusal(paper), "is none that this problem"));
}

TEST_CASE("dO comes from a file of Q's shape, and one value of it from --edit") {
  test::TemporaryFolder folder;
  std::vector<float> values(16 * 4, 0.5f);
  values[5] = -2;
  REQUIRE(save_tensor(folder.file("do.npy"), "do", values, {1, 1, 16, 4}, DType::Fp32).ok());
  const auto problem = open_problem(
      {{{"schedule", "backward"}, {"do", folder.file("do.npy")}, {"br", "4"}, {"bc", "4"}}, {"dO:0:0:2:3=7.5"}});
  INFO((problem ? "" : text_of(problem.issues())));
  REQUIRE(problem.ok());
  CHECK(problem->document.problem.shape.n_q == 16);
  CHECK(problem->document.problem.shape.d == 4);
  const Inputs inputs = problem->inputs();
  CHECK(inputs.at({TensorId::dO}, 1, 1) == -2);
  CHECK(inputs.at({TensorId::dO}, 2, 3) == 7.5f);
  CHECK(inputs.at({TensorId::dO}, 0, 0) == 0.5f);
  const auto again = load_inputs(problem->document);
  REQUIRE(again.ok());
  CHECK(again->tensors.d_o->values == values);
  CHECK(says(refusal({{"schedule", "backward"}, {"do", folder.file("do.npy")}, {"n-q", "8"}}),
             "disagrees with the file for do"));
}

TEST_CASE("presets read to find one stay with the opened document") {
  const Result<Opening> opening = open_problem({.texts = {{"preset", "paper"}}, .edits = {}});
  REQUIRE(opening.ok());
  CHECK(opening->presets.size() > 20);
  const Result<Opening> fresh = open_problem({.texts = {{"n", "1000"}}, .edits = {}});
  REQUIRE(fresh.ok());
  CHECK(fresh->presets.empty());
}
