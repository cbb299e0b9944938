// A learner's run as the window walks it: holes filled one by one, the path of a thread, what each visit should be.
#include "lab/tasks/lab_run.h"

#include "lab/tasks/holes.h"
#include "lab/tasks/task.h"
#include "tests/unit/lab/lab_helpers.h"

using namespace tilewalk;

namespace {

std::vector<lab::LabTask> all_tasks() {
  Result<std::vector<lab::LabTask>> tasks = lab::load_tasks(std::string(TILEWALK_SOURCE_DIR) + "/assets/lab");
  REQUIRE(tasks);
  return *tasks;
}

lab::LabTask task_of(int number) {
  for (lab::LabTask& each : all_tasks())
    if (each.number == number) return each;
  FAIL("no such task");
  return {};
}

lab::LabRunResult run_of(const lab::LabTask& task, const std::string& text, int thread = 0, std::int64_t slice = 1000) {
  lab::LabRun run({text, lab::setups_of(task), thread});
  double before = 0;
  while (!run.work(slice)) {
    CHECK(run.progress() >= before);
    before = run.progress();
  }
  return run.take();
}

}  // namespace

TEST_CASE("showing one hole after the other turns every start into its solution", "[unit]") {
  for (const lab::LabTask& task : all_tasks()) {
    INFO(task.name);
    const lab::TaskHoles holes(task.start, task.solution);
    REQUIRE_FALSE(holes.holes().empty());
    CHECK(holes.find(task.start).size() == holes.holes().size());
    std::string text = task.start;
    std::size_t filled = 0;
    for (std::optional<std::string> next; (next = holes.fill_next(text)); text = *next)
      REQUIRE(++filled <= holes.holes().size());
    CHECK(filled == holes.holes().size());
    CHECK(text == task.solution);
  }
}

TEST_CASE("a hole is found by the lines beside it, whatever was written into it", "[unit]") {
  const lab::TaskHoles holes("a\nb\n// hole\n\nc\nd\ne\nf\ng = 0\nh\n", "a\nb\nx\nc\nd\ne\nf\ng = 1\nh\n");
  REQUIRE(holes.holes().size() == 2);
  const std::string own = "own\na\nb\nwrong\nmore\nc\nd\ne\nf\ng = 0\nh\n";
  CHECK(holes.fill_next(own) == "own\na\nb\nx\nc\nd\ne\nf\ng = 0\nh\n");
  CHECK(holes.fill_next("a\nb\nx\nc\nd\ne\nf\ng = 2\nh\n") == "a\nb\nx\nc\nd\ne\nf\ng = 1\nh\n");
  CHECK(holes.fill_next("a\nb\nx\nc\nd\ne\nf\ng = 1\nh\n") == std::nullopt);
  CHECK(holes.fill_next("nothing of it\n") == std::nullopt);
  const std::vector<lab::HoleLines> found = holes.find(own);
  REQUIRE(found.size() == 2);
  CHECK(found[0].first == 4);
  CHECK(found[0].last == 5);
  CHECK(found[1].first == 10);
}

