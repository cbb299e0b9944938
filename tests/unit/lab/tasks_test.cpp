// Plays the tasks of assets/lab.
#include "lab/tasks/holes.h"
#include "lab/tasks/task.h"
#include "tests/unit/lab/lab_helpers.h"

using namespace tilewalk;

TEST_CASE("each task: the start fails as said, wrong versions get their diagnosis, the solution passes", "[unit]") {
  const auto tasks = lab::load_tasks(std::string(TILEWALK_SOURCE_DIR) + "/assets/lab");
  INFO((tasks ? std::string() : text_of(tasks.issues())));
  REQUIRE(tasks);
  CHECK(!tasks->empty());
  for (const lab::LabTask& each : *tasks) {
    std::string faults;
    for (const std::string& fault : check_task(each)) faults += fault + "\n";
    INFO(faults);
    CHECK(faults.empty());
    if ((each.number >= 4 && each.number <= 9) || each.number == 11) CHECK(each.wrong.size() >= 6);
  }
}

TEST_CASE("each hole has a short comment, and filling them one by one gives the solution", "[unit]") {
  const auto tasks = lab::load_tasks(std::string(TILEWALK_SOURCE_DIR) + "/assets/lab");
  REQUIRE(tasks);
  for (const lab::LabTask& each : *tasks) {
    CAPTURE(each.number);
    const lab::TaskHoles holes(each.start, each.solution);
    std::size_t marked = 0;
    for (std::size_t at = each.start.find("// Hole"); at != std::string::npos;
         at = each.start.find("// Hole", at + 1)) {
      const std::size_t begin = each.start.rfind('\n', at) + 1, end = each.start.find('\n', at);
      INFO(each.start.substr(begin, end - begin));
      CHECK(end - begin <= 66);
      ++marked;
    }
    if (marked > 0) CHECK(marked == holes.holes().size());
    std::string text = each.start;
    std::size_t filled = 0;
    while (const auto next = holes.fill_next(text)) {
      text = *next;
      REQUIRE(++filled <= holes.holes().size());
    }
    CHECK(text == each.solution);
    CHECK(check_kernel(text, each.setup).passed);
  }
}

TEST_CASE("a task's text ends with the sizes of its problem", "[unit]") {
  const auto tasks = lab::load_tasks(std::string(TILEWALK_SOURCE_DIR) + "/assets/lab");
  REQUIRE(tasks);
  CHECK((*tasks)[0].prose.ends_with(
      "It runs with N_Q = 8, N_KV = 8, D = 4, BR = 8, BC = 8, THREADS = 16, then with others.\n"));
  CHECK((*tasks)[1].prose.ends_with("THREADS = 8.\n"));
  CHECK((*tasks)[5].prose.ends_with("THREADS = 16 and a causal mask, then with others.\n"));
}

TEST_CASE("a kernel that is right for one size alone does not pass a task", "[unit]") {
  const auto tasks = lab::load_tasks(std::string(TILEWALK_SOURCE_DIR) + "/assets/lab");
  REQUIRE(tasks);
  const lab::LabTask* blank = nullptr;
  for (const lab::LabTask& each : *tasks)
    if (each.number == 12) blank = &each;
  REQUIRE(blank);
  std::string text = blank->solution;
  const std::string loop = "j * BC < seen";
  text.replace(text.find(loop), loop.size(), "N_Q == 16 ? j * BC < seen : j < 1");
  const std::vector<lab::LabSetup> setups = lab::setups_of(*blank);
  REQUIRE(setups.size() == 4);
  CHECK(check_kernel(text, setups[0]).passed);
  CHECK(!check_kernel(text, setups[1]).passed);
}

