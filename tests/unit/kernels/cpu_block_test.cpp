// The emulated thread block: barriers work, shared memory starts as NaN, mistakes at barriers are reported, and a race
// shows under some order of the threads.
#include "kernels/emulated/cpu_block.h"

#include <cmath>
#include <set>

#include "tests/support/catch.h"

using namespace tilewalk;
using namespace tilewalk::cpu;

namespace {

// Each thread publishes its number, then sums up all of them.
void sum_of_all(float* sums) {
  float* const shared = reinterpret_cast<float*>(block_shared_memory());
  shared[threadIdx.x] = float(threadIdx.x + 1);
  __syncthreads();
  float sum = 0;
  for (unsigned t = 0; t < blockDim.x; ++t) sum += shared[t];
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

void sum_without_barrier(float* sums) {
  float* const shared = reinterpret_cast<float*>(block_shared_memory());
  shared[threadIdx.x] = float(threadIdx.x + 1);
  float sum = 0;
  for (unsigned t = 0; t < blockDim.x; ++t) sum += shared[t];
  sums[threadIdx.x] = sum;
}

void one_thread_leaves() {
  if (threadIdx.x == 2) return;
  __syncthreads();
}

void different_barriers() {
  if (threadIdx.x == 0) {
    __syncthreads();
  } else {
    __syncthreads();
  }
}

void first_comer_wins(float* winner) {
  float* const shared = reinterpret_cast<float*>(block_shared_memory());
  if (std::isnan(shared[0])) shared[0] = float(threadIdx.x);
  __syncthreads();
  winner[threadIdx.x] = shared[0];
}

void count_up(unsigned long long* sum) { atomicAdd(sum, 1ull << (8 * threadIdx.x)); }

}  // namespace

TEST_CASE("a barrier lets every thread see what all wrote before it") {
  for (std::uint64_t order = 0; order < 30; ++order) {
    std::vector<float> sums(12, 0.0f);
    BlockRunner runner({.threads = 4, .order_seed = order}, 16);
    for (unsigned block = 0; block < 3; ++block) REQUIRE(runner.run(block, [&] { sum_of_all(sums.data()); }).empty());
    for (float sum : sums) REQUIRE(sum == 10.0f);
    REQUIRE(runner.barrier_lines().size() == 1);
  }
}

TEST_CASE("without the barrier some thread reads memory that was never written, which is NaN") {
  std::vector<float> sums(4, 0.0f);
  BlockRunner runner({.threads = 4}, 16);
  REQUIRE(runner.run(0, [&] { sum_without_barrier(sums.data()); }).empty());
  REQUIRE(std::any_of(sums.begin(), sums.end(), [](float sum) { return std::isnan(sum); }));
}

TEST_CASE("threads that diverge at a barrier are reported") {
  BlockRunner runner({.threads = 4}, 16);
  REQUIRE(runner.run(0, [&] { one_thread_leaves(); }).find("thread 2 ended while thread 0 waits") != std::string::npos);
  REQUIRE(runner.run(0, [&] { different_barriers(); }).find("waits at the barrier on line") != std::string::npos);
}

TEST_CASE("threads run in different orders under different seeds, and in the same under the same") {
  std::set<float> winners;
  for (std::uint64_t order = 0; order < 40; ++order) {
    std::vector<float> first(4), again(4);
    BlockRunner runner({.threads = 4, .order_seed = order}, 16);
    REQUIRE(runner.run(0, [&] { first_comer_wins(first.data()); }).empty());
    REQUIRE(runner.run(0, [&] { first_comer_wins(again.data()); }).empty());
    REQUIRE(first == again);
    winners.insert(first[0]);
    if (order == 0) REQUIRE(first[0] == 0.0f);
  }
  REQUIRE(winners.size() == 4);
}

TEST_CASE("atomicAdd adds every thread's part") {
  unsigned long long sum = 0;
  BlockRunner runner({.threads = 3}, 16);
  REQUIRE(runner.run(0, [&] { count_up(&sum); }).empty());
  REQUIRE(sum == 0x010101ull);
}
