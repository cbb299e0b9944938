// Compiles and runs kernel texts for the tests of the lab.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

#include "core/problem/inputs.h"
#include "lab/language/compile.h"
#include "lab/run/machine.h"
#include "lab/tasks/problem_setup.h"
#include "tests/support/catch.h"

namespace tilewalk::test {

inline std::string text_of_file(const std::string& path) {
  std::ifstream in(std::string(TILEWALK_SOURCE_DIR) + "/" + path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::string errors_of(const lab::CompiledText& compiled, const std::string& text) {
  std::string out;
  for (const lab::SourceError& each : compiled.errors) out += lab::text_of_error("text.cu", text, each);
  return out;
}

inline lab::LabInputs inputs_of(const Problem& p) {
  const Inputs inputs(p);
  return {.q = inputs.whole(TensorId::Q).values,
          .k = inputs.whole(TensorId::K).values,
          .v = inputs.whole(TensorId::V).values,
          .d_o = {},
          .o = {},
          .l = {}};
}

// A run to its end, with all its visits.
struct LabRun {
  lab::CompiledText compiled;
  std::shared_ptr<lab::Machine> machine;
  std::vector<lab::RunVisit> visits;

  const std::vector<lab::Finding>& findings() const { return machine->findings(); }
  std::string findings_text() const {
    std::string out;
    for (const lab::Finding& each : findings()) out += lab::text_of(each) + "\n";
    return out;
  }
};

inline LabRun run_text(const std::string& text, const Problem& p, std::int64_t threads, std::uint64_t seed = 0,
                       std::int64_t most_steps = 100'000'000) {
  LabRun out;
  out.compiled = lab::compile(text, lab::compile_setup(p, threads));
  INFO(errors_of(out.compiled, text));
  REQUIRE(out.compiled.ok());
  lab::MachineSetup setup = lab::machine_setup(p, out.compiled.program, inputs_of(p));
  setup.seed = seed;
  setup.most_steps = most_steps;
  out.machine =
      std::make_shared<lab::Machine>(std::make_shared<const lab::Program>(out.compiled.program), std::move(setup));
  while (out.machine->run(1'000'000) == lab::RunState::More)
    for (lab::RunVisit& each : out.machine->take_visits()) out.visits.push_back(std::move(each));
  for (lab::RunVisit& each : out.machine->take_visits()) out.visits.push_back(std::move(each));
  return out;
}

}  // namespace tilewalk::test
