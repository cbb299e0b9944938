#include "lab/judge/visit_trace.h"

#include <cstring>

#include "tests/support/catch.h"
#include "tests/support/tensor_file_helpers.h"
#include "tests/unit/lab_judge/tiled_kernel.h"
#include "tests/unit/lab_judge/trace_file.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

Result<VisitTrace> read(const SafetensorsFile& file) { return visit_trace_from(reader_of(file, "x.safetensors"), "x"); }

TensorFileEntry& tensor(SafetensorsFile& file, const std::string& name) {
  return *std::find_if(file.tensors.begin(), file.tensors.end(), [&](const auto& t) { return t.name == name; });
}

void set_mark(SafetensorsFile& file, std::size_t visit, std::size_t column, std::int64_t value) {
  std::memcpy(tensor(file, "visits").bytes.data() + (visit * 10 + column) * 8, &value, 8);
}

}  // namespace

TEST_CASE("a trace is read as it was recorded, and judged", "[unit]") {
  Problem p = lab_problem(21, 37, 16, 8, 8, MaskKind::Causal);
  p.shape.heads = 4, p.shape.kv_heads = 2, p.shape.batch = 2;
  const TiledKernel kernel{.base = Base::Two, .kv_outside = true};
  const ExposingInputs in = exposing_inputs(p, 0);
  const TiledKernel::Result run = kernel.run(p, in);
  const Result<VisitTrace> trace = read(trace_file(p, kernel.base, in, run));
  REQUIRE(trace.ok());
  CHECK(trace->problem.shape == p.shape);
  CHECK(trace->problem.tiling.br == 8);
  CHECK(trace->problem.tiling.bc == 8);
  CHECK(trace->rules.base == Base::Two);
  CHECK(trace->rules.lse_base == Base::E);
  REQUIRE(trace->visits.size() == run.visits.size());
  for (std::size_t i = 0; i < run.visits.size(); ++i) {
    LabVisit expected = run.visits[i];
    expected.lines = {.visit = 40};
    CHECK(trace->visits[i] == expected);
  }
  const JudgeReport report = judge_trace(*trace);
  INFO(sentence_of(p, report));
  CHECK(report.passed);
}

TEST_CASE("mistakes in a trace are named", "[unit]") {
  const Problem p = lab_problem(24, 40, 16, 8, 8, MaskKind::Causal);
  for (const char* name : {"tf32-products", "exp2-for-exp", "scale-twice", "mask-one-more", "bf16-o", "no-rescale-o"}) {
    const TiledKernel kernel{.mistake = name};
    const ExposingInputs in = exposing_inputs(p, 0);
    const Result<VisitTrace> trace = read(trace_file(p, Base::E, in, kernel.run(p, in)));
    REQUIRE(trace.ok());
    const JudgeReport report = judge_trace(*trace);
    CAPTURE(name);
    CHECK(!report.passed);
    REQUIRE(report.first_wrong);
    CHECK(report.first_wrong->line == 40);
    REQUIRE(report.diagnosis);
    CHECK(report.diagnosis->name == name);
  }
}

TEST_CASE("a trace that is stopped is not passed", "[unit]") {
  const Problem p = lab_problem(16, 32, 8, 8, 8);
  const ExposingInputs in = exposing_inputs(p, 0);
  const Result<VisitTrace> trace = read(trace_file(p, Base::E, in, TiledKernel{}.run(p, in)));
  REQUIRE(trace.ok());
  CHECK(judge_trace(*trace).passed);
  CHECK(!judge_trace(*trace, [](double at) { return at < 0.5; }).passed);
}

TEST_CASE("a bad trace is refused with field, value, rule and way out", "[unit]") {
  const Problem p = lab_problem(16, 32, 8, 8, 8);
  const ExposingInputs in = exposing_inputs(p, 0);
  SafetensorsFile file = trace_file(p, Base::E, in, TiledKernel{}.run(p, in));
  std::string expected;
  const auto metadata = [&](const char* key, const char* value) {
    file.metadata[key] = value;
    expected = std::string("x, ") + key + " = " + value + ":";
  };
  SECTION("format") { metadata("format", "pictures"); }
  SECTION("version") { metadata("version", "9"); }
  SECTION("base") { metadata("base", "10"); }
  SECTION("base of L") { metadata("lse_base", "ln"); }
  SECTION("mask") { metadata("mask", "window:-1:2"); }
  SECTION("scale") { metadata("scale", "nan"); }
  SECTION("dtype") { metadata("dtype", "fp8"); }
  SECTION("columns") { metadata("columns", "row"); }
  SECTION("a key is missing") {
    file.metadata.erase("mask");
    expected = "x, metadata: lacks the key mask.";
  }
  SECTION("a tensor is missing") {
    std::erase_if(file.tensors, [](const auto& t) { return t.name == "k"; });
    expected = "x: lacks the tensor k.";
  }
  SECTION("a tensor of another type") {
    tensor(file, "visits").type = TensorType::F64;
    expected = "x, tensor visits = F64: must be I64.";
  }
  SECTION("no state") {
    std::erase_if(file.tensors, [](const auto& t) { return t.name == "m" || t.name == "l" || t.name == "o"; });
    expected = "x: has none of the tensors m, l and o.";
  }
  SECTION("v of another length") {
    TensorFileEntry& v = tensor(file, "v");
    v.shape[2] = 31;
    v.bytes.resize(31 * 8 * 4);
    expected = "x, tensor v = [1, 1, 31, 8]: must be [1, 1, 32, 8].";
  }
  SECTION("too few rows of m") {
    TensorFileEntry& m = tensor(file, "m");
    m.shape[0] -= 1;
    m.bytes.resize(m.bytes.size() - 4);
    expected = "x, tensor m = [63]: must be [64].";
  }
  SECTION("a head that does not exist") {
    set_mark(file, 2, 1, 1);
    expected = "x, visit 3, head = 1: must be from 0 to 0.";
  }
  SECTION("rows past the end") {
    set_mark(file, 2, 4, 12);
    expected = "x, visit 3 = 12 + 8 rows: must end at row 16.";
  }
  SECTION("a negative count") {
    set_mark(file, 0, 7, -5);
    expected = "x, visit 1, keys = -5: must be from 0 to ";
  }
  SECTION("a huge tile") {
    set_mark(file, 0, 3, std::numeric_limits<std::int64_t>::max());
    expected = "x, visit 1, kv_tile = 9223372036854775807: must be from 0 to ";
  }
  SECTION("inputs that are not finite") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(tensor(file, "k").bytes.data() + 40, &nan, 4);
    expected = "x, tensor k, value 10 = nan: must be finite.";
  }
  const Result<VisitTrace> trace = read(file);
  REQUIRE(!trace.ok());
  REQUIRE(!trace.issues().empty());
  const std::string text = trace.issues().front().text();
  CAPTURE(text, expected);
  CHECK(text.starts_with(expected));
  CHECK(!trace.issues().front().suggestion.empty());
}
