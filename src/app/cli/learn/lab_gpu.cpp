// tilewalk lab check --gpu: the same text on a GPU, compared with the interpreter bit by bit.
#include "app/cli/learn/lab_words.h"
#include "app/jobs/signals.h"
#include "lab/gpu/gpu_child.h"
#include "lab/gpu/run_gpu.h"

namespace tilewalk {

constexpr char kChildWord[] = "gpu-child";

lab::GpuCheck lab_on_gpu(const lab::KernelCheck& check) {
  const lab::InterpreterRun here = check.interpreter_run();
  lab::GpuChild child = lab::own_program({"lab", kChildWord});
  child.stop = [] { return interrupted(); };
  return lab::compare_with_gpu(here, lab::run_in_child(lab::gpu_job(here, lab::mark_shape(check.problem())), child));
}

Json json_of_gpu(const lab::GpuCheck& gpu) {
  Json first;
  if (gpu.first)
    first = {{"visit", gpu.first->visit >= 0 ? Json(gpu.first->visit) : Json()},
             {"batch", gpu.first->batch},
             {"head", gpu.first->head},
             {"q_tile", gpu.first->q_tile},
             {"kv_tile", gpu.first->kv_tile},
             {"row", gpu.first->row},
             {"column", or_null(gpu.first->column)},
             {"quantity", gpu.first->quantity},
             {"expected", json_number(gpu.first->here)},
             {"got", json_number(gpu.first->on_gpu)}};
  const auto or_nothing = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
  return {{"ran", gpu.run.end == lab::GpuEnd::Ran},
          {"equal", gpu.equal},
          {"says", gpu.sentence},
          {"device", or_nothing(gpu.run.device)},
          {"driver", or_nothing(gpu.run.driver)},
          {"compiler", or_nothing(gpu.run.compiler)},
          {"visits", gpu.visits},
          {"numbers", gpu.numbers},
          {"first_difference", std::move(first)},
          {"damage", gpu.run.damage}};
}

int exit_code_of(const lab::GpuCheck& gpu) {
  const bool no_gpu = gpu.run.end == lab::GpuEnd::NoGpu || gpu.run.end == lab::GpuEnd::NoCompiler;
  return gpu.equal ? kExitOk : no_gpu ? kExitNoDevice : kExitDivergence;
}

int lab_gpu_child(const CommandLine& line) {
  return line.words.size() == 3 ? lab::run_gpu_child(line.words[1], line.words[2]) : int(kExitBadInput);
}

}  // namespace tilewalk
