// The text for NVRTC. Where NVRTC is found it compiles every solution, start and wrong version; a GPU is not needed.
#include "lab/gpu/gpu_text.h"

#include "lab/gpu/compile_gpu.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/lab_gpu/kernel_run.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

constexpr int kHopper = 90;

std::string gpu_text_of(const std::string& text, const Problem& p, std::int64_t threads) {
  const lab::CompileSetup setup = lab::compile_setup(p, threads);
  const lab::CompiledText compiled = lab::compile(text, setup);
  for (const lab::SourceError& each : compiled.errors) UNSCOPED_INFO(lab::text_of_error("text.cu", text, each));
  REQUIRE(compiled.ok());
  return lab::gpu_text(text, setup, compiled.program);
}

const lab::CudaCompiler& nvrtc() {
  static const lab::CudaCompiler out = lab::load_cuda_compiler();
  return out;
}

// All that the language has, in forms that C++ and CUDA would take differently.
constexpr const char* kAllForms = R"(
// scratch: float Part[BATCH][HEADS][N_Q][D + 2]
// scratch: int Count[2]
#define LAST (D - 1)
constexpr float kLowest = -INFINITY;
constexpr int kLess = min(BR, 3);
struct Pair { float m; int k; };
__device__ float mixed(Pair p) { return expf(p.m) + logf(max(p.m, 2)) + sqrtf(p.m) + fminf(p.m, 1.0f) * fabsf(p.m); }
// launch: grid((N_Q + BR - 1) / BR, HEADS, BATCH) block(THREADS)
__global__ void attention(const float* Q, const float* K, const float* V, float* O, float* L) {
  __shared__ float sO[BR][D + 1], sF[BR * D];
  float own[D];
  float a = kLowest;
  unsigned u = max(3u, 5);
  long long w = min(7ll, 5);
  bool t = CAUSAL;
  printf("%f %d\n", a, t);
  for (int x = 0; x < D; ++x) {
    Pair p;
    p.m = 2.0f, p.k = x;
    own[x] = mixed(p) + SCALE * SCALE_LOG2;
  }
  sF[threadIdx.x % (BR * D)] = own[LAST] + u + w + kLess;
  Part[0][0][0][threadIdx.x % (D + 2)] = fmaf(a, 0.0f, 1.0f);
  Count[threadIdx.x % 2] = 1;
  __syncthreads();
  visit_done(0, 0, nullptr, nullptr, sO);
  visit_done(0, 0, sF, sF + 1, sF);
  visit_done(0, 0, sF, sF + 1, nullptr);
  visit_done(0, 0, sF, sF + 1, Part[0][0]);
  row_done(0, 0, 1.0f, nullptr, own);
  row_done(0, 0, a, 3, nullptr);
  if (threadIdx.x == 0) return;
  atomicAdd(&O[0], 1);
  a = __shfl_xor_sync(0xffffffffu, a, 1) + log2f(exp2f(a));
  __syncwarp();
}
// launch: grid(1) block(32)
__global__ void second(float* O, const float* Q) { O[0] = Q[0]; }
)";

}  // namespace

TEST_CASE("the text has each launch's wrapper with the tensors in the kernel's order", "[unit]") {
  const std::string text = gpu_text_of(kAllForms, Problem{}, 32);
  CHECK(text.find("tilewalk_launch_0(float* tilewalk_tensor_0, float* tilewalk_tensor_1, float* tilewalk_tensor_2, "
                  "float* tilewalk_tensor_3, float* tilewalk_tensor_4)") != std::string::npos);
  CHECK(text.find("::second(tilewalk_tensor_0, tilewalk_tensor_1);") != std::string::npos);
  CHECK(text.find("__launch_bounds__(32) tilewalk_launch_1") != std::string::npos);
  CHECK(text.find("__device__ int Count[2];") != std::string::npos);
  CHECK(text.find("exp2f_exact") < text.find("tilewalk_exp2f"));
  const lab::CompiledText compiled = lab::compile(kAllForms, lab::compile_setup(Problem{}, 32));
  REQUIRE(compiled.program.kernels.size() == 2);
  CHECK(compiled.program.kernels[0].parameters == std::vector<int>{0, 1, 2, 3, 4});
  CHECK(compiled.program.kernels[1].parameters == std::vector<int>{3, 0});
}

TEST_CASE("constants of the task keep their bits", "[unit]") {
  lab::CompileSetup setup = lab::compile_setup(Problem{}, 32);
  for (lab::GivenConstant& each : setup.constants)
    if (each.name == "SCALE") each.value = -0x1.abcdeep-7f;
  const std::string text = "// launch: grid(1) block(1)\n__global__ void attention(float* O) { O[0] = SCALE; }\n";
  const lab::CompiledText compiled = lab::compile(text, setup);
  REQUIRE(compiled.ok());
  CHECK(lab::gpu_text(text, setup, compiled.program).find("constexpr float SCALE = -0x1.abcdeep-7f;") !=
        std::string::npos);
}

