// An array that may be tens of MiB large: on Linux in huge pages where the system lends them on request, so that the
// first touch costs one page fault for 2 MiB. It begins at a cache line, and is not initialised; parts that are never
// touched use no memory.
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
  void operator()(void* values) const { std::free(values); }
};
template <class T>
using LargeArrayOf = std::unique_ptr<T[], FreeMemory>;
using LargeArray = LargeArrayOf<float>;

// Null if the system does not grant the memory.
template <class T>
LargeArrayOf<T> large_array_or_null(std::size_t count) {
  constexpr std::size_t kCacheLine = 64, kHugePage = std::size_t(2) << 20;
  const std::size_t bytes = count * sizeof(T), unit = bytes < 2 * kHugePage ? kCacheLine : kHugePage;
  const std::size_t whole = bytes > 0 ? (bytes + unit - 1) / unit * unit : unit;
  void* const values = std::aligned_alloc(unit, whole);
#ifdef __linux__
  if (values && unit == kHugePage)
    ::madvise(values, whole, MADV_HUGEPAGE);  // a wish: without it only the faults are more
#endif
  return LargeArrayOf<T>(static_cast<T*>(values));
}

// Throws std::bad_alloc.
inline LargeArray large_array(std::size_t count) {
  LargeArray values = large_array_or_null<float>(count);
  if (!values) throw std::bad_alloc();
  return values;
}

}  // namespace tilewalk
