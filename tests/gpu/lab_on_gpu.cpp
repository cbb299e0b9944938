// Runs the lab's solutions on the GPU and writes what it did: tilewalk_lab_on_gpu ROOT OUT.json DATE DRIVER [PART].
// Each case has the digest of the GPU's numbers, and whether they equal the interpreter's. Also kernels that hang, that
// use an address that is not theirs, that write past their tensor, and that have a race.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "lab/gpu/gpu_check.h"
#include "lab/gpu/gpu_child.h"
#include "lab/gpu/run_gpu.h"
#include "lab/tasks/task.h"

using namespace tilewalk;
using Json = nlohmann::ordered_json;

namespace {

const char* name_of_end(lab::GpuEnd end) {
  static constexpr const char* kNames[] = {"ran",       "no GPU",   "no compiler", "not compiled",
                                           "too large", "deadline", "crashed",     "lost"};
  return kNames[int(end)];
}

std::string hex(std::uint64_t x) {
  char out[24];
  std::snprintf(out, sizeof out, "%016llx", static_cast<unsigned long long>(x));
  return out;
}

struct Case {
  int task = 0;
  std::string file, fields;
  std::string text;
  lab::LabSetup setup;
  std::int64_t deadline_ms = 20'000;
};

std::string fields_of(const Problem& p) {
  const Shape& s = p.shape;
  return "batch=" + std::to_string(s.batch) + " heads=" + std::to_string(s.heads) +
         " kv-heads=" + std::to_string(s.kv_heads) + " n-q=" + std::to_string(s.n_q) +
         " n-kv=" + std::to_string(s.n_kv) + " d=" + std::to_string(s.d) + " br=" + std::to_string(p.tiling.br) +
         " bc=" + std::to_string(p.tiling.bc) + " mask=" + name_of(s.mask);
}

Json run_case(const Case& each, Json& machine, bool& all_equal) {
  const auto before = std::chrono::steady_clock::now();
  lab::LabSetup setup = each.setup;
  setup.keeps_visits = true;
  lab::KernelCheck check(each.text, setup);
  while (!check.work(10'000'000)) {
  }
  Json out = {
      {"task", each.task}, {"file", each.file}, {"problem", fields_of(setup.problem)}, {"threads", setup.threads}};
  if (!check.report().compiled) {
    out["end"] = "the interpreter does not compile it";
    all_equal = false;
    return out;
  }
  const lab::InterpreterRun here = check.interpreter_run();
  lab::GpuJob job = lab::gpu_job(here, lab::mark_shape(setup.problem));
  job.deadline_ms = each.deadline_ms;
  const lab::GpuCheck gpu = lab::compare_with_gpu(here, lab::run_in_child(job, lab::own_program({"--child"})));
  out["end"] = name_of_end(gpu.run.end);
  out["equal"] = gpu.equal;
  out["visits"] = gpu.run.visits.size();
  out["numbers"] = gpu.numbers;
  if (gpu.run.end == lab::GpuEnd::Ran) out["digest"] = hex(lab::digest_of_run(gpu.run));
  out["sentence"] = gpu.sentence;
  if (!gpu.run.device.empty())
    machine = {{"gpu", gpu.run.device}, {"cuda_of_driver", gpu.run.driver}, {"compiler", gpu.run.compiler}};
  all_equal = all_equal && gpu.equal;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
  std::printf("%-8s %-32s %s %5.1f s\n  %s\n", gpu.equal ? "equal" : "OTHER", each.file.c_str(),
              fields_of(setup.problem).c_str(), took.count(), gpu.sentence.c_str());
  std::fflush(stdout);
  return out;
}

// The kernel of FA-2's loop with a line before its end, so that it goes wrong after its marks.
std::string with_line_at_end(std::string text, const std::string& line) {
  const std::size_t end = text.rfind('}');
  return text.substr(0, end) + line + "\n}\n";
}

std::string with_other(std::string text, const std::string& old_part, const std::string& new_part) {
  const std::size_t at = text.find(old_part);
  if (at == std::string::npos) throw std::runtime_error("the solution of task 5 has no " + old_part);
  return text.replace(at, old_part.size(), new_part);
}

// Each function of the language, over many values, among them subnormal ones.
constexpr const char* kFunctions = R"(
// scratch: float F[14][N_Q * D]
// scratch: int Whole[N_Q * D]
// launch: grid(N_Q) block(D)
__global__ void attention(const float* Q, float* O, float* L) {
  const int e = blockIdx.x * D + threadIdx.x;
  const float x = Q[e] * 40.0f, y = Q[(e * 7 + 1) % (N_Q * D)], a = fabsf(x);
  F[0][e] = exp2f(x);
  F[1][e] = expf(x);
  F[2][e] = log2f(a);
  F[3][e] = logf(a);
  F[4][e] = sqrtf(a);
  F[5][e] = x / y;
  F[6][e] = fmaf(x, y, x);
  F[7][e] = x * y + x;
  F[8][e] = max(x, y) - min(x, 1);
  F[9][e] = exp2f(y - 140.0f);
  F[10][e] = log2f(exp2f(y - 140.0f));
  F[11][e] = exp2f(y - 140.0f) * y;
  F[12][e] = sqrtf(exp2f(y - 140.0f)) / 3.0f;
  F[13][e] = fmaxf(x - x, y / 0.0f);
  Whole[e] = int(x * 1000.0f) / 7 + (e << 3) % 5;
  O[e] = x;
  if (threadIdx.x == 0) L[blockIdx.x] = y;
}
)";

