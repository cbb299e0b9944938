// What the machine finds: each mistake is named, with both parties.
#include "lab/run/run_walk.h"
#include "tests/unit/lab/lab_helpers.h"

using namespace tilewalk;
using namespace tilewalk::test;
using lab::Finding;
using lab::FindingKind;

namespace {

// A kernel of one block of 4 threads around some statements, which begin in line 4.
std::string kernel(const std::string& body, const char* launch = "grid(1) block(4)") {
  return std::string("// launch: ") + launch +
         "\n__global__ void attention(const float* Q, const float* K, float* O, float* L) {\n"
         "  const int t = threadIdx.x; __shared__ float s[4]; __shared__ float w[2][8];\n" +
         body + "\n}\n";
}

std::vector<Finding> findings_of(const std::string& body, const char* launch = "grid(1) block(4)",
                                 std::int64_t steps = 1'000'000) {
  return run_text(kernel(body, launch), Problem{}, 4, 0, steps).findings();
}

const Finding* first_of(const std::vector<Finding>& all, FindingKind kind) {
  for (const Finding& each : all)
    if (each.kind == kind) return &each;
  return nullptr;
}

// The only finding is of this kind, in that line.
Finding only(const std::string& body, FindingKind kind, int line, const char* launch = "grid(1) block(4)",
             std::int64_t steps = 1'000'000) {
  const std::vector<Finding> all = findings_of(body, launch, steps);
  std::string texts;
  for (const Finding& each : all) texts += text_of(each) + "\n";
  INFO(texts);
  REQUIRE(all.size() == 1);
  CHECK(all[0].kind == kind);
  CHECK(all[0].at.place.line == line);
  return all[0];
}

}  // namespace

TEST_CASE("an index out of bounds is named with the element and the array", "[unit]") {
  Finding found = only("s[t + 1] = 1.0f;", FindingKind::OutOfBounds, 4);
  CHECK(found.element == "s[4]");
  CHECK(found.at.thread == 3);
  CHECK(found.what == "s[4] is out of bounds: the array is s[4].");
  found = only("if (t > 8) w[0][0] = 0.0f;\nw[t][2] = 1.0f;", FindingKind::OutOfBounds, 5);
  CHECK(found.element == "w[2][2]");
  CHECK(only("float x = Q[t + 61];\nL[t] = x;", FindingKind::OutOfBounds, 4).element == "Q[64]");
  CHECK(only("const float* p = Q - 1;\nL[t] = p[t];", FindingKind::OutOfBounds, 5).element == "Q[-1]");
  CHECK(only("float a[3] = {1, 2, 3};\nL[t] = a[t];", FindingKind::OutOfBounds, 5).element == "a[3]");
}

TEST_CASE("an element or a variable read before it was written is named", "[unit]") {
  CHECK(only("L[t] = s[t];", FindingKind::UnfilledRead, 4).element == "s[0]");
  CHECK(only("float a[2];\na[1] = 1.0f;\nL[t] = a[0];", FindingKind::UnfilledRead, 6).element == "a[0]");
  CHECK(only("float x;\nif (t > 4) x = 1.0f;\nL[t] = x;", FindingKind::UnfilledRead, 6).element == "x");
  CHECK(only("L[t] = O[t];", FindingKind::UnfilledRead, 4).element == "O[0]");
  CHECK(findings_of("float x;\nif (t >= 0) x = 1.0f;\nL[t] = x;").empty());
}

TEST_CASE("a data race is named with both lines and threads", "[unit]") {
  const std::vector<Finding> all = findings_of("s[t] = 1.0f;\n__syncthreads();\ns[t] = 2.0f;\nL[t] = s[(t + 3) % 4];");
  const Finding* race = first_of(all, FindingKind::DataRace);
  REQUIRE(race);
  CHECK(race->other.place.line != race->at.place.line);
  CHECK(race->element.substr(0, 2) == "s[");
  Finding found = only("s[0] = 1.0f;", FindingKind::DataRace, 4);  // write and write
  CHECK(found.at.thread == 1);
  CHECK(found.other.thread == 0);
  CHECK(findings_of("s[t] = 1.0f;\n__syncthreads();\nL[t] = s[3 - t];").empty());
  CHECK(findings_of("s[t] = 1.0f;\n__syncwarp();\nL[t] = s[3 - t];").empty());  // one warp
  found = only("L[t] = 1.0f;", FindingKind::DataRace, 4, "grid(2) block(4)");
  CHECK(found.other.block == -1);  // another block
}

