// Defines the names that the kernels use from CUDA, so that the same source runs where there is no GPU. Include it
// before a kernel file. The threads of one thread block become fibers on one CPU thread; each runs until it reaches a
// barrier or ends. Between two barriers they run in a random order from a seed, so that a missing barrier gives a wrong
// result under some order. Shared memory has exactly the requested size and starts as NaN.
// Found and reported: threads that end while others wait at a barrier, threads that wait at different barriers.
// Not modelled: warps, memory ordering between barriers, time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#define __global__
#define __device__

namespace tilewalk::cpu {

struct Dim3 {
  unsigned x = 0, y = 0, z = 0;
};
inline thread_local Dim3 threadIdx, blockIdx, blockDim;

// The line is the caller's. NOLINTNEXTLINE: CUDA's own name
void __syncthreads(unsigned line = __builtin_LINE());
unsigned char* block_shared_memory();

// Fibers of a block never run at the same time, so a plain addition is atomic.
inline unsigned long long atomicAdd(unsigned long long* to, unsigned long long value) {
  const unsigned long long old = *to;
  *to += value;
  return old;
}

struct BlockOptions {
  int threads = 5;                 // few and odd, so that strides and ragged tails are exercised
  std::uint64_t order_seed = 1;    // 0: threads always run in increasing order
  unsigned skip_barrier_line = 0;  // skips the barrier on that source line, for tests that every barrier matters
};

// Runs the thread blocks of a launch one after another. Not safe for two threads at once.
class BlockRunner {
 public:
  BlockRunner(const BlockOptions&, std::size_t shared_bytes);
  ~BlockRunner();
  BlockRunner(const BlockRunner&) = delete;
  BlockRunner& operator=(const BlockRunner&) = delete;

  // Runs `kernel` once a thread. Empty if all went well, else a sentence that says what the block's threads did wrong.
  std::string run(unsigned block, const std::function<void()>& kernel);
  // Source lines of the barriers reached so far, each once, in order.
  const std::vector<unsigned>& barrier_lines() const;

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace tilewalk::cpu
