#include "lab/language/refused.h"

#include <iterator>

namespace tilewalk::lab {
namespace {

struct Refusal {
  std::string_view name;
  const char* instead;
};

constexpr const char *kUseFloat = "Write float: all arithmetic of the lab is fp32.",
                     *kUseInt = "Write int, unsigned or long long.", *kNoVector = "Read and write one float at a time.",
                     *kNoClass = "Write a plain struct with fields, and __device__ functions.",
                     *kNoTensorCore = "Write the product as a loop of fmaf: the lab has no tensor cores.",
                     *kNoNamespace = "Leave std:: out: fmaf, fmaxf, expf and their like have no namespace here.",
                     *kNoCopy = "Copy with a loop, then __syncthreads().",
                     *kNoTemplate = "Write the function once for each type; sizes are constants of the task.";

constexpr Refusal kWords[] = {
    {"template", kNoTemplate},
    {"typename", kNoTemplate},
    {"concept", kNoTemplate},
    {"requires", kNoTemplate},
    {"class", kNoClass},
    {"union", kNoClass},
    {"virtual", kNoClass},
    {"operator", kNoClass},
    {"this", kNoClass},
    {"public", kNoClass},
    {"private", kNoClass},
    {"friend", kNoClass},
    {"enum", "Write constants: constexpr int kName = 0;"},
    {"namespace", "Leave it out: a kernel's text is one file."},
    {"using", "Leave it out and write the type itself."},
    {"typedef", "Leave it out and write the type itself."},
    {"std", kNoNamespace},
    {"cooperative_groups", "Write __syncthreads(), __syncwarp() and __shfl_sync."},
    {"auto", "Write the type: float, int or const float*."},
    {"decltype", "Write the type: float, int or const float*."},
    {"double", kUseFloat},
    {"half", kUseFloat},
    {"__half", kUseFloat},
    {"__half2", kUseFloat},
    {"half2", kUseFloat},
    {"__nv_bfloat16", kUseFloat},
    {"nv_bfloat16", kUseFloat},
    {"char", kUseInt},
    {"short", kUseInt},
    {"signed", kUseInt},
    {"size_t", kUseInt},
    {"int8_t", kUseInt},
    {"uint8_t", kUseInt},
    {"int16_t", kUseInt},
    {"uint16_t", kUseInt},
    {"int32_t", kUseInt},
    {"uint32_t", kUseInt},
    {"int64_t", kUseInt},
    {"uint64_t", kUseInt},
    {"float2", kNoVector},
    {"float3", kNoVector},
    {"float4", kNoVector},
    {"int2", kNoVector},
    {"int4", kNoVector},
    {"uint4", kNoVector},
    {"dim3", "Write the launch line: // launch: grid(X, Y, Z) block(THREADS)"},
    {"new", "Declare an array whose size is a constant."},
    {"delete", "Leave it out: arrays end with their block."},
    {"goto", "Write a loop with break or continue."},
    {"switch", "Write if and else."},
    {"case", "Write if and else."},
    {"try", "Leave it out: a kernel has no exceptions."},
    {"throw", "Leave it out: a kernel has no exceptions."},
    {"catch", "Leave it out: a kernel has no exceptions."},
    {"static_assert", "Leave it out."},
    {"sizeof", "Write the number of elements: pointers and arrays count in elements."},
    {"alignas", "Leave it out."},
    {"__align__", "Leave it out."},
    {"static", "Leave static out."},
    {"inline", "Leave inline out: every __device__ function is inlined."},
    {"extern", "Write the size of the array: __shared__ float sS[BR][BC];"},
    {"volatile", "Write __syncthreads() or __syncwarp() where threads exchange values."},
    {"register", "Leave register out."},
    {"__restrict__", "Leave __restrict__ out."},
    {"__restrict", "Leave __restrict out."},
    {"__constant__", "Write constexpr."},
    {"__host__", "Leave __host__ out."},
    {"__forceinline__", "Leave __forceinline__ out: every __device__ function is inlined."},
    {"__noinline__", "Leave __noinline__ out: every __device__ function is inlined."},
    {"__launch_bounds__", "Leave it out: the launch line says the number of threads."},
    {"asm", "Write it in C."},
    {"reinterpret_cast", "Pointers keep their type here: index the array itself."},
    {"static_cast", "Write a cast of C: int(x) or (int)x."},
    {"const_cast", "Inputs are const: write into an array of your own."},
    {"dynamic_cast", kNoClass},
    {"wmma", kNoTensorCore},
    {"nvcuda", kNoTensorCore},
    {"warpSize", "Write 32."},
    {"main", "Leave main out: the launch line starts the kernel."},
    {"printf_s", "Write printf."},
};

constexpr Refusal kFunctions[] = {
    {"exp", "Write expf."},
    {"exp2", "Write exp2f."},
    {"log", "Write logf."},
    {"log2", "Write log2f."},
    {"sqrt", "Write sqrtf."},
    {"fmax", "Write fmaxf."},
    {"fmin", "Write fminf."},
    {"fma", "Write fmaf."},
    {"__expf", "Write expf: its bits are the same on every machine."},
    {"__exp2f", "Write exp2f: its bits are the same on every machine."},
    {"__logf", "Write logf: its bits are the same on every machine."},
    {"__log2f", "Write log2f: its bits are the same on every machine."},
    {"__fdividef", "Write a / b."},
    {"__frcp_rn", "Write 1.0f / x."},
    {"__fmaf_rn", "Write fmaf."},
    {"__fadd_rn", "Write a + b: sums are never fused here."},
    {"__fmul_rn", "Write a * b: products are never fused here."},
    {"rsqrtf", "Write 1.0f / sqrtf(x)."},
    {"powf", "Write exp2f(y * log2f(x))."},
    {"pow", "Write exp2f(y * log2f(x))."},
    {"tanhf", "Write it with expf."},
    {"abs", "Write x < 0 ? -x : x."},
    {"__ldg", "Write p[i]."},
    {"malloc", "Declare an array whose size is a constant."},
    {"free", "Leave it out."},
    {"memcpy", kNoCopy},
    {"memset", "Write a loop."},
    {"cudaMalloc", "Leave the host's part out: the lab makes the tensors and starts the kernel."},
    {"cudaMemcpy", "Leave the host's part out: the lab makes the tensors and starts the kernel."},
    {"__pipeline_memcpy_async", kNoCopy},
    {"__shfl_up_sync", "Write __shfl_sync with the lane that you want."},
    {"__ballot_sync", "Write __shfl_xor_sync, or shared memory."},
    {"__any_sync", "Write __shfl_xor_sync, or shared memory."},
    {"__all_sync", "Write __shfl_xor_sync, or shared memory."},
    {"__shfl", "Write __shfl_sync(0xffffffffu, value, lane)."},
    {"__shfl_xor", "Write __shfl_xor_sync(0xffffffffu, value, lanes)."},
    {"__shfl_down", "Write __shfl_down_sync(0xffffffffu, value, lanes)."},
    {"__syncthreads_or", "Write a value in shared memory, then __syncthreads()."},
    {"__syncthreads_and", "Write a value in shared memory, then __syncthreads()."},
    {"__threadfence", "Start a second kernel: its launch line comes after the first."},
    {"__threadfence_block", "Write __syncthreads()."},
    {"atomicMax", "Use __shfl_xor_sync, or shared memory and a barrier."},
    {"atomicCAS", "Use shared memory and a barrier, or a second kernel."},
    {"atomicExch", "Use shared memory and a barrier, or a second kernel."},
    {"assert", "Write if (…) printf(…)."},
};

constexpr const char* kNoContainer =
    "Declare an array whose size is a constant: float a[D]; for this thread, __shared__ float a[BR][D]; for all "
    "threads.";

constexpr Refusal kOfStd[] = {
    {"vector", kNoContainer},
    {"array", kNoContainer},
    {"max", "Write fmaxf, or max for whole numbers."},
    {"min", "Write fminf, or min for whole numbers."},
    {"numeric_limits", "Write INFINITY, or -INFINITY."},
    {"swap", "Write it with a third variable."},
};

template <std::size_t kCount>
const char* instead_in(const Refusal (&rows)[kCount], std::string_view name) {
  for (const Refusal& row : rows)
    if (row.name == name) return row.instead;
  return nullptr;
}

}  // namespace

const char* instead_of_word(std::string_view name) { return instead_in(kWords, name); }
const char* instead_of_function(std::string_view name) { return instead_in(kFunctions, name); }

const char* instead_in_std(std::string_view name) {
  if (const char* instead = instead_in(kOfStd, name)) return instead;
  const char* instead = instead_of_function(name);
  return instead ? instead : kNoNamespace;
}

}  // namespace tilewalk::lab