// Texts whose marks or functions the solutions do not have.
std::vector<Case> own_cases(const std::vector<lab::LabTask>& tasks) {
  std::vector<Case> out;
  for (const lab::LabTask& task : tasks) {
    if (task.number != 5) continue;
    const std::string mark = "visit_done(i, j, sM, sL, sO);";
    const auto add = [&](const char* name, std::string text) {
      out.push_back({.task = 5, .file = name, .fields = "", .text = std::move(text), .setup = task.setup});
    };
    add("a mark of one thread", with_other(task.solution, mark, "if (threadIdx.x == 0) " + mark));
    add("marks of rows", with_other(task.solution, mark,
                                    "__syncthreads();\n    for (int r = threadIdx.x; r < rows; r += THREADS) "
                                    "row_done(first_row + r, j, sM[r], sL[r], sO[r]);"));
    add("a mark before an early return", with_other(task.solution, mark, mark + "\n    if (i == 1 && j == 1) return;"));
    add("padded rows", with_other(task.solution, "sO[BR][D]", "sO[BR][D + 3]"));
    add("all functions", kFunctions);
    const auto problem = lab::with_fields(task.setup.problem, "n-q=1024 n-kv=16 d=32", task.folder);
    if (problem) out.back().setup.problem = *problem;
    out.back().setup.follows = {};
  }
  return out;
}

std::vector<Case> cases_of(const std::vector<lab::LabTask>& tasks) {
  std::vector<Case> out;
  for (const lab::LabTask& task : tasks) {
    Case base{.task = task.number,
              .file = "assets/lab/" + std::filesystem::path(task.folder).filename().string() + "/solution.cu",
              .fields = "",
              .text = task.solution,
              .setup = task.setup};
    out.push_back(base);
    std::vector<std::string> also = task.also;
    if (task.number == 5) also.push_back("n-q=64 n-kv=64 d=32 br=16 bc=16 mask=causal");
    for (const std::string& fields : also) {
      const auto problem = lab::with_fields(task.setup.problem, fields, task.folder);
      if (!problem) continue;
      Case next = base;
      next.fields = fields;
      next.setup.problem = *problem;
      out.push_back(next);
    }
  }
  return out;
}

std::vector<Case> bad_cases(const std::vector<lab::LabTask>& tasks) {
  std::vector<Case> out;
  for (const lab::LabTask& task : tasks) {
    if (task.number != 5) continue;
    const auto add = [&](const char* name, const std::string& line, std::int64_t deadline_ms) {
      out.push_back({.task = 5,
                     .file = name,
                     .fields = "",
                     .text = with_line_at_end(task.solution, line),
                     .setup = task.setup,
                     .deadline_ms = deadline_ms});
      out.back().setup.most_steps = 20'000'000;
    };
    add("endless loop", "  while (gL[0] < 1e30f) gL[0] = 0.0f;", 2'000);
    add("wild pointer", "  gO[threadIdx.x + 2000000000] = 1.0f;", 20'000);
    add("a barrier of one thread", "  if (threadIdx.x == 0) __syncthreads();", 2'000);
    add("past the end of L", "  if (blockIdx.x == 0 && threadIdx.x == 0) L[BATCH * HEADS * N_Q] = 1.0f;", 20'000);
    for (const lab::WrongVersion& wrong : task.wrong)
      out.push_back(
          {.task = 5, .file = "wrong/" + wrong.name + ".cu", .fields = "", .text = wrong.text, .setup = task.setup});
  }
  return out;
}

}  // namespace

int main(int count, char** words) {
  if (count == 4 && std::strcmp(words[1], "--child") == 0) return lab::run_gpu_child(words[2], words[3]);
  if (count != 5 && count != 6) {
    std::fprintf(stderr, "tilewalk_lab_on_gpu ROOT OUT.json DATE DRIVER [PART OF A NAME]\n");
    return 2;
  }
  const auto tasks = lab::load_tasks(std::string(words[1]) + "/assets/lab");
  if (!tasks) {
    std::fprintf(stderr, "%s\n", text_of(tasks.issues()).c_str());
    return 2;
  }
  Json machine;
  bool all_equal = true, ignored = true;
  const auto run_all = [&](const std::vector<Case>& cases, bool& equal) {
    Json out = Json::array();
    for (const Case& each : cases)
      if (count < 6 || each.file.find(words[5]) != std::string::npos) out.push_back(run_case(each, machine, equal));
    return out;
  };
  const Json solutions = run_all(cases_of(*tasks), all_equal), own = run_all(own_cases(*tasks), all_equal);
  const Json others = run_all(bad_cases(*tasks), ignored);
  const Json out = {{"about", "The lab's solutions on a GPU: tests/gpu/lab_on_gpu.cpp"},
                    {"date", words[3]},
                    {"driver", words[4]},
                    {"machine", machine},
                    {"solutions", solutions},
                    {"own_texts", own},
                    {"others", others}};
  std::ofstream(words[2]) << out.dump(1) << "\n";
  std::printf("%s\n", all_equal ? "All are equal." : "Not all are equal.");
  return all_equal ? 0 : 1;
}
