// What a profile of a GPU says about attention: which kernels ran, how often, how long, and their share of all GPU
// time. Reads torch.profiler's Chrome trace (.json) and the text of its key_averages().table(), JAX's Chrome trace,
// Nsight Systems' tables (cuda_gpu_kern_sum, cuda_gpu_sum, cuda_gpu_trace; CSV and text), Nsight Compute's (--csv,
// --page raw too) and rocprof's CSV (kernel_stats, kernel_trace), each plain or packed by gzip; the content decides
// which one a file is. Streamed: memory does not grow with the file. All GPU time is the time of kernels and of copies,
// as far as a profile has them; kernels that ran at the same time each count in full. A softmax counts as attention
// only where PyTorch's own record of its operators (in a trace with the CPU's events) says that all of them are MATH's.
// Not modelled: other work of the CPU.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "dispatch/kernel/kernel_name.h"
#include "files/opened_file.h"

namespace tilewalk {

enum class ProfileFormat { ChromeTrace, NsightSystems, NsightCompute, TorchTable, Rocprof, XlaTrace };
const char* name_of(ProfileFormat);  // "torch.profiler trace"

struct KernelTime {
  std::int64_t calls = 0;
  std::int64_t ns = 0;
  bool operator==(const KernelTime&) const = default;
};
struct ProfileGroup {
  KernelFamily family = KernelFamily::Other;
  std::optional<KernelPass> pass = {};
  KernelTime time = {};
};
struct ProfileKernel {
  std::string name;
  DecodedKernel decoded = {};
  KernelTime time = {};
};

// Operators of scaled_dot_product_attention, as a trace of PyTorch counts them.
enum class SdpaOperator { Flash, Efficient, Cudnn, Math, FlashOnCpu };
inline constexpr const char* kSdpaOperators[] = {
    "aten::_scaled_dot_product_flash_attention", "aten::_scaled_dot_product_efficient_attention",
    "aten::_scaled_dot_product_cudnn_attention", "aten::_scaled_dot_product_attention_math",
    "aten::_scaled_dot_product_flash_attention_for_cpu"};
using SdpaCalls = std::array<std::int64_t, std::size(kSdpaOperators)>;

struct Profile {
  ProfileFormat format = ProfileFormat::ChromeTrace;
  bool is_timed = true;                // else all times are 0
  std::vector<ProfileGroup> groups;    // of attention, longest first
  std::vector<ProfileKernel> kernels;  // of attention, longest first; kMostProfileKernels at most
  KernelTime attention, others, copies;
  // Kernels with a word for attention in their names that are not known here: they count neither as attention nor as
  // other kernels.
  KernelTime unknown = {};
  std::vector<ProfileKernel> unknown_kernels = {};
  KernelTime lone_softmax = {};  // among the others: softmaxes without evidence that they are attention's
  SdpaCalls operators = {};      // all 0: not in the profile

  std::int64_t gpu_ns() const { return attention.ns + others.ns + copies.ns + unknown.ns; }
  std::optional<double> share(std::int64_t ns) const;  // of all GPU time; none in a profile without times
};

inline constexpr std::size_t kMostProfileKernels = 1000;
inline constexpr std::size_t kLongestShownName = 4096;
inline constexpr std::int64_t kMostProfileBytes = std::int64_t(64) << 30;

// Calls `go_on` with the fraction of the file that is read; when it returns false, the profile is refused.
Result<Profile> read_profile(const std::string& path, const std::function<bool(double)>& go_on = {});
Result<Profile> read_profile(const ReadBytes&, std::int64_t size, const std::string& name);

}  // namespace tilewalk