namespace {

// A thread block for each row, of one thread; its state is in registers and local memory.
std::string kernel_by_rows(const std::string& grid_and_block, const std::string& mark) {
  return "// launch: " + grid_and_block +
         "\n"
         "__global__ void attention(const float* Q, const float* K, const float* V, float* O, float* L) {\n"
         "  const int row = blockIdx.x; float m = -INFINITY, l = 0.0f, o[D] = {0};\n"
         "  for (int j = 0; j < N_KV / BC; ++j) {\n"
         "    for (int c = j * BC; c < j * BC + BC; ++c) {\n"
         "      float s = 0.0f;\n"
         "      for (int x = 0; x < D; ++x) s = fmaf(Q[row * D + x], K[c * D + x], s);\n"
         "      s *= SCALE;\n"
         "      const float m_new = fmaxf(m, s), alpha = expf(m - m_new), p = expf(s - m_new);\n"
         "      l = l * alpha + p; m = m_new;\n"
         "      for (int x = 0; x < D; ++x) o[x] = o[x] * alpha + p * V[c * D + x];\n"
         "    }\n" +
         mark +
         "  }\n"
         "  for (int x = 0; x < D; ++x) O[row * D + x] = o[x] / l;\n"
         "  L[row] = m + logf(l);\n"
         "}\n";
}

}  // namespace

TEST_CASE("row_done shows a row from registers and local memory, and its base is found out", "[unit]") {
  const std::string text = kernel_by_rows("grid(N_Q, HEADS, BATCH) block(1)", "row_done(row, j, m, l, o);");
  lab::LabSetup setup;
  setup.judging = lab::LabJudging::Visits;
  lab::LabReport report = check_kernel(text, setup);
  INFO(verdict_text(report));
  CHECK(report.passed);
  CHECK(report.judged->visits == 16 * 4);
  report = check_kernel("// base: 2\n" + text, setup);
  INFO(verdict_text(report));
  CHECK(!report.passed);
}

TEST_CASE("row_done that is called twice for a row, or never, gets a sentence", "[unit]") {
  lab::LabSetup setup;
  setup.judging = lab::LabJudging::Visits;
  const auto findings = [](const lab::LabReport& report) {
    std::string out;
    for (const lab::Finding& each : report.findings)
      if (each.kind == lab::FindingKind::MarkedTwice) out += text_of(each) + "\n";
    return out;
  };
  const std::string right = "row_done(row, j, m, l, o);";
  CHECK(findings(check_kernel(kernel_by_rows("grid(N_Q, HEADS, BATCH) block(1)", right), setup)).empty());

  setup.threads = 2;  // both compute the row
  const lab::LabReport both = check_kernel(kernel_by_rows("grid(N_Q, HEADS, BATCH) block(2)", right), setup);
  CHECK(findings(both).find("row_done was called twice for row 0 and KV tile 0, by thread 0 before. Let one thread of "
                            "each row call it.") != std::string::npos);
  setup.threads = 1;
  const lab::LabReport again = check_kernel(
      kernel_by_rows("grid(N_Q, HEADS, BATCH) block(1)", right + " for (int e = 0; e < 2; ++e) " + right), setup);
  CHECK(findings(again).find("row_done was called twice for row 0 and KV tile 0, both times by this thread.") !=
        std::string::npos);

  const lab::LabReport never =
      check_kernel(kernel_by_rows("grid(N_Q, HEADS, BATCH) block(1)", "if (row != 5 || j != 2) " + right), setup);
  CHECK(!never.passed);
  CHECK(never.sentence.find("row_done is missing for 1 row: row 5 of batch entry 0, head 0 sees KV tile 2") !=
        std::string::npos);
}

TEST_CASE("what a visit costs is counted by visit", "[unit]") {
  const std::string text = tilewalk::test::text_of_file("assets/lab/05-fa2-loop/solution.cu");
  lab::LabSetup setup;
  setup.threads = 16;
  setup.judging = lab::LabJudging::Visits;
  const lab::LabReport report = check_kernel(text, setup);
  REQUIRE(report.visit_counters.size() == 16);
  for (std::size_t visit = 0; visit < 16; ++visit) {
    const lab::RunCounters& count = report.visit_counters[visit];
    CHECK(count.read_bytes[1] == 4 * 4 * 4);  // one KV tile
    CHECK(count.read_bytes[2] == 4 * 4 * 4);
    CHECK(count.read_bytes[0] == (visit % 4 == 0 ? 4 * 4 * 4 : 0));  // a Q tile, in its first visit
    CHECK(count.fused == 4 * 4 * 4 + 4 * 4 * 4 + 4);
    CHECK(count.exponentials == 16 + (visit % 4 == 0 ? 0 : 4));  // P, and alpha but where m was -inf
  }
  for (const lab::TensorBytes& each : report.bytes) {
    CAPTURE(each.name);
    CHECK(each.read == each.ledger_read);
    CHECK(each.written == each.ledger_written);
  }
}
