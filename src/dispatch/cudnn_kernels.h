// Which of its kernels cuDNN takes for a call. No source tells: this is what was seen on an H200 with cuDNN 9.19, in
// 136 drawn calls and 16 picked ones (assets/measurements/launched_kernels_*, kernel_names_*), and it says nothing
// where none was seen. Two query rows and more: kernels for SM 9.0 (wgmma), 384 threads, a thread block for every 128
// query rows (min(multiprocessors, batch x heads x N_q / 128) were launched each time) and, by their names, 128 keys at
// a time. One query row: kernels for SM 8.0 (wmma), of several tiles; for long rows of a few heads the keys are shared
// out among thread blocks, and a second kernel merges. On other GPUs their kind alone is told, by names that others
// saw.
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

}  // namespace tilewalk
