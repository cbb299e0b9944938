// Jobs and results as bytes: the same after a round, and refused where they are cut off.
#include "lab/gpu/gpu_job.h"

#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

lab::GpuJob small_job() {
  lab::GpuJob out;
  out.text = "__global__ void k() {}";
  out.tensors = {{.name = "Q", .size = 2, .is_const = true, .values = {1.5f, -0.0f}},
                 {.name = "Part", .size = 7, .is_scratch = true}};
  out.launches = {{.grid = {2, 3, 4}, .block = {32, 1, 1}, .tensors = {0, 1}, .most_visits = 5, .most_rows = 6}};
  out.shape = {1, 2, 13, 11, 5, 4, 3};
  out.cache_folder = "/tmp/cache";
  out.deadline_ms = 1234;
  return out;
}

lab::GpuRun small_run() {
  lab::GpuRun out;
  out.end = lab::GpuEnd::Ran;
  out.device = "a GPU";
  out.visits.resize(2);
  out.visits[0].thread_block = 3, out.visits[0].kv_tile = 1, out.visits[0].rows = 2;
  out.visits[0].m = {1, 2}, out.visits[0].o = {3, 4, 5, 6};
  out.visits[1].of_row = true, out.visits[1].first_row = 9, out.visits[1].place.line = 44;
  out.damage = {"outside"};
  out.outputs = {{}, {7, 8}};
  out.dropped = 1;
  return out;
}

}  // namespace

TEST_CASE("a job is the same after it was written and read", "[unit]") {
  const lab::GpuJob job = small_job();
  const auto read = lab::job_of(lab::bytes_of(job));
  REQUIRE(read.ok());
  CHECK(read->text == job.text);
  CHECK(read->tensors == job.tensors);
  CHECK(read->launches == job.launches);
  CHECK(read->shape.n_kv == 11);
  CHECK(read->shape.bc == 3);
  CHECK(read->cache_folder == job.cache_folder);
  CHECK(read->deadline_ms == 1234);
}

TEST_CASE("a result is the same after it was written and read", "[unit]") {
  const lab::GpuRun run = small_run();
  const auto read = lab::run_of(lab::bytes_of(run));
  REQUIRE(read.ok());
  CHECK(read->end == lab::GpuEnd::Ran);
  CHECK(read->device == "a GPU");
  REQUIRE(read->visits.size() == 2);
  CHECK(read->visits[0].o == run.visits[0].o);
  CHECK(read->visits[0].thread_block == 3);
  CHECK(read->visits[1].of_row);
  CHECK(read->visits[1].place.line == 44);
  CHECK(read->damage == run.damage);
  CHECK(read->outputs == run.outputs);
  CHECK(read->dropped == 1);
}

TEST_CASE("a job or result that is cut off, longer, or of the other kind is refused", "[unit]") {
  const std::vector<std::byte> job = lab::bytes_of(small_job()), run = lab::bytes_of(small_run());
  for (std::size_t size = 0; size < job.size(); ++size) CHECK(!lab::job_of(std::span(job).first(size)).ok());
  for (std::size_t size = 0; size < run.size(); ++size) CHECK(!lab::run_of(std::span(run).first(size)).ok());
  std::vector<std::byte> longer = run;
  longer.push_back(std::byte(0));
  CHECK(!lab::run_of(longer).ok());
  CHECK(!lab::run_of(job).ok());
  CHECK(!lab::job_of(run).ok());
}

TEST_CASE("a count that the bytes do not have is refused before memory is taken", "[unit]") {
  std::vector<std::byte> job = lab::bytes_of(small_job());
  for (std::size_t at = 8; at < 16; ++at) job[at] = std::byte(0x7f);  // the text's length
  CHECK(!lab::job_of(job).ok());
}
