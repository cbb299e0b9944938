// Traced builds of the fast kernels: the same kernels with a recorder (record.h), for inspection, never for races.
// A C interface like fast_attention.h's. The problem must be one that tilewalk_fast_forward accepts with the same rung
// and variant, with d a multiple of 8; it is not checked again. Both return null for success, else a sentence.
#pragma once

#include "kernels/fast/fast_attention.h"

#ifdef __cplusplus
extern "C" {
#endif

// Keys in a KV tile and rows that share a walk over them (flash_v2: a thread block's; flash_v3: a warpgroup's); 0 where
// there is no traced build.
int tilewalk_fast_traced_keys(int rung, int variant, int d, int mask);

// m, l [batch x heads, KV tiles, n_q] and o [batch x heads, KV tiles, n_q, d] after each tile visit, walked from the
// last tile down. m in raw products: times scale x log2 e it is in log2 units. o unnormalised, relative to that visit's
// m. flash_v1 walks from the first tile up and keeps O normalised: m is its log-sum-exp (log2 units), l is 1. The
// kernel writes nothing for rows that skip a visit. Supports fp16 and bf16, and the variants of flash_v3 that change
// the arithmetic or its order.
const char* tilewalk_fast_trace_state(int rung, int variant, const TilewalkFastProblem*, float* m, float* l, float* o,
                                      void* stream);

// When each role of the first `blocks` thread blocks of flash_v3 ended what; bf16. stamps: blocks x 5 lanes x capacity
// pairs of 32-bit words, zeroed; ends: blocks x 5. Their format: record.h.
const char* tilewalk_fast_trace_stamps(int variant, const TilewalkFastProblem*, void* stamps, void* ends, int blocks,
                                       int capacity, void* stream);

#ifdef __cplusplus
}
#endif
