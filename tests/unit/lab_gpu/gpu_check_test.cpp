// The comparison of a GPU's numbers with the interpreter's: a copy is equal, and each change is named.
#include "lab/gpu/gpu_check.h"

#include <cmath>
#include <cstring>

#include "lab/gpu/records.h"
#include "tests/unit/lab_gpu/kernel_run.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

const KernelRun& solved() {
  static const KernelRun run(fa2_task().solution, fa2_task().setup);
  return run;
}

std::string sentence_after(const std::function<void(lab::GpuRun&)>& change) {
  lab::GpuRun gpu = solved().same_on_gpu();
  change(gpu);
  const lab::GpuCheck check = lab::compare_with_gpu(solved().here(), gpu);
  CHECK(!check.equal);
  return check.sentence;
}

bool has(const std::string& text, const std::string& part) {
  CAPTURE(text, part);
  return text.find(part) != std::string::npos;
}

}  // namespace

lab::GpuRun KernelRun::same_on_gpu() const {
  lab::GpuRun out;
  const lab::InterpreterRun run = here();
  out.end = lab::GpuEnd::Ran;
  out.device = "a test";
  out.visits = lab::in_record_order(run.visits);
  for (std::size_t at = 0; at < run.machine->program().tensors.size(); ++at) {
    const lab::MemoryObject& each = run.machine->program().tensors[at];
    out.outputs.push_back(each.is_const ? std::vector<float>{} : run.machine->tensor(at));
  }
  return out;
}

TEST_CASE("the interpreter's own numbers are equal, and counted", "[unit]") {
  const lab::GpuCheck check = lab::compare_with_gpu(solved().here(), solved().same_on_gpu());
  INFO(check.sentence);
  CHECK(check.equal);
  CHECK(check.visits == 16);
  CHECK(check.numbers == 16 * 4 * (1 + 1 + 4) + 16 * 4 + 16);  // of task 5: 4 x 4 tiles of 4 rows, d 4; O and L
  CHECK(lab::digest_of_run(solved().here()) == lab::digest_of_run(solved().same_on_gpu()));
}

TEST_CASE("the first difference is named by visit, row and quantity", "[unit]") {
  CHECK(has(sentence_after([](lab::GpuRun& gpu) {
              gpu.visits[5].l[2] = std::nextafter(gpu.visits[5].l[2], 9.0f);
              gpu.visits[6].m[0] = 0;
            }),
            "visit 6 (batch 0, head 0, Q tile 1, KV tile 1), row 6, l:"));
  CHECK(has(sentence_after([](lab::GpuRun& gpu) { gpu.visits[0].o[6] += 1; }), "row 1, o[2]: "));
  CHECK(has(sentence_after([](lab::GpuRun& gpu) { gpu.outputs[3][7] = 5; }), "They part in O[7] at the end: "));
  CHECK(has(sentence_after([](lab::GpuRun& gpu) { gpu.visits.pop_back(); }), "there are 16 here and 15 on the GPU"));
  CHECK(has(sentence_after([](lab::GpuRun& gpu) { gpu.visits[3].l.clear(); }), "The marks differ from visit 4 "));
  CHECK(has(sentence_after([](lab::GpuRun& gpu) { gpu.damage = {"The GPU wrote outside of O: O[-1]."}; }),
            "The GPU wrote outside of O: O[-1]."));
  CHECK(has(sentence_after([](lab::GpuRun& gpu) { gpu.dropped = 2; }), "2 marks were not recorded"));
}

TEST_CASE("a zero's sign differs, and NaN equals NaN of any payload", "[unit]") {
  lab::GpuRun gpu = solved().same_on_gpu();
  KernelRun nan(fa2_task().wrong.at(0).text, fa2_task().setup);
  CHECK(lab::compare_with_gpu(nan.here(), nan.same_on_gpu()).equal);
  const lab::InterpreterRun here = solved().here();
  lab::InterpreterRun changed = here;
  const std::uint32_t payload = 0xffc12345u;
  changed.visits[0].m[0] = std::nanf("");
  std::memcpy(&gpu.visits[0].m[0], &payload, 4);
  CHECK(lab::compare_with_gpu(changed, gpu).equal);
  changed.visits[0].m[0] = 0.0f;
  gpu.visits[0].m[0] = -0.0f;
  CHECK(!lab::compare_with_gpu(changed, gpu).equal);
}

