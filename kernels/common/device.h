// What a kernel file needs to compile both as CUDA and as plain C++. Compiled by nvcc, __global__, threadIdx and
// __syncthreads are CUDA's own. For a C++ compiler, emulated/cpu_block.h, included before the kernel file, defines the
// same names for the CPU.
// The two compilations use two namespaces, tilewalk::gpu and tilewalk::cpu, so their symbols do not clash.
#pragma once

#include "core/values/exact_math.h"

#if defined(__CUDACC__)
#define TILEWALK_SIDE gpu
namespace tilewalk::gpu {
// The dynamic shared memory of this thread block.
__device__ inline unsigned char* block_shared_memory() {
  extern __shared__ __align__(16) unsigned char memory[];
  return memory;
}
}  // namespace tilewalk::gpu
#else
#define TILEWALK_SIDE cpu
#endif

namespace tilewalk::TILEWALK_SIDE {

__device__ inline float minus_infinity() { return exact::float_of(0xff800000u); }
__device__ inline float plus_infinity() { return exact::float_of(0x7f800000u); }

}  // namespace tilewalk::TILEWALK_SIDE
