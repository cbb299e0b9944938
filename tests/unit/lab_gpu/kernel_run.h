// Runs of the lab's kernels for the tests of lab/gpu.
#pragma once

#include <string>
#include <vector>

#include "lab/gpu/gpu_check.h"
#include "lab/tasks/task.h"
#include "tests/support/catch.h"

namespace tilewalk::test {

inline const std::vector<lab::LabTask>& tasks_of_the_lab() {
  static const std::vector<lab::LabTask> tasks = [] {
    auto loaded = lab::load_tasks(std::string(TILEWALK_SOURCE_DIR) + "/assets/lab");
    REQUIRE(loaded.ok());
    return std::move(*loaded);
  }();
  return tasks;
}

inline const lab::LabTask& fa2_task() {
  for (const lab::LabTask& each : tasks_of_the_lab())
    if (each.number == 5) return each;
  throw std::runtime_error("there is no task 5");
}

// A finished run whose visits were kept.
struct KernelRun {
  lab::KernelCheck check;

  KernelRun(const std::string& text, lab::LabSetup setup) : check(text, kept(std::move(setup))) {
    while (!check.work(10'000'000)) {
    }
    INFO(lab::verdict_text(check.report()));
    REQUIRE(check.report().compiled);
  }
  lab::InterpreterRun here() const { return check.interpreter_run(); }
  lab::GpuJob job() const { return lab::gpu_job(here(), lab::mark_shape(check.problem())); }

  // What a GPU with the interpreter's numbers would record.
  lab::GpuRun same_on_gpu() const;

 private:
  static lab::LabSetup kept(lab::LabSetup setup) {
    setup.keeps_visits = true;
    return setup;
  }
};

}  // namespace tilewalk::test
