#include "app/bench/bench_lab.h"

#include <algorithm>
#include <ctime>
#include <vector>

#include "lab/tasks/kernel_check.h"

namespace tilewalk {

Result<LabBench> bench_lab(const std::string& text) {
  lab::LabSetup setup;
  setup.threads = 64;
  setup.problem.shape.n_q = setup.problem.shape.n_kv = 64;
  setup.problem.shape.d = 32;
  setup.problem.tiling.br = setup.problem.tiling.bc = 16;
  const lab::CompiledText compiled = lab::compile(text, check_setup(setup));
  if (!compiled.ok()) return Issue{"bench", "lab", "does not compile: " + compiled.errors[0].what, ""};
  const auto program = std::make_shared<const lab::Program>(compiled.program);
  const lab::LabInputs values = inputs_of(setup);
  LabBench out;
  std::vector<double> seconds;
  for (int repeat = 0; repeat < 11; ++repeat) {
    lab::Machine machine(program, machine_setup(setup, *program, values));
    const std::clock_t start = std::clock();  // processor time: other programs do not count
    while (machine.run(1'000'000) == lab::RunState::More) machine.take_visits();
    seconds.push_back(double(std::clock() - start) / CLOCKS_PER_SEC);
    out.steps = machine.steps();
  }
  std::sort(seconds.begin(), seconds.end());
  out.seconds = seconds[seconds.size() / 2];
  out.steps_per_second = double(out.steps) / out.seconds;
  return out;
}

}  // namespace tilewalk