TEST_CASE("each visit of a right run keeps what is expected, and a wrong one says in which row it does not", "[unit]") {
  const lab::LabTask task = task_of(5);
  const lab::LabRunResult right = run_of(task, task.solution);
  REQUIRE(right.report.passed);
  CHECK(right.passed == right.of);
  REQUIRE(right.visits.size() == 16);
  for (const lab::CheckedVisit& each : right.visits) {
    REQUIRE(each.right);
    REQUIRE(each.expected.size() == std::size_t(each.visit.rows));
    for (std::size_t row = 0; row < each.expected.size(); ++row) {
      const ExpectedRow& expected = each.expected[row];
      CHECK(expected.m == Approx(each.visit.m[row]).epsilon(1e-5));
      CHECK(expected.l == Approx(each.visit.l[row]).epsilon(1e-5));
      REQUIRE(expected.o.size() == 4);
      for (std::size_t x = 0; x < 4; ++x)
        CHECK(expected.o[x] == Approx(each.visit.o[row * 4 + x]).epsilon(1e-4).margin(1e-5));
    }
  }
  for (const lab::WrongVersion& version : task.wrong) {
    if (version.name != "no-rescale-o") continue;
    const lab::LabRunResult wrong = run_of(task, version.text);
    REQUIRE(wrong.report.judged->first_wrong);
    const lab::CheckedVisit& first = wrong.visits[std::size_t(wrong.report.judged->first_wrong->visit)];
    CHECK_FALSE(first.right);
    const auto row = std::size_t(wrong.report.judged->first_wrong->row - first.visit.first_row);
    CHECK(first.expected[row].o_wrong);
    CHECK_FALSE(first.expected[row].l_wrong);
    CHECK(first.expected[row].o[std::size_t(*wrong.report.judged->first_wrong->column)] ==
          Approx(wrong.report.judged->first_wrong->expected));
  }
}

TEST_CASE("the path of a thread leads through its lines, and the walk stands at each of them again", "[unit]") {
  const lab::LabTask task = task_of(5);
  lab::LabRunResult run = run_of(task, task.solution, 5);
  REQUIRE(run.stops.size() > 500);
  CHECK(run.stops.back().step == run.walked.totals.steps);
  CHECK(run.stops.back().visits == 16);
  CHECK(run.stops.back().block == 3);
  for (std::size_t at = 1; at < run.stops.size(); ++at) {
    const lab::PathStop &a = run.stops[at - 1], &b = run.stops[at];
    REQUIRE(a.step < b.step);
    REQUIRE(a.block <= b.block);
    REQUIRE(a.visits <= b.visits);
    REQUIRE(a.barriers <= b.barriers);
  }
  for (std::size_t at = run.stops.size() - 2; at > 40; at -= 37) {  // backwards
    const lab::Machine& machine = run.walk->at(run.stops[at].step);
    CHECK(machine.place_of(5).line == run.stops[at].line);
  }
  lab::LabRunResult again = run_of(task, task.solution, 5, 7);
  CHECK(again.stops == run.stops);
}

TEST_CASE("a text that does not compile is told, and one that fails on another size", "[unit]") {
  const lab::LabTask task = task_of(5);
  const lab::LabRunResult none = run_of(task, "__global__ void attention(");
  CHECK_FALSE(none.report.compiled);
  CHECK_FALSE(none.walk);
  CHECK(none.stops.empty());
  const std::string cut = "const int cols = min(BC, N_KV - j * BC);";
  std::string text = task.solution;
  text.replace(text.find(cut), cut.size(), "const int cols = BC;");
  const lab::LabRunResult ragged = run_of(task, text);
  CHECK_FALSE(ragged.report.passed);
  CHECK_FALSE(ragged.walked.passed);
  CHECK(ragged.passed == 1);
  CHECK(ragged.report.sentence.find(
            "Right for the task's own problem, but not with --n-q 13 --n-kv 11 --d 5. There: ") == 0);
  CHECK(ragged.setup.problem.shape.n_q == 13);
  CHECK_FALSE(ragged.visits.empty());
}

TEST_CASE("a run that stopped before it wrote anything guesses no mistake", "[unit]") {
  lab::LabSetup setup = task_of(5).setup;
  setup.most_steps = 2000;
  const std::string text =
      "__global__ void attention(const float* Q, const float* K, const float* V, float* O, float* L) {\n"
      "  while (true) {}\n}\n";
  const lab::LabReport report = lab::check_kernel("// launch: grid(1) block(4)\n" + text, setup);
  REQUIRE(report.compiled);
  CHECK_FALSE(report.ended);
  REQUIRE(report.judged);
  CHECK_FALSE(report.judged->first_wrong);
  CHECK_FALSE(report.judged->diagnosis);
  CHECK_FALSE(report.diagnosis);
}
