// An array of floats that may be tens of MiB large: on Linux in huge pages where the system lends them on request, so
// that the first touch costs one page fault for 2 MiB. Not initialised; parts that are never touched use no memory.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace tilewalk {

struct FreeMemory {
  void operator()(float* values) const { std::free(values); }
};
using LargeArray = std::unique_ptr<float[], FreeMemory>;

// Throws std::bad_alloc.
inline LargeArray large_array(std::size_t count) {
  [[maybe_unused]] constexpr std::size_t kHugePage = std::size_t(2) << 20;
  const std::size_t bytes = count * sizeof(float);
#ifdef __linux__
  if (bytes >= 2 * kHugePage) {
    const std::size_t whole = (bytes + kHugePage - 1) / kHugePage * kHugePage;
    void* const values = std::aligned_alloc(kHugePage, whole);
    if (!values) throw std::bad_alloc();
    ::madvise(values, whole, MADV_HUGEPAGE);  // a wish: without it only the faults are more
    return LargeArray(static_cast<float*>(values));
  }
#endif
  void* const values = std::malloc(bytes > 0 ? bytes : 1);
  if (!values) throw std::bad_alloc();
  return LargeArray(static_cast<float*>(values));
}

}  // namespace tilewalk
