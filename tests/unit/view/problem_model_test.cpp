#include "view/problem_model.h"

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
  p.n_q = 1000;
  const ProblemModel large = build_problem_model(draft_of(p), {}, p, Inputs(p), 0, 0);
  CHECK(large.values.empty());
  CHECK_FALSE(large.values_note.empty());
}
