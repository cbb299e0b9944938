#include "tests/cost/counted.h"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

std::uint64_t edges = 0;
std::size_t live = 0, most = 0;

void* counted(std::size_t bytes) {
  void* const memory = std::malloc(bytes);
  if (!memory) throw std::bad_alloc();
  live += ::malloc_usable_size(memory);
  most = std::max(most, live);
  return memory;
}

void freed(void* memory) {
  live -= ::malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

extern "C" void __sanitizer_cov_trace_pc() { ++edges; }  // NOLINT: gcc's own name

void* operator new(std::size_t bytes) { return counted(bytes); }
void* operator new[](std::size_t bytes) { return counted(bytes); }
void operator delete(void* memory) noexcept { freed(memory); }
void operator delete[](void* memory) noexcept { freed(memory); }
void operator delete(void* memory, std::size_t) noexcept { freed(memory); }
void operator delete[](void* memory, std::size_t) noexcept { freed(memory); }

namespace tilewalk::test {

Cost cost_of(const std::function<void()>& work) {
  const std::size_t before = most = live;
  const std::uint64_t edges_before = edges;
  work();
  return {.edges = edges - edges_before, .bytes = most - before};
}

}  // namespace tilewalk::test
