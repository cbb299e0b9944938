// Kernels of the lab: any text compiles or is refused, and what compiles runs to an end or a limit.
#include <memory>
#include <string>

#include "base/shown.h"
#include "lab/tasks/problem_setup.h"
#include "tests/fuzz/fuzz_checks.h"
#include "tests/fuzz/fuzz_targets.h"

namespace tilewalk::fuzz {

void kernel_text(std::span<const std::byte> bytes) {
  const std::string text = text_of_bytes(bytes);
  Problem p;
  p.shape.n_q = p.shape.n_kv = 8;
  const lab::CompiledText compiled = lab::compile(text, lab::compile_setup(p, 8));
  require(compiled.errors.size() <= 10, "more than ten errors");
  for (const lab::SourceError& each : compiled.errors) {
    const std::string shown_text = text_of_error("text.cu", text, each);
    require(!each.what.empty() && each.place.line >= 0, "an error without a reason");
    require(shown_text.size() < 4000 && shown_lines(shown_text) == shown_text, "an error that cannot be shown");
  }
  if (!compiled.ok()) return;
  std::int64_t words = 0;  // large arrays are right, and slow to clear for each block
  for (const lab::Kernel& each : compiled.program.kernels)
    words += (each.local_words + std::int64_t(each.registers.size())) * each.threads() + each.blocks();
  for (const lab::MemoryObject& each : compiled.program.tensors) words += each.size;
  if (words > 1'000'000) return;
  const std::vector<float> values(std::size_t(p.shape.n_q * p.shape.d), 0.5f);
  lab::MachineSetup setup =
      machine_setup(p, compiled.program, {.q = values, .k = values, .v = values, .d_o = {}, .o = {}, .l = {}});
  setup.most_steps = 20'000;
  setup.seed = 1;
  lab::Machine machine(std::make_shared<const lab::Program>(compiled.program), std::move(setup));
  for (int slice = 0; slice < 10'000 && machine.run(1'000) == lab::RunState::More; ++slice) machine.take_visits();
  require(machine.state() != lab::RunState::More || machine.steps() < 20'000, "a run past its limit");
  for (const lab::Finding& each : machine.findings()) require(!text_of(each).empty(), "a finding without words");
  require(machine.output().size() <= 64 * 1024, "too much output");
}

}  // namespace tilewalk::fuzz