TEST_CASE("a barrier that not all threads reach is named, with the thread that does not", "[unit]") {
  Finding found = only("if (t < 2) __syncthreads();", FindingKind::DivergentBarrier, 4);
  CHECK(found.at.thread == 0);
  CHECK(found.other.thread == 2);
  found = only("if (t == 3) return;\n__syncthreads();", FindingKind::DivergentBarrier, 5);
  CHECK(found.what.find("thread 3 has returned") != std::string::npos);
  found = only("if (t < 2)\n__syncthreads();\nelse\n__syncthreads();", FindingKind::DivergentBarrier, 5);
  CHECK(found.other.place.line == 7);
  found = only("if (t < 2) L[t] = __shfl_xor_sync(0xffffffffu, 1.0f, 1); else __syncthreads();",
               FindingKind::DivergentShuffle, 4);
}

TEST_CASE("division by zero, an endless loop and the first NaN are named", "[unit]") {
  only("int zero = t - t;\nL[t] = 8 / zero;", FindingKind::DivisionByZero, 5);
  only("int i = 0;\nfor (;;) i = i & 3;", FindingKind::StepLimit, 5, "grid(1) block(4)", 10'001);
  Finding found = only("float x = -INFINITY;\nL[t] = x - x;", FindingKind::NotFinite, 5);
  CHECK(found.element == "NaN");
  CHECK(is_warning(found.kind));
  CHECK(only("float x = 0.0f;\nL[t] = 1.0f / x;", FindingKind::NotFinite, 5).element == "inf");
  CHECK(findings_of("float x = -INFINITY;\nL[t] = exp2f(x) + fmaxf(x, 1.0f);").empty());
}

TEST_CASE("atomicAdd is no race, and a note says that its order decides the bits", "[unit]") {
  const Finding found =
      only("if (t == 0) s[0] = 0.0f;\n__syncthreads();\natomicAdd(&s[0], 1.0f);", FindingKind::AtomicOrder, 6);
  CHECK(is_warning(found.kind));
}

TEST_CASE("a state that is changed after its mark, before a barrier, is named", "[unit]") {
  const std::string body = "s[t] = 1.0f;\n__syncthreads();\nvisit_done(0, 0, s, nullptr, nullptr);\ns[t] = 2.0f;";
  CHECK(only(body, FindingKind::ChangedAfterMark, 7).element == "s[0]");
  CHECK(only("visit_done(0, 4, nullptr, nullptr, nullptr);", FindingKind::BadMark, 4).kind == FindingKind::BadMark);
}

TEST_CASE("shuffles exchange values between lanes, and printf prints in the order of threads", "[unit]") {
  const std::string sum =
      "float x = float(t + 1);\nx += __shfl_xor_sync(0xffffffffu, x, 1);\nx += __shfl_xor_sync(0xffffffffu, x, 2);\n"
      "L[t] = x + __shfl_sync(0xffffffffu, x, 0) * __shfl_down_sync(0xffffffffu, float(t), 1);";
  LabRun run = run_text(kernel(sum), Problem{}, 4);
  INFO(run.findings_text());
  CHECK(run.machine->tensor(4)[0] == 10.0f + 10.0f * 1);
  CHECK(run.machine->tensor(4)[2] == 10.0f + 10.0f * 3);
  run = run_text(kernel("printf(\"%d %5.2f %u%%\\n\", t, 0.5f * t, 7u);"), Problem{}, 4);
  CHECK(run.machine->output() == "0  0.00 7%\n1  0.50 7%\n2  1.00 7%\n3  1.50 7%\n");
  run = run_text(kernel("for (int i = 0; i < 100000; ++i) printf(\"line\\n\");"), Problem{}, 4);
  CHECK(run.machine->output().size() == 64 * 1024);
  CHECK(run.machine->output_cut());
}

TEST_CASE("bytes, FLOPs and barriers are counted as the text has them", "[unit]") {
  const LabRun run =
      run_text(kernel("s[t] = Q[t] + Q[t + 4];\n__syncthreads();\nL[t] = fmaf(s[0], s[1], exp2f(s[2])) * 2.0f / s[3];"),
               Problem{}, 4);
  const lab::RunCounters count = run.machine->totals();
  CHECK(count.read_bytes[0] == 4 * 2 * 4);
  CHECK(count.write_bytes[4] == 4 * 4);
  CHECK(count.shared_write_bytes == 4 * 4);
  CHECK(count.shared_read_bytes == 4 * 4 * 4);
  CHECK(count.additions == 4);
  CHECK(count.fused == 4);
  CHECK(count.products == 4);
  CHECK(count.divisions == 4);
  CHECK(count.exponentials == 4);
  CHECK(count.barriers == 1);
  CHECK(count.flops() == 4 * 6);
}

TEST_CASE("the same seed gives the same run; a copy of the machine goes on like the machine", "[unit]") {
  const std::string text = text_of_file("assets/lab/05-fa2-loop/solution.cu");
  const Problem p;
  const lab::CompiledText compiled = lab::compile(text, lab::compile_setup(p, 16));
  REQUIRE(compiled.ok());
  lab::MachineSetup setup = lab::machine_setup(p, compiled.program, inputs_of(p));
  setup.seed = 3;
  lab::Machine one(std::make_shared<const lab::Program>(compiled.program), setup);
  while (one.steps() < 12'345) one.run(12'345 - one.steps());
  CHECK(one.steps() == 12'345);
  lab::Machine copy = one;
  while (one.run(777) == lab::RunState::More) one.take_visits();
  while (copy.run(100'000) == lab::RunState::More) copy.take_visits();
  CHECK(one.steps() == copy.steps());
  CHECK(one.totals() == copy.totals());
  CHECK(one.tensor(3) == copy.tensor(3));
}

TEST_CASE("a walk goes back to any step, with the state that a run forward has there", "[unit]") {
  const std::string text = text_of_file("assets/lab/05-fa2-loop/solution.cu");
  Problem p;
  p.shape.n_q = p.shape.n_kv = 48;
  p.shape.d = 16;
  const lab::CompiledText compiled = lab::compile(text, lab::compile_setup(p, 16));
  REQUIRE(compiled.ok());
  lab::MachineSetup setup = lab::machine_setup(p, compiled.program, inputs_of(p));
  setup.seed = 9;
  const lab::Machine start(std::make_shared<const lab::Program>(compiled.program), setup);
  lab::RunWalk walk(start);
  walk.at(900'000);
  CHECK(walk.checkpoints() > 3);
  for (const std::int64_t step : {650'001, 650'000, 123'456, 7, 0, 850'000}) {
    CAPTURE(step);
    lab::Machine fresh = start;
    while (fresh.steps() < step) {
      fresh.run(step - fresh.steps());
      fresh.take_visits();
    }
    const lab::Machine& at = walk.at(step);
    REQUIRE(at.steps() == step);
    CHECK(at.block() == fresh.block());
    CHECK(at.current_thread() == fresh.current_thread());
    CHECK(at.totals() == fresh.totals());
    if (step == 0) continue;
    for (int thread = 0; thread < at.threads(); ++thread) {
      CHECK(at.place_of(thread) == fresh.place_of(thread));
      CHECK(at.register_of(thread, 7) == fresh.register_of(thread, 7));
    }
  }
}

TEST_CASE("bank conflicts are counted for the accesses of a warp", "[unit]") {
  lab::BankLog log;
  log.start(32, 4);
  for (int lane = 0; lane < 32; ++lane) {
    log.access(lane, 0, lane);       // a row: one turn
    log.access(lane, 1, 7);          // one word: one turn
    log.access(lane, 2, 32 * lane);  // one bank: 32 turns
    log.access(lane, 2, 2 * lane);   // every second bank: 2 turns
  }
  log.barrier();
  CHECK(log.turns().accesses == 4);
  CHECK(log.turns().turns == 1 + 1 + 32 + 2);
  CHECK(log.turns().most == 32);
  CHECK(log.turns().at == 2);
}

TEST_CASE("a mistake made at each access is found once, and many costly blocks end at the limit", "[unit]") {
  const std::vector<Finding> all =
      findings_of("for (int i = 0; i < 20000; ++i) s[0] = s[(t + 1) & 3] + w[0][1];", "grid(1) block(4)", 2'000'000);
  CHECK(all.size() < 12);
  CHECK(first_of(all, FindingKind::DataRace));
  CHECK(first_of(findings_of("float a[1000]; a[t & 3] = 1.0f;", "grid(1000000) block(1024)", 3'000'000),
                 FindingKind::StepLimit));
}

TEST_CASE("a race of a line with itself asks for threads of their own, another one for a barrier", "[unit]") {
  const std::vector<Finding> own = findings_of("s[t / 2] = 1.0f;");
  REQUIRE(own.size() == 1);
  CHECK(text_of(own[0]).find("Give each element to one thread alone, as in e += THREADS") != std::string::npos);
  const std::vector<Finding> pair = findings_of("s[t] = 1.0f;\nL[t] = s[3 - t];");
  const auto race =
      std::find_if(pair.begin(), pair.end(), [](const Finding& each) { return each.kind == FindingKind::DataRace; });
  REQUIRE(race != pair.end());
  CHECK(text_of(*race).find("Write __syncthreads() between the two") != std::string::npos);
}
