#include "kernels/emulated/cpu_block.h"

#include <ucontext.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/contains.h"
#include "base/random.h"

// Notifies the address sanitizer when the stack changes.
#if defined(__SANITIZE_ADDRESS__)
#define TILEWALK_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TILEWALK_ASAN 1
#endif
#endif
#ifdef TILEWALK_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

namespace tilewalk::cpu {

namespace {

constexpr std::size_t kStackBytes = 256 * 1024;

}  // namespace

struct BlockRunner::Impl {
  struct Fiber {
    ucontext_t context{};
    std::unique_ptr<unsigned char[]> stack;
    void* fake_stack = nullptr;
    bool done = false;
    unsigned barrier_line = 0;  // where it waits
  };

  BlockOptions options;
  std::unique_ptr<unsigned char[]> shared;
  std::size_t shared_bytes = 0;
  std::vector<Fiber> fibers;
  std::vector<unsigned> lines;
  ucontext_t scheduler{};
  void* scheduler_fake_stack = nullptr;
  const void* scheduler_stack = nullptr;
  std::size_t scheduler_stack_bytes = 0;
  int current = 0;
  const std::function<void()>* kernel = nullptr;

  void enter(int thread);
  void leave(bool for_good);
  std::string phase(std::uint64_t order_index);
};

namespace {
thread_local BlockRunner::Impl* running = nullptr;

void fiber_main() {
  BlockRunner::Impl* const block = running;
#ifdef TILEWALK_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &block->scheduler_stack, &block->scheduler_stack_bytes);
#endif
  (*block->kernel)();
  block->leave(true);
}
}  // namespace

void BlockRunner::Impl::enter(int thread) {
  current = thread;
  threadIdx.x = unsigned(thread);
  Fiber& fiber = fibers[std::size_t(thread)];
#ifdef TILEWALK_ASAN
  __sanitizer_start_switch_fiber(&scheduler_fake_stack, fiber.stack.get(), kStackBytes);
#endif
  swapcontext(&scheduler, &fiber.context);
#ifdef TILEWALK_ASAN
  __sanitizer_finish_switch_fiber(scheduler_fake_stack, nullptr, nullptr);
#endif
}

void BlockRunner::Impl::leave(bool for_good) {
  Fiber& fiber = fibers[std::size_t(current)];
  fiber.done = for_good;
#ifdef TILEWALK_ASAN
  __sanitizer_start_switch_fiber(for_good ? nullptr : &fiber.fake_stack, scheduler_stack, scheduler_stack_bytes);
#endif
  swapcontext(&fiber.context, &scheduler);
#ifdef TILEWALK_ASAN
  __sanitizer_finish_switch_fiber(fiber.fake_stack, &scheduler_stack, &scheduler_stack_bytes);
#endif
}

// Runs every thread up to its next barrier or its end.
std::string BlockRunner::Impl::phase(std::uint64_t order_index) {
  std::vector<int> order(fibers.size());
  std::iota(order.begin(), order.end(), 0);
  if (options.order_seed != 0) {
    for (std::size_t left = order.size(); left > 1; --left) {
      const std::uint64_t draw = random_bits(options.order_seed, order_index, left);
      std::swap(order[left - 1], order[std::size_t(draw % left)]);
    }
  }
  for (int thread : order) {
    if (!fibers[std::size_t(thread)].done) enter(thread);
  }
  const Fiber& first = fibers.front();
  for (std::size_t thread = 1; thread < fibers.size(); ++thread) {
    const Fiber& other = fibers[thread];
    if (other.done != first.done) {
      return "thread " + std::to_string(first.done ? 0 : thread) + " ended while thread " +
             std::to_string(first.done ? thread : 0) + " waits at the barrier on line " +
             std::to_string(first.done ? other.barrier_line : first.barrier_line);
    }
    if (!other.done && other.barrier_line != first.barrier_line) {
      return "thread 0 waits at the barrier on line " + std::to_string(first.barrier_line) + ", thread " +
             std::to_string(thread) + " at the one on line " + std::to_string(other.barrier_line);
    }
  }
  return {};
}

BlockRunner::BlockRunner(const BlockOptions& options, std::size_t shared_bytes) : impl_(std::make_unique<Impl>()) {
  impl_->options = options;
  impl_->shared_bytes = shared_bytes;
  impl_->shared = std::make_unique_for_overwrite<unsigned char[]>(shared_bytes);
  impl_->fibers.resize(std::size_t(options.threads));
  for (auto& fiber : impl_->fibers) fiber.stack = std::make_unique_for_overwrite<unsigned char[]>(kStackBytes);
}

BlockRunner::~BlockRunner() = default;

const std::vector<unsigned>& BlockRunner::barrier_lines() const { return impl_->lines; }

std::string BlockRunner::run(unsigned block, const std::function<void()>& kernel) {
  Impl& self = *impl_;
  self.kernel = &kernel;
  std::memset(self.shared.get(), 0xff, self.shared_bytes);  // NaN in every storage type
  blockIdx = {block, 0, 0};
  blockDim = {unsigned(self.fibers.size()), 1, 1};
  running = &self;
  for (auto& fiber : self.fibers) {
    fiber.done = false;
    fiber.barrier_line = 0;
    getcontext(&fiber.context);
    fiber.context.uc_stack = {.ss_sp = fiber.stack.get(), .ss_flags = 0, .ss_size = kStackBytes};
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, fiber_main, 0);
  }
  std::string problem;
  for (std::uint64_t index = std::uint64_t(block) << 32; problem.empty(); ++index) {
    problem = self.phase(index);
    if (self.fibers.front().done) break;
  }
  running = nullptr;
  return problem;
}

void __syncthreads(unsigned line) {
  BlockRunner::Impl& self = *running;
  if (line == self.options.skip_barrier_line) return;
  if (!contains(self.lines, line)) self.lines.push_back(line);
  self.fibers[std::size_t(self.current)].barrier_line = line;
  self.leave(false);
}

unsigned char* block_shared_memory() { return running->shared.get(); }

}  // namespace tilewalk::cpu