TEST_CASE("a difference names what the interpreter has found, or says that it may be ours", "[unit]") {
  CHECK(has(sentence_after([](lab::GpuRun& gpu) { gpu.visits[0].m[0] += 1; }), "this may be a fault of Tilewalk"));
  for (const lab::WrongVersion& wrong : fa2_task().wrong) {
    if (wrong.says.find("data race") == std::string::npos) continue;
    KernelRun racy(wrong.text, fa2_task().setup);
    lab::GpuRun gpu = racy.same_on_gpu();
    gpu.visits[0].m[0] += 1;
    const std::string sentence = lab::compare_with_gpu(racy.here(), gpu).sentence;
    CHECK(has(sentence, "The kernel's own fault decides: line "));
    CHECK(has(sentence, "data race"));
    gpu.end = lab::GpuEnd::Deadline;
    gpu.why = "It hung.";
    CHECK(has(lab::compare_with_gpu(racy.here(), gpu).sentence, "It hung.\nThe kernel's own fault decides: line "));
    return;
  }
  FAIL("task 5 has no version with a race");
}

TEST_CASE("several problems have one verdict: the first that is not equal, else the sum", "[unit]") {
  const lab::GpuCheck equal = lab::compare_with_gpu(solved().here(), solved().same_on_gpu());
  lab::GpuRun changed = solved().same_on_gpu();
  changed.visits[2].m[1] = -7;
  const lab::GpuCheck other = lab::compare_with_gpu(solved().here(), changed);
  std::optional<lab::GpuCheck> all;
  lab::add_problem(all, equal);
  lab::add_problem(all, equal);
  CHECK(all->equal);
  CHECK(all->sentence == "The GPU's numbers equal the interpreter's in every bit: 32 visits, 928 numbers, on a test.");
  lab::add_problem(all, other);
  CHECK(!all->equal);
  CHECK(all->sentence == other.sentence);
}

TEST_CASE("a job has the inputs, poisoned outputs, and room for one mark more", "[unit]") {
  const lab::GpuJob job = solved().job();
  REQUIRE(job.tensors.size() == 5);
  CHECK(job.tensors[0].values.size() == 64);
  CHECK(job.tensors[3].name == "O");
  CHECK(job.tensors[3].values.empty());
  REQUIRE(job.launches.size() == 1);
  CHECK(job.launches[0].blocks() == 4);
  CHECK(job.launches[0].most_visits == 5);
  CHECK(job.launches[0].most_rows == 1);
}

TEST_CASE("recorded marks are read in the interpreter's order", "[unit]") {
  const lab::MarkShape shape{1, 2, 5, 6, 2, 3, 3};
  const lab::GpuLaunch launch{.grid = {2, 2, 1}, .block = {32, 1, 1}, .tensors = {}, .most_visits = 2, .most_rows = 3};
  const lab::RecordLayout layout = lab::layout_of(launch, shape);
  std::vector<std::byte> bytes(std::size_t(layout.bytes), std::byte(0));
  const auto put = [&](std::int64_t at, const auto& value) { std::memcpy(bytes.data() + at, &value, sizeof value); };
  const auto visit = [&](std::int64_t slot, const lab::DeviceVisit& mark, float first) {
    put(layout.visits + slot * std::int64_t(sizeof mark), mark);
    for (int x = 0; x < 12; ++x) put(layout.states + (slot * 12 + x) * 4, first + float(x));
  };
  // Block 3 is tile 1 of head 1: two rows. Its second mark has no such tile.
  visit(6, {32, 1, 1, 0, 7, 21, 2, 0, 0, 0, 0}, 100);
  visit(7, {32, 2, 9, 0, 7, 21, 2, 0, 0, 0, 0}, 200);
  put(layout.row_count + 3 * 4, std::uint32_t(4));
  put(layout.rows + 9 * 16, lab::DeviceRow{4, 1, 3, 30});
  put(layout.rows + 10 * 16, lab::DeviceRow{3, 1, 1, 30});
  put(layout.rows + 11 * 16, lab::DeviceRow{4, 0, 4, 30});
  put(layout.row_states + 10 * 16, 55.0f);
  std::vector<lab::RunVisit> visits;
  const std::int64_t dropped = lab::read_records(bytes, layout, launch, shape, 10, visits);
  CHECK(dropped == 2);  // the tile that is not there, and the fourth row
  REQUIRE(visits.size() == 4);
  CHECK(visits[0].thread_block == 13);
  CHECK(visits[0].head == 1);
  CHECK(visits[0].rows == 2);
  CHECK(visits[0].place.line == 21);
  CHECK(visits[0].m == std::vector<float>{100, 101});
  CHECK(visits[0].l == std::vector<float>{103, 104});
  CHECK(visits[0].o == std::vector<float>{106, 107, 108, 109});
  CHECK(visits[1].first_row == 3);
  CHECK(visits[1].m == std::vector<float>{55});
  CHECK(visits[1].l.empty());
  CHECK(visits[2].first_row == 4);
  CHECK(visits[2].kv_tile == 0);
  CHECK(visits[2].o.size() == 2);
  CHECK(visits[3].kv_tile == 1);
}
