// Runs assets/lab/tilewalk_trace.py and its examples, where this machine's Python has NumPy (and PyTorch).
#include <filesystem>

#include "lab/judge/visit_trace.h"
#include "tests/support/catch.h"
#include "tests/support/run_program.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

const std::string kLab = std::string(TILEWALK_SOURCE_DIR) + "/assets/lab";
const std::string kPath = "PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='" + kLab + "'";

// A Python that has these modules; empty: none.
std::string python_with(const std::string& modules) {
  for (const char* python : {"python3", "/usr/bin/python3"})
    if (program_says(python, "-c 'import " + modules + "'").exit == 0) return python;
  return {};
}

Said run_example(const std::string& python, const std::string& example, const std::string& out,
                 const std::string& mistake) {
  return program_says(python, "'" + kLab + "/trace/" + example + "' '" + out + "' " + mistake, kPath);
}

void check_example(const std::string& python, const std::string& example, const std::vector<std::string>& mistakes) {
  const TemporaryFolder folder;
  for (const std::string& mistake : mistakes) {
    CAPTURE(example, mistake);
    const std::string out = folder.file("trace.safetensors");
    std::filesystem::remove(out);
    const Said said = run_example(python, example, out, mistake);
    INFO(said.err);
    REQUIRE(said.exit == 0);
    const Result<VisitTrace> trace = load_visit_trace(out);
    REQUIRE(trace.ok());
    const JudgeReport report = judge_trace(*trace);
    INFO(sentence_of(trace->problem, report));
    CHECK(report.passed == mistake.empty());
    if (mistake.empty()) continue;
    REQUIRE(report.diagnosis);
    CHECK(report.diagnosis->name == mistake);
    REQUIRE(report.first_wrong);
    CHECK(report.first_wrong->line > 0);
  }
}

}  // namespace

TEST_CASE("the NumPy example is right, and each of its mistakes is named", "[unit]") {
  const std::string python = python_with("numpy");
  if (python.empty()) return skip("no Python with NumPy");
  check_example(python, "numpy_example.py",
                {"", "no-rescale-l", "no-rescale-o", "no-rescale", "scale-twice", "exp2-for-exp", "mask-one-more",
                 "bf16-o", "tf32-products"});
}

TEST_CASE("the PyTorch example is right, and each of its mistakes is named", "[unit]") {
  const std::string python = python_with("torch, numpy");
  if (python.empty()) return skip("no Python with PyTorch");
  check_example(python, "torch_example.py", {"", "no-rescale-l", "no-rescale-o", "mask-one-more"});
}

TEST_CASE("the recorder takes slices, heads one by one, and rows behind the end", "[unit]") {
  const std::string python = python_with("numpy");
  if (python.empty()) return skip("no Python with NumPy");
  const TemporaryFolder folder;
  const std::string out = folder.file("t.safetensors"), script = folder.file("kernel.py");
  write_text(script, R"(
import numpy as np
from tilewalk_trace import Trace
rng = np.random.default_rng(1)
q, k, v = rng.standard_normal((2, 10, 4)), rng.standard_normal((1, 9, 4)), rng.standard_normal((1, 9, 4))
t = Trace(q, k, v, mask="causal-bottom-right", scale=0.3, path=')" +
                         out + R"(')
o, lse = np.zeros((2, 10, 4)), np.zeros((2, 10))
for h in range(2):
  for a in range(0, 10, 4):
    b = min(10, a + 4)
    m, l, acc = np.full(4, -np.inf), np.zeros(4), np.zeros((4, 4))
    for x in range(0, 9, 3):
      for r in range(a, b):
        for key in range(x, x + 3):
          if key > r - 1: continue
          s = 0.3 * q[h, r] @ k[0, key]
          new = max(m[r - a], s)
          shrink, w = np.exp(m[r - a] - new), np.exp(s - new)
          l[r - a] = l[r - a] * shrink + w
          acc[r - a] = acc[r - a] * shrink + w * v[0, key]
          m[r - a] = new
      t.visit(slice(a, b), (x, x + 3), m, l, acc, head=h)
    with np.errstate(invalid='ignore', divide='ignore'):
      o[h, a:b] = np.where(l[:, None] > 0, acc / l[:, None], 0)[:b - a]
      lse[h, a:b] = (m + np.log(l))[:b - a]
t.finish(o, lse)
)");
  const Said said = program_says(python, "'" + script + "'", kPath);
  INFO(said.err);
  REQUIRE(said.exit == 0);
  const Result<VisitTrace> trace = load_visit_trace(out);
  REQUIRE(trace.ok());
  CHECK(trace->problem.shape.heads == 2);
  CHECK(trace->problem.shape.kv_heads == 1);
  CHECK(trace->problem.shape.mask.kind == MaskKind::CausalBottomRight);
  REQUIRE(trace->visits.size() == 18);
  CHECK(trace->visits[17].head == 1);
  CHECK(trace->visits[17].q_tile == 2);
  CHECK(trace->visits[17].rows == 2);
  CHECK(trace->visits[17].kv_tile == 2);
  CHECK(trace->visits[17].first_key == 6);
  CHECK(trace->visits[17].lines.visit == 22);
  const JudgeReport report = judge_trace(*trace);
  INFO(sentence_of(trace->problem, report));
  CHECK(report.passed);
}

TEST_CASE("the recorder refuses what it cannot record, and says why", "[unit]") {
  const std::string python = python_with("numpy");
  if (python.empty()) return skip("no Python with NumPy");
  const std::string start =
      "import numpy as np; from tilewalk_trace import Trace; z = np.zeros; t = Trace(z((8, 4)), z((8, 4)), z((8, 4)), "
      "br=4, bc=4); ";
  for (const auto& [code, words] :
       {std::pair("Trace(z(4), z(4), z(4))", "must have the shape [n, d]"),
        std::pair("Trace(z((8, 4)), z((8, 4)), z((7, 4)))", "must have the shape [1, kv_heads"),
        std::pair("Trace(z((3, 8, 4)), z((2, 8, 4)), z((2, 8, 4)))", "must be a multiple"),
        std::pair("Trace(z((8, 4)), z((8, 4)), z((8, 4)), base=10)", "must be \"e\" or \"2\""),
        std::pair("Trace(z((8, 4)), z((8, 4)), z((8, 4)), mask=\"mine\")", "mask must be one of"),
        std::pair("Trace(z((8, 4)), z((8, 4)), z((8, 4))).visit(0, 0, z(4))", "give the size of a tile"),
        std::pair("t.visit(0, 0)", "neither m nor l nor o"), std::pair("t.visit(2, 0, z(4))", "got rows 8 to 8"),
        std::pair("t.visit(0, 0, z(3))", "m has 3 rows; this visit has 4"),
        std::pair("t.visit(0, 0, z(4), z(4), z((4, 5)))", "o must have the shape"),
        std::pair("t.visit(0, 0, z(4)); t.visit(0, 1, z(4), z(4))", "l at every visit, or at none"),
        std::pair("Trace(z((2, 8, 4)), z((2, 8, 4)), z((2, 8, 4)), br=4, bc=4).visit(0, 0, z(4))", "say which head"),
        std::pair("t.finish()", "no visit was recorded"),
        std::pair("t.visit(0, 0, z(4)); t.finish(z((7, 4)))", "[1, 1, 8, 4] is expected")}) {
    CAPTURE(code);
    const Said said = program_says(python, "-c '" + start + code + "'", kPath);
    CHECK(said.exit == 1);
    CHECK(said.err.find("ValueError") != std::string::npos);
    INFO(said.err);
    CHECK(said.err.find(words) != std::string::npos);
  }
}
