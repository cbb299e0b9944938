// How fast this machine reads its memory. Every thread adds up its own part of one array that is larger than the
// last-level cache, all at the same time, pass after pass in the same order; the best pass counts. Each page is on the
// node of the thread that wrote it first and reads it later.
//
// Not measured: the rate of a copy, whose writes cost more than reads; the rate of a single thread; latency; a data
// sheet's figure. A part of an array may still be in the cache, even of one four times as large.
#pragma once

#include <cstdint>
#include <functional>

namespace tilewalk::cpu {

std::int64_t last_level_cache_bytes();  // of this processor, by the system; 0: unknown

// Four times the cache, at least 512 MiB, at most a quarter of the free memory; 0 if that is less than twice the cache,
// and so no measurement of memory.
std::int64_t bytes_to_read(std::int64_t cache_bytes, std::int64_t free_bytes);

// 1e9 bytes a second, the best of `passes` over `bytes`. Calls `go_on` every few milliseconds; false stops it. 0: it
// was stopped, memory is short, or more than 64 GiB were requested. Precondition: threads, bytes and passes of at least
// 1.
double memory_read_gb_per_s(int threads, std::int64_t bytes, int passes,
                            const std::function<bool(int passes_done)>& go_on);

}  // namespace tilewalk::cpu
