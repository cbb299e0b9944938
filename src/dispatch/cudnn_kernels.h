// Which of its kernels cuDNN uses for a call. There is no source to read: these are observations on an H200 with cuDNN
// 9.19, in 136 sampled calls and 16 chosen ones (assets/measurements/launched_kernels_*, kernel_names_*), with no
// answer where there is no observation. Two query rows and more: kernels for SM 9.0 (wgmma), 384 threads, a thread
// block for every 128 query rows (min(multiprocessors, batch x heads x N_q / 128) were launched each time) and, by
// their names, 128 keys at a time. One query row: kernels for SM 8.0 (wmma), of several tiles; for long rows of a few
// heads the keys are divided among thread blocks, and a second kernel merges. For other GPUs only the kind of kernel is
// given, by names that others published.
#pragma once

#include <cstdint>
#include <optional>

#include "dispatch/call.h"

namespace tilewalk {

struct CudnnKernel {
  std::optional<int> built_for;        // 80, 90, 100; none: not known
  std::optional<bool> split_kv;        // none: not known
  std::optional<std::int64_t> br, bc;  // none: not known
};
CudnnKernel cudnn_kernel(const Call&, Version cudnn);

// True if the cuDNN of the recorded races runs this problem's call on its GPU with the problem's tiles, and the problem
// has a schedule with roles of warps, as that kernel has, but is not walked as a kernel of Tilewalk runs it.
bool has_cudnn_tiles(const Problem&);

}  // namespace tilewalk
