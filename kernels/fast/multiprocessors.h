// The multiprocessors and the memory of the current device.
#pragma once

#include <cuda_runtime.h>

namespace tilewalk::fast {

inline int multiprocessors() {  // 0: there is no device
  int device = 0, count = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return 0;
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
  return count;
}

// The memory's rate by its clock and width; 0: there is no device. A driver may take long to say a clock, so each
// thread asks once for a device, and not at every call.
inline double dram_gb_per_s() {
  thread_local int asked = -1;
  thread_local double rate = 0;
  int device = 0, khz = 0, bits = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return 0;
  if (device == asked) return rate;
  cudaDeviceGetAttribute(&khz, cudaDevAttrMemoryClockRate, device);
  cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, device);
  asked = device;
  return rate = 2.0 * khz * 1e3 * bits / 8 * 1e-9;
}

}  // namespace tilewalk::fast