TEST_CASE("an #if has the task's constants on a GPU too", "[unit]") {
  const std::string head = "// launch: grid(1) block(32)\n__global__ void attention(float* O) {\n";
  CHECK(gpu_text_of(head + "O[0] = D;\n}\n", Problem{}, 32).find("#define CAUSAL") == std::string::npos);
  const std::string chosen = head +
                             "# if !CAUSAL && D == 4 && THREADS == 32\n  O[0] = SCALE;\n#else\n  this is no C\n"
                             "#endif\n}\n";
  const std::string text = gpu_text_of(chosen, Problem{}, 32);
  CHECK(text.find("#define CAUSAL 0\n") != std::string::npos);
  CHECK(text.find("#define SCALE") == std::string::npos);
  if (!nvrtc().found()) return skip(nvrtc().why);
  const lab::GpuCode code = lab::compile_for_gpu(nvrtc(), text, kHopper, "");
  INFO(code.why);
  CHECK(code.ok());
}

TEST_CASE("NVRTC compiles all forms of the language, and each text of the tasks", "[unit]") {
  if (!nvrtc().found()) return skip(nvrtc().why);
  const auto compiles = [&](const std::string& name, const std::string& text) {
    const lab::GpuCode code = lab::compile_for_gpu(nvrtc(), text, kHopper, "");
    INFO(name << ": " << code.why);
    CHECK(code.ok());
    CHECK(code.bytes.size() > 1000);
  };
  compiles("all forms", gpu_text_of(kAllForms, Problem{}, 32));
  for (const lab::LabTask& task : tasks_of_the_lab()) {
    const auto text_of_run = [&](const std::string& text) {
      const lab::KernelCheck check(text, task.setup);
      INFO(task.folder << ": " << lab::verdict_text(check.report()));
      REQUIRE(check.report().compiled);
      const lab::InterpreterRun run = check.interpreter_run();
      return lab::gpu_text(text, run.setup, run.machine->program());
    };
    compiles(task.name + "/solution", text_of_run(task.solution));
    for (const lab::WrongVersion& wrong : task.wrong) compiles(task.name + "/" + wrong.name, text_of_run(wrong.text));
  }
}

TEST_CASE("NVRTC's refusal has the line of the learner's text", "[unit]") {
  if (!nvrtc().found()) return skip(nvrtc().why);
  std::string text = gpu_text_of(
      "// launch: grid(1) block(1)\n__global__ void attention(float* O) {\n  O[0] = 1.0f;\n}\n", Problem{}, 1);
  text.replace(text.find("O[0] = 1.0f"), 4, "Oh[0]");
  const lab::GpuCode code = lab::compile_for_gpu(nvrtc(), text, kHopper, "");
  CHECK(!code.ok());
  CHECK(code.why.find("kernel.cu(3)") != std::string::npos);
  CHECK(code.bytes.empty());
}

TEST_CASE("compiled code is taken from the cache, by text, version and flags, and only if whole", "[unit]") {
  if (!nvrtc().found()) return skip(nvrtc().why);
  const TemporaryFolder folder;
  const std::string cache = folder.path() + "/a/cache", text = "extern \"C\" __global__ void k(int* x) { *x = 1; }\n";
  const lab::GpuCode first = lab::compile_for_gpu(nvrtc(), text, kHopper, cache);
  const lab::GpuCode again = lab::compile_for_gpu(nvrtc(), text, kHopper, cache);
  REQUIRE(first.ok());
  CHECK(!first.from_cache);
  CHECK(again.from_cache);
  CHECK(again.bytes == first.bytes);
  CHECK(!lab::compile_for_gpu(nvrtc(), text + "\n", kHopper, cache).from_cache);
  CHECK(!lab::compile_for_gpu(nvrtc(), text, 80, cache).from_cache);
  std::size_t files = 0;
  for (const auto& each : std::filesystem::directory_iterator(cache)) {
    ++files;
    std::filesystem::resize_file(each.path(), 20);
  }
  CHECK(files == 3);
  const lab::GpuCode mended = lab::compile_for_gpu(nvrtc(), text, kHopper, cache);
  CHECK(!mended.from_cache);
  CHECK(mended.bytes == first.bytes);
}

TEST_CASE("the cache keeps its newest 200 kernels, and nothing else is removed", "[unit]") {
  if (!nvrtc().found()) return skip(nvrtc().why);
  const TemporaryFolder folder;
  for (int at = 0; at < 210; ++at) {
    const std::string file = folder.file("old" + std::to_string(at) + ".lab-kernel");
    write_text(file, "x");
    std::filesystem::last_write_time(file,
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(300 - at));
  }
  write_text(folder.file("mine.txt"), "x");
  REQUIRE(lab::compile_for_gpu(nvrtc(), "extern \"C\" __global__ void k() {}\n", kHopper, folder.path()).ok());
  std::size_t files = 0;
  for (const auto& each : std::filesystem::directory_iterator(folder.path())) files += each.is_regular_file();
  CHECK(files == 201);
  CHECK(!std::filesystem::exists(folder.file("old10.lab-kernel")));
  CHECK(std::filesystem::exists(folder.file("old11.lab-kernel")));
  CHECK(std::filesystem::exists(folder.file("mine.txt")));
}
