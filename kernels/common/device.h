// What a kernel file needs in order to be CUDA and plain C++ alike. Compiled by nvcc, __global__, threadIdx and
// __syncthreads are CUDA's own. Compiled by a C++ compiler, whoever includes the kernel file has included
// emulated/cpu_block.h before, which gives the same names a meaning on the CPU.
// The two compilations live in two namespaces, tilewalk::gpu and tilewalk::cpu, and so never meet at link time.
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
