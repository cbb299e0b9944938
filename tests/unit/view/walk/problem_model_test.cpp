#include "view/walk/problem_model.h"

#include "tests/unit/view/view_fixture.h"

using namespace tilewalk;
using tilewalk::test::picture;

TEST_CASE("an issue stands under the field it concerns, and nothing can be applied") {
  const Problem p = picture();
  Draft draft = draft_of(p);
  draft["d"] = "0";
  const auto result = problem_of(draft);
  REQUIRE_FALSE(result.ok());
  const ProblemModel m = build_problem_model(draft, result.issues(), p, Inputs(p), 0, 0);
  CHECK_FALSE(m.can_apply);
  for (const ProblemField& field : m.fields) {
    CHECK(field.issues.empty() == (std::string(field.field->name) != "d"));
    CHECK(field.changed == (std::string(field.field->name) == "d"));
  }
  CHECK(m.other_issues.empty());
}

TEST_CASE("every issue is shown somewhere, also one that no field has") {
  const Problem p = picture();
  const Issues issues = {{"n-q x n-kv x heads x batch", "", "too much", ""}, {"elsewhere", "", "is wrong", ""}};
  const ProblemModel m = build_problem_model(draft_of(p), issues, p, Inputs(p), 0, 0);
  CHECK(m.other_issues == std::vector<std::string>{"elsewhere: is wrong"});
}

TEST_CASE("a good draft says what applying it would give") {
  const Problem p = picture();
  const ProblemModel m = build_problem_model(draft_of(p), {}, p, Inputs(p), 0, 0);
  CHECK(m.can_apply);
  CHECK(m.summary == "10 tile visits, 92 steps, 352 B of 1.00 KiB on chip");
}

TEST_CASE("the values of a tiny problem can be edited, of a larger one not, and why is said") {
  Problem p = picture();
  const std::vector<InputEdit> edits = {{TensorId::K, 0, 0, 2, 1, 9.0f}};
  const ProblemModel m = build_problem_model(draft_of(p), {}, p, Inputs(p, {}, edits), 0, 0);
  REQUIRE(m.values.size() == 3);
  CHECK(m.values[1].values[2 * 4 + 1] == 9.0f);
  CHECK(m.values[1].edited[2 * 4 + 1]);
  p.shape.n_q = 1000;
  const ProblemModel large = build_problem_model(draft_of(p), {}, p, Inputs(p), 0, 0);
  CHECK(large.values.empty());
  CHECK_FALSE(large.values_note.empty());
}

TEST_CASE("a backward pass has dO among the values that can be edited") {
  Problem p = picture(ScheduleKind::Backward);
  p.machine.sram_bytes = 1 << 16;
  const std::vector<InputEdit> edits = {{TensorId::dO, 0, 0, 2, 1, 9.0f}};
  const ProblemModel m = build_problem_model(draft_of(p), {}, p, Inputs(p, {}, edits), 0, 0);
  REQUIRE(m.values.size() == 4);
  CHECK(m.values[3].tensor == "dO");
  CHECK(m.values[3].values[2 * 4 + 1] == 9.0f);
  CHECK(m.values[3].edited[2 * 4 + 1]);
  CHECK(m.tiles.empty());  // released backward kernels are not listed
}

TEST_CASE("tile sizes of real kernels are offered by head size, mask and device, and the chosen one is marked") {
  Problem p = picture();
  p.shape.n_q = p.shape.n_kv = 4096;
  p.shape.d = 128;
  p.numerics.dtype = DType::Fp16;
  p.tiling.br = 128, p.tiling.bc = 64;
  p.machine.sram_bytes = 232448;
  const auto of = [](const Problem& problem) {
    return build_problem_model(draft_of(problem), {}, problem, Inputs(problem), 0, 0).tiles;
  };
  const auto tiles = of(p);
  REQUIRE(tiles.size() == 2);
  CHECK(tiles[0].label == "FA-2's kernel 128×64");
  CHECK(tiles[0].chosen);
  CHECK(tiles[1].label == "FA-3's kernel 128×128");
  CHECK_FALSE(tiles[1].chosen);
  CHECK(tiles[1].tip.find("hopper/tile_size.h") != std::string::npos);
  p.machine.device = "a100";
  p.machine.sram_bytes = 65536;
  CHECK(of(p).size() == 1);
  p.numerics.dtype = DType::Fp32;
  CHECK(of(p)[0].tip.find("released kernels have no fp32") != std::string::npos);
  Draft broken = draft_of(p);
  broken["d"] = "many";
  CHECK(build_problem_model(broken, {}, p, Inputs(p), 0, 0).tiles.size() == 1);
}
