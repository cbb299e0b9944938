// How fast this machine reads its memory: every thread adds up a part of its own of one array that is larger than the
// last-level cache, all of them at once, pass after pass in the same order; the best pass stands. Pages lie where the
// thread that reads them wrote them first.
//
// It is not: the rate of a copy, whose writes cost more than reads; what one thread reaches where others are given;
// a latency; a data sheet's figure. Of an array of four times the cache some may still be met in it.
#pragma once

#include <cstdint>
#include <functional>

namespace tilewalk::cpu {

std::int64_t last_level_cache_bytes();  // of this processor, as the system tells it; 0: it does not

// Four times the cache, at least 512 MiB, at most a quarter of the memory that is free; 0: that is less than twice the
// cache, and no measure of memory.
std::int64_t bytes_to_read(std::int64_t cache_bytes, std::int64_t free_bytes);

// 1e9 bytes a second, the best of `passes` over `bytes`; asked every few milliseconds, `go_on` may end it. 0: it was
// ended, there is no memory, or it is more than 64 GiB. Precondition: threads, bytes and passes of at least 1.
double memory_read_gb_per_s(int threads, std::int64_t bytes, int passes,
                            const std::function<bool(int passes_done)>& go_on);

}  // namespace tilewalk::cpu
