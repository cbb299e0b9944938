// The child process: whatever it does, this program gets a sentence.
#include "lab/gpu/gpu_child.h"

#include <csignal>

#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

lab::GpuChild shell(const std::string& script) {
  lab::GpuChild out;
  out.command = {"/bin/sh", "-c", script, "sh"};  // $1 is the job's file, $2 the result's
  return out;
}

}  // namespace

TEST_CASE("a child that hangs is ended at its deadline", "[unit]") {
  lab::GpuChild child = shell("while :; do :; done");
  child.most_ms = 50;
  const lab::GpuRun run = lab::run_in_child({}, child);
  CHECK(run.end == lab::GpuEnd::Deadline);
  CHECK(run.why == "The GPU's process did not end within 0 seconds, and was ended.");
}

TEST_CASE("a child that crashes is named by its signal", "[unit]") {
  const lab::GpuRun run = lab::run_in_child({}, shell("kill -SEGV $$"));
  CHECK(run.end == lab::GpuEnd::Lost);
  CHECK(run.why == "The GPU's process ended by signal " + std::to_string(SIGSEGV) + ", without a result.");
}

TEST_CASE("a child that ends without a result, or with a part of one, is lost", "[unit]") {
  const lab::GpuRun none = lab::run_in_child({}, shell("exit 3"));
  CHECK(none.end == lab::GpuEnd::Lost);
  CHECK(none.why == "The GPU's process ended with status 3, without a result.");
  CHECK(lab::run_in_child({}, shell("echo half > \"$2\"")).end == lab::GpuEnd::Lost);
}

TEST_CASE("a program that is not there is a sentence", "[unit]") {
  lab::GpuChild child;
  child.command = {"/nowhere/tilewalk"};
  const lab::GpuRun run = lab::run_in_child({}, child);
  CHECK(run.end == lab::GpuEnd::Lost);
  CHECK(run.why.find("does not start") != std::string::npos);
}

TEST_CASE("a cancelled run ends its child", "[unit]") {
  lab::GpuChild child = shell("while :; do :; done");
  int asked = 0;
  child.stop = [&] { return ++asked > 3; };
  const lab::GpuRun run = lab::run_in_child({}, child);
  CHECK(run.why == "The run on the GPU was cancelled.");
  CHECK(asked == 4);
}

TEST_CASE("a child receives the job whole and its result is read", "[unit]") {
  lab::GpuRun expected;
  expected.end = lab::GpuEnd::NoGpu;
  expected.why = "There is no NVIDIA GPU.";
  std::string octal;
  for (const std::byte each : lab::bytes_of(expected)) {
    char digits[8];
    std::snprintf(digits, sizeof digits, "\\%03o", unsigned(each));
    octal += digits;
  }
  lab::GpuJob job;
  job.text = "a job";
  const lab::GpuRun run = lab::run_in_child(job, shell("grep -q 'a job' \"$1\" && printf '" + octal + "' > \"$2\""));
  CHECK(run.end == lab::GpuEnd::NoGpu);
  CHECK(run.why == expected.why);
}
