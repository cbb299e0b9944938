// The multiprocessors of the current device.
#pragma once

#include <cuda_runtime.h>

namespace tilewalk::fast {

inline int multiprocessors() {  // 0: there is no device
  int device = 0, count = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return 0;
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
  return count;
}

}  // namespace tilewalk::fast
